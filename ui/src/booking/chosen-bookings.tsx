import { rupees } from "../lib/format";
import { ButtonLink, SubmitButton } from "../parts/button";
import { StatusBadge } from "../parts/badge";
import { WarningBox } from "../parts/feedback";
import { Heading } from "../parts/heading";
import { ScreenReaderText } from "../parts/unseen";
import {
  CANCEL_DAYS_MAX,
  type ChosenBooking,
  type ChosenBookings as Chosen,
  type ChosenEnd,
} from "../wire";
import { useWords, type UiText } from "../words/words";
import { checkboxName } from "./booking-rows";
import { BY_REQUEST, cancelledText } from "./next-event";
import { bookingHref, paperHref } from "./papers";

const TITLES = {
  cancel: "Cancel bookings?",
  cancelled: "Cancelled bookings",
  labels: "Print labels",
} as const;

/** The bookings that were ticked: asked about once more, or what became of each. */
export function ChosenBookings({ chosen }: { chosen: Chosen }) {
  const t = useWords();
  const open = chosen.bookings.filter(({ end }) => end === null);
  const n = open.length;
  const asks = chosen.wanted === "cancel" && n > 0;
  const prints = chosen.wanted === "labels" && n > 0;
  const sum = open.reduce((all, { booking }) => all + Math.round(booking.amount * 100), 0) / 100;
  return (
    <>
      <Heading>{t(TITLES[chosen.wanted])}</Heading>
      <section className="card">
        <ul className="rows">
          {chosen.bookings.map((one) => (
            <li key={one.booking.id}>
              <ChosenRow one={one} wanted={chosen.wanted} />
            </li>
          ))}
        </ul>
        {chosen.bookings.length === 0 && <p>{t("There is no such booking.")}</p>}
        {asks && (
          <p>{t("Once cancelled, {amount} goes back to your wallet.", { amount: rupees(sum) })}</p>
        )}
        {prints && (
          <WarningBox>
            {t("Not all of these labels can be in one file. Print the others by themselves.")}
          </WarningBox>
        )}
        <form className="actions" method="post" action="/bookings">
          {open.map(({ booking }) => (
            <input key={booking.id} type="hidden" name={checkboxName(booking.id)} value="on" />
          ))}
          {(asks || prints) && (
            <SubmitButton
              kind="primary"
              name="do"
              value={asks ? "cancel-now" : "labels"}
              label={buttonLabel(asks, n)}
            />
          )}
          <ButtonLink href="/bookings" label={asks ? "Keep them" : "Back to bookings"} />
        </form>
      </section>
    </>
  );
}

/** Names the action, for one booking or for several. */
function buttonLabel(asks: boolean, n: number): UiText {
  if (n === 1) return asks ? "Cancel booking" : "Print 1 label";
  return { text: asks ? "Cancel {n} bookings" : "Print {n} labels", values: { n } };
}

function ChosenRow({ one, wanted }: { one: ChosenBooking; wanted: Chosen["wanted"] }) {
  const t = useWords();
  const { booking, end } = one;
  const amount = rupees(booking.amount);
  return (
    <>
      <p className="chosen-line">
        <a className="awb" href={bookingHref(booking.id)}>
          {booking.awb_number || t("Being booked")}
        </a>
        <span>{booking.consignee_name}</span>
        <StatusBadge status={booking.status} />
        <span className="booking-amount">{amount}</span>
      </p>
      {end !== null && (
        <p>
          {end === "cancelled"
            ? t(cancelledText(booking, one.debt_paid))
            : t(RESULTS[end], { days: CANCEL_DAYS_MAX })}
        </p>
      )}
      {end === null && one.by_request && <p>{t(BY_REQUEST)}</p>}
      {end === "couriers_label" && wanted === "labels" && (
        <a href={paperHref(booking.id, "label")} download>
          {t("Print label")}
          <ScreenReaderText>{`${t("of")} ${booking.awb_number}`}</ScreenReaderText>
        </a>
      )}
    </>
  );
}

const RESULTS: Readonly<Record<Exclude<ChosenEnd, "cancelled">, string>> = {
  asked:
    "The courier has not answered yet. We ask until it does; " +
    "then the money goes back to your wallet.",
  requested:
    "Requested: our driver may have fetched it already. We look, " +
    "and your money comes back if it is still with you.",
  too_late: "Not possible: it is with the courier, or older than {days} days.",
  later: "Nothing was done now. Please try again in a minute.",
  couriers_label: "This label is the courier’s own file.",
  not_yet: "No label yet: the courier has not confirmed this booking.",
  no_label: "No label: this booking is being cancelled, or was.",
};
