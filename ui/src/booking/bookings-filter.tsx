import { searchOf, valuesOf } from "../lib/query";
import { SubmitButton } from "../parts/button";
import { Field, Form, SelectField } from "../parts/field";
import type { CourierChoice, FieldError } from "../wire";
import { useWords } from "../words/words";

/** The names of the address that decide what the list shows. */
const NAMES = ["q", "status", "courier", "from", "to", "before"] as const;

export type BookingsFilter = Record<(typeof NAMES)[number], string>;

export function bookingsFilterOf(query: URLSearchParams): BookingsFilter {
  return valuesOf(query, NAMES);
}

/** The list's address with some of it changed; it begins with the newest. */
export function bookingsHref(filter: BookingsFilter, change: Partial<BookingsFilter>): string {
  return `/bookings${searchOf({ ...filter, before: "", ...change })}`;
}

const STATUSES = [
  { value: "", label: "All" },
  { value: "waiting", label: "Not handed over yet" },
  { value: "moving", label: "On the way" },
  { value: "held", label: "Held or returned" },
  { value: "delivered", label: "Delivered" },
  { value: "cancelled", label: "Cancelled" },
] as const;

type Props = {
  filter: BookingsFilter;
  couriers: readonly CourierChoice[];
  errors: readonly FieldError[];
};

/** One plain form: its address can be shared, and it works without JavaScript. */
export function BookingsFilterForm({ filter, couriers, errors }: Props) {
  const t = useWords();
  const choices = couriers.map(({ code, name }) => ({ value: code, label: name }));
  const unknown = filter.courier !== "" && !couriers.some(({ code }) => code === filter.courier);
  const more = filter.courier + filter.from + filter.to !== "";
  return (
    <Form
      idPrefix="bookings"
      className="bookings-filter"
      method="get"
      action="/bookings"
      role="search"
      errors={errors}
    >
      <div className="search-line">
        <Field
          name="q"
          type="search"
          label="Search"
          hint="AWB number, its beginning or end, receiver’s name, city or phone, or your reference"
          defaultValue={filter.q}
          autoComplete="off"
          enterKeyHint="search"
        />
        <SubmitButton kind="primary" label="Search" />
      </div>
      <details className="disclosure" open={more || errors.length > 0}>
        <summary>{t("Filter by status, courier or date")}</summary>
        <div className="filter">
          <SelectField
            name="status"
            label="Status"
            choices={STATUSES}
            defaultValue={filter.status}
          />
          <SelectField
            name="courier"
            label="Courier"
            prompt="All couriers"
            choices={unknown ? [...choices, { value: filter.courier, label: "Other" }] : choices}
            defaultValue={filter.courier}
          />
          <Field
            name="from"
            label="From date"
            type="date"
            defaultValue={dayOrBlank(filter.from)}
            short
          />
          <Field name="to" label="To date" type="date" defaultValue={dayOrBlank(filter.to)} short />
          <div className="actions">
            <SubmitButton label="Show" />
          </div>
        </div>
      </details>
    </Form>
  );
}

/** A field for days shows nothing else, and browsers complain about it. */
function dayOrBlank(value: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : "";
}

/** Where bookings stand, each a link that keeps what else was looked for. */
export function StatusTabs({ filter }: { filter: BookingsFilter }) {
  const t = useWords();
  return (
    <nav className="tabs" aria-label={t("Status")}>
      {STATUSES.map(({ value, label }) => (
        <a
          key={value}
          href={bookingsHref(filter, { status: value })}
          aria-current={value === filter.status ? "page" : undefined}
        >
          {t(label)}
        </a>
      ))}
    </nav>
  );
}
