import { rupees } from "../lib/format";
import { StatusBadge } from "../parts/badge";
import { Menu } from "../parts/menu";
import { Day } from "../parts/table";
import { ScreenReaderText } from "../parts/unseen";
import { serviceName } from "../rates/service-name";
import type { Booking } from "../wire";
import { useWords } from "../words/words";
import { bookAgainHref, bookingHref, isCancellable, paperHref, papersOf } from "./papers";
import { pickupShort } from "./pickup-words";

/** The form that the list's checkboxes belong to. */
export const CHOSEN_FORM = "chosen-bookings";

/** A booking that is ticked, under the name that the server reads. */
export const checkboxName = (id: string) => `booking-${id}`;

/** Bookings, each a line; on a phone a card of a few lines. */
export function BookingRows({ rows }: { rows: readonly Booking[] }) {
  return (
    <ul>
      {rows.map((row) => (
        <BookingRow key={row.id} booking={row} />
      ))}
    </ul>
  );
}

function BookingRow({ booking }: { booking: Booking }) {
  const t = useWords();
  const { id, awb_number: awb, consignee_name: name, status } = booking;
  const city = booking.destination_city || booking.destination;
  const hasLabel = papersOf(status).some(([paper]) => paper === "label");
  const called = awb || name;
  return (
    <li className="booking-row">
      <span className="booking-tick">
        <input type="checkbox" id={`tick-${id}`} name={checkboxName(id)} form={CHOSEN_FORM} />
        <label className="visually-hidden" htmlFor={`tick-${id}`}>
          {t("Choose")} {called}
        </label>
      </span>
      <a className="awb booking-awb" href={bookingHref(id)} translate="no">
        {awb || t("Being booked")}
      </a>
      <span className="booking-to">
        {name}
        {city && <span className="quiet">, {city}</span>}
      </span>
      <span className="booking-status">
        <StatusBadge status={status} />
      </span>
      <span className="booking-courier quiet">
        {serviceName(booking.product_name)}
        {booking.pickup && <span className="booking-pickup">{pickupShort(t, booking.pickup)}</span>}
      </span>
      <span className="booking-date quiet">
        <Day at={booking.booking_date} />
      </span>
      <span className="booking-amount">{rupees(booking.amount)}</span>
      <div className="booking-acts">
        {hasLabel && (
          <a className="button" href={paperHref(id, "label")} download>
            {t("Print label")}
            <ScreenReaderText>{`${t("of")} ${called}`}</ScreenReaderText>
          </a>
        )}
        <Menu
          label={
            <>
              {t("More")}
              <ScreenReaderText>{called}</ScreenReaderText>
            </>
          }
        >
          <RowMenu booking={booking} />
        </Menu>
      </div>
    </li>
  );
}

function RowMenu({ booking }: { booking: Booking }) {
  const t = useWords();
  const { id, awb_number: awb, status } = booking;
  return (
    <>
      <a href={bookingHref(id)}>{t("View booking")}</a>
      {papersOf(status)
        .filter(([paper]) => paper !== "label")
        .map(([paper, name]) => (
          <a key={paper} href={paperHref(id, paper)} download>
            {t(name)}
          </a>
        ))}
      <a href={bookAgainHref(id)}>{t("Book again")}</a>
      {awb !== "" && <a href={`/track/${encodeURIComponent(awb)}`}>{t("Track")}</a>}
      {isCancellable(status) && (
        <form method="post" action="/bookings">
          <input type="hidden" name={checkboxName(id)} value="on" />
          <button type="submit" name="do" value="cancel">
            {t("Cancel")}
          </button>
        </form>
      )}
    </>
  );
}
