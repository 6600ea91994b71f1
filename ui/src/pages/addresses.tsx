import { phone, telephoneHref } from "../lib/format";
import { useState, type ComponentProps } from "react";
import { useSearchParams } from "react-router";
import { presetLine } from "../booking/preset-line";
import { useEarlyInput } from "../lib/hooks";
import { OwnerInput } from "../lib/session";
import { ButtonLink, SubmitButton } from "../parts/button";
import { Empty } from "../parts/feedback";
import { Field, Form, HiddenInputs, SelectField } from "../parts/field";
import { Card, Heading } from "../parts/heading";
import { PARCEL, RATE_DEFAULTS, SHIPMENT_TYPES } from "../rates/rate-form";
import type { AddressesData, FormState, Preset, PresetKind } from "../wire";
import { useWords, type Words } from "../words/words";

const KINDS: readonly { kind: PresetKind; title: string; hint: string; add: string }[] = [
  {
    kind: "consignee",
    title: "Receivers",
    hint: "Tick “Save this receiver” when you book, and choose it the next time.",
    add: "Add a receiver",
  },
  {
    kind: "consignor",
    title: "Senders",
    hint: "Tick “Save this sender” when you book.",
    add: "Add a sender",
  },
  {
    kind: "package",
    title: "Packages",
    hint: "Tick “Save this package” when you book.",
    add: "Add a package",
  },
];

type TypedField = ComponentProps<typeof Field> & { name: string };

/** Without their beginning, which names the side. */
const ADDRESS: readonly TypedField[] = [
  { name: "name", label: "Name", required: true },
  { name: "company", label: "Company Name", optional: true },
  { name: "mobile", label: "Mobile", type: "tel", optional: true },
  { name: "email", label: "Email", type: "email", optional: true },
  { name: "address_1", label: "Address Line 1", required: true },
  { name: "address_2", label: "Address Line 2", optional: true },
  { name: "pincode", label: "Pincode" },
];

const DECIMAL = { inputMode: "decimal", short: true } as const;

const PACKAGE: readonly TypedField[] = [
  { name: "description", label: "Product Description", required: true },
  { name: "weight", label: "Weight (kg)", hint: "Per piece", required: true, ...DECIMAL },
  { name: "quantity", label: "Pieces", inputMode: "numeric", short: true, optional: true },
  { name: "length", label: "Length (cm)", optional: true, ...DECIMAL },
  { name: "breadth", label: "Width (cm)", optional: true, ...DECIMAL },
  { name: "height", label: "Height (cm)", optional: true, ...DECIMAL },
  { name: "hsn_code", label: "HSN Code", inputMode: "numeric", optional: true },
];

/**
 * The presets that the customer saved for the booking form. Plain forms: nothing here needs
 * JavaScript, with which the search follows every letter.
 */
export default function Addresses({ data }: { data: AddressesData }) {
  const t = useWords();
  const asked = useSearchParams()[0].get("q") ?? "";
  const [search, setSearch] = useState(asked);
  const sender = data.presets.find((preset) => preset.is_default);
  const refused = (part: string) => (data.part === part ? data.form : null);
  return (
    <>
      <div className="heading-row">
        <Heading>{t("Address Book")}</Heading>
        <ButtonLink kind="quiet" href="/courier?new=1" label="New booking" />
      </div>
      {data.presets.length > 0 && <Search {...{ asked, setSearch }} />}
      {KINDS.map(({ kind, title, hint, add }) => {
        const presets = data.presets.filter((preset) => preset.kind === kind);
        const found = presets.filter((preset) => isFound(preset, search, t));
        return (
          <Card key={kind} title={title}>
            {presets.length === 0 && <Empty title="Nothing saved yet" hint={hint} />}
            {presets.length > 0 && found.length === 0 && (
              <p className="quiet">{t("Nothing found")}</p>
            )}
            {found.length > 0 && (
              <ul className="rows">
                {found.map((preset) => (
                  <Entry key={preset.id} {...{ preset, sender }} form={refused(preset.id)} />
                ))}
              </ul>
            )}
            <details className="disclosure" open={refused(kind) !== null}>
              <summary>{t(add)}</summary>
              <EntryForm kind={kind} form={refused(kind)} />
            </details>
          </Card>
        );
      })}
    </>
  );
}

type SearchProps = {
  /** In the page's address. */
  asked: string;
  setSearch: (search: string) => void;
};

