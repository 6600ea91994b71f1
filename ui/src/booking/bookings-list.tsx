import { useSearchParams } from "react-router";
import { useCurrentPage } from "../lib/current-page";
import { date } from "../lib/format";
import { isFiltered } from "../lib/query";
import { Button, ButtonLink, SubmitButton } from "../parts/button";
import { Empty, ErrorBox } from "../parts/feedback";
import { Heading } from "../parts/heading";
import type { BookingsFound, BookingsList as List } from "../wire";
import { useWords } from "../words/words";
import { BookingRows, CHOSEN_FORM } from "./booking-rows";
import {
  BookingsFilterForm,
  bookingsFilterOf,
  bookingsHref,
  StatusTabs,
  type BookingsFilter,
} from "./bookings-filter";

/** All bookings of the customer: searched, filtered, printed, picked up and cancelled. */
export function BookingsList({ list }: { list: List }) {
  const t = useWords();
  const { loading } = useCurrentPage();
  const [query] = useSearchParams();
  const filter = bookingsFilterOf(query);
  const { found, errors } = list;
  const elsewhere = errors.find(({ path }) => path === "before");
  const count = found.count ?? 0;
  return (
    <>
      <Heading>{t("Bookings")}</Heading>
      {list.refused && <ErrorBox>{t(list.refused)}</ErrorBox>}
      {elsewhere && <ErrorBox>{t(elsewhere.message)}</ErrorBox>}
      <section className="card">
        <BookingsFilterForm
          key={query.toString()}
          filter={filter}
          couriers={found.couriers}
          errors={errors}
        />
        <StatusTabs filter={filter} />
        <div className="stack" aria-busy={loading}>
          {count > 0 && (
            <p className="quiet">
              {count === 1 ? t("1 booking") : t("{count} bookings", { count })}
            </p>
          )}
          <Rows filter={filter} found={found} wrong={errors.length > 0} />
        </div>
      </section>
    </>
  );
}

type RowsProps = { filter: BookingsFilter; found: BookingsFound; wrong: boolean };

function Rows({ filter, found, wrong }: RowsProps) {
  const t = useWords();
  const { results, next, searched_since: since } = found;
  return (
    <>
      {results.length > 0 && (
        <>
          <p className="quiet chosen-hint">
            {t("Tick bookings to print, have picked up or cancel several at once.")}
          </p>
          <BookingRows rows={results} />
        </>
      )}
      {results.length === 0 && !wrong && <NoBookings filter={filter} isFurther={next !== null} />}
      {since !== null && (
        <p className="quiet">
          {t("Looked through your bookings since {date}.", { date: date(since) })}
        </p>
      )}
      {(next !== null || filter.before !== "") && (
        <nav className="actions" aria-label={t("Pages of bookings")}>
          {filter.before !== "" && (
            <ButtonLink href={bookingsHref(filter, {})} label="Newest bookings" />
          )}
          {next !== null && (
            <ButtonLink
              href={bookingsHref(filter, { before: next })}
              rel="next"
              label={since === null ? "Older bookings" : "Look further back"}
            />
          )}
        </nav>
      )}
      {results.length > 0 && <ChosenBar />}
    </>
  );
}

/** An empty list, and what to do next. */
function NoBookings({ filter, isFurther }: { filter: BookingsFilter; isFurther: boolean }) {
  if (!isFiltered(filter)) {
    return (
      <Empty title="No bookings yet" next={{ href: "/courier?new=1", label: "Book a courier" }} />
    );
  }
  return (
    <Empty
      title={isFurther ? "No bookings match so far." : "No bookings match."}
      next={{ href: "/bookings", label: "Clear the search" }}
    />
  );
}

function ChosenBar() {
  const t = useWords();
  return (
    <form id={CHOSEN_FORM} className="action-bar" method="post" action="/bookings">
      <div className="actions">
        <SubmitButton name="do" value="labels" label="Print labels" />
        <SubmitButton name="do" value="pickup" label="Pickup" />
        <Button type="submit" name="do" value="cancel">
          {t("Cancel")}
          <span className="visually-hidden"> {t("bookings")}</span>
        </Button>
      </div>
    </form>
  );
}