function Search({ asked, setSearch }: SearchProps) {
  useEarlyInput(() => {
    const input = document.getElementById("addresses-q");
    if (input instanceof HTMLInputElement) setSearch(input.value);
  });
  return (
    <Form
      idPrefix="addresses"
      className="search-line"
      method="get"
      action="/addresses"
      role="search"
    >
      <Field
        name="q"
        label="Search your addresses"
        type="search"
        defaultValue={asked}
        autoComplete="off"
        enterKeyHint="search"
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      <SubmitButton label="Search" />
    </Form>
  );
}

function isFound(preset: Preset, search: string, t: Words): boolean {
  const texts = [preset.name, presetLine(preset.kind, preset.fields, t), phoneOf(preset)];
  return texts.join(" ").toLowerCase().includes(search.trim().toLowerCase());
}

function sideOf(kind: PresetKind): string {
  return kind === "consignor" ? "consigner" : "consignee";
}

function phoneOf({ kind, fields }: Preset): string {
  const values: Readonly<Record<string, string | undefined>> = fields;
  return kind === "package" ? "" : (values[`${sideOf(kind)}_mobile`] ?? "");
}

type EntryProps = { preset: Preset; sender: Preset | undefined; form: FormState | null };

function Entry({ preset, sender, form }: EntryProps) {
  const t = useWords();
  const href = `/addresses/${encodeURIComponent(preset.id)}`;
  const number = phoneOf(preset);
  const isRename = form?.values["name"] !== undefined;
  return (
    <li>
      <p>
        <strong>{preset.name}</strong>{" "}
        {preset.is_default && <span className="badge badge-blue">{t("For new bookings")}</span>}
      </p>
      <p className="quiet">{presetLine(preset.kind, preset.fields, t)}</p>
      {number !== "" && (
        <p>
          <a href={telephoneHref(number)} translate="no">
            {phone(number)}
          </a>
        </p>
      )}
      {preset.kind === "consignee" && (
        <form className="actions" method="post" action="/courier">
          <OwnerInput />
          <HiddenInputs
            values={{
              ...RATE_DEFAULTS,
              step: "rate",
              fill: preset.kind,
              "preset-consignee": preset.id,
              "preset-consignor": sender?.id,
            }}
          />
          <SubmitButton label="Book to this address" />
        </form>
      )}
      <details className="disclosure" open={form !== null}>
        <summary>
          {t("Change")}
          <span className="visually-hidden"> {preset.name}</span>
        </summary>
        <div className="form">
          <Form
            idPrefix={`preset-${preset.id}`}
            className="form-line"
            action="/addresses/rename"
            refused={isRename ? form : null}
          >
            <OwnerInput />
            <input type="hidden" name="id" value={preset.id} />
            <Field
              name="name"
              label="Name of the entry"
              required
              defaultValue={isRename ? form.values["name"] : preset.name}
            />
            <SubmitButton label="Rename" />
          </Form>
          <EntryForm kind={preset.kind} preset={preset} form={isRename ? null : form} />
          <div className="actions">
            {preset.kind === "consignor" && !preset.is_default && (
              <form method="post" action={`${href}/default`}>
                <SubmitButton label="Use for new bookings" />
              </form>
            )}
            <form method="post" action={`${href}/delete`}>
              <SubmitButton label="Delete" />
            </form>
          </div>
        </div>
      </details>
    </li>
  );
}

type EntryFormProps = { kind: PresetKind; preset?: Preset; form: FormState | null };

/** A new address or package, or one to be corrected: what it holds besides stays as it is. */
function EntryForm({ kind, preset, form }: EntryFormProps) {
  const stored: Readonly<Record<string, string | undefined>> = preset?.fields ?? {};
  const valueOf = (name: string) => form?.values[name] ?? stored[name] ?? "";
  const isPackage = kind === "package";
  const fields = isPackage
    ? PACKAGE
    : ADDRESS.map((field) => ({ ...field, name: `${sideOf(kind)}_${field.name}` }));
  return (
    <Form idPrefix={`address-${preset?.id ?? kind}`} action="/addresses/save" refused={form}>
      <OwnerInput />
      <HiddenInputs values={{ kind, id: preset?.id }} />
      <div className="fields fields-mixed">
        {fields.map((field) => (
          <Field key={field.name} {...field} defaultValue={valueOf(field.name)} />
        ))}
        {isPackage && (
          <SelectField
            name="shipment_type"
            label="Shipment Type"
            choices={SHIPMENT_TYPES}
            defaultValue={valueOf("shipment_type") || PARCEL}
          />
        )}
      </div>
      <div>
        <SubmitButton label={isPackage ? "Save package" : "Save address"} />
      </div>
    </Form>
  );
}
