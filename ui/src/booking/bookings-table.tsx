import { kilograms, orNotAvailable, rupees } from "../lib/format";
import { StatusBadge } from "../parts/badge";
import { SubmitButton } from "../parts/button";
import { ScreenReaderText } from "../parts/unseen";
import { rowId, Day, Table, type Column } from "../parts/table";
import type { Booking } from "../wire";
import { TranslatedText, useWords } from "../words/words";
import { bookAgainHref, bookingHref, isCancellable, paperHref, papersOf } from "./papers";

const awb: Column<Booking> = {
  label: "AWB",
  at: "lead",
  cell: (row) =>
    row.awb_number ? (
      <a className="awb" href={bookingHref(row.id)} translate="no">
        {row.awb_number}
      </a>
    ) : (
      orNotAvailable(null)
    ),
};
const recipient: Column<Booking> = {
  label: "Recipient",
  at: "note",
  cell: (row) => orNotAvailable(row.consignee_name),
};
const bookingStatus: Column<Booking> = {
  label: "Status",
  at: "end",
  cell: (row) => <StatusBadge status={row.status} />,
};
const bookedOnColumn: Column<Booking> = {
  label: "Date",
  at: "note",
  cell: (row) => <Day at={row.booking_date ?? row.created_at} />,
};

const amount: Column<Booking> = {
  label: "Amount",
  numeric: true,
  at: "value",
  cell: (row) => rupees(row.amount),
};

const RECENT_BOOKINGS: readonly Column<Booking>[] = [
  awb,
  recipient,
  {
    label: "Destination Pincode",
    at: "wide",
    cell: (row) => orNotAvailable(row.consignee_pincode),
  },
  amount,
  bookingStatus,
  bookedOnColumn,
];

const BOOKINGS: readonly Column<Booking>[] = [
  { label: "AWB", at: "lead", cell: (row) => <Papers booking={row} /> },
  recipient,
  { label: "From", at: "wide", cell: (row) => orNotAvailable(row.origin_city || row.origin) },
  {
    label: "To",
    at: "wide",
    cell: (row) => orNotAvailable(row.destination_city || row.destination),
  },
  {
    label: "Weight",
    numeric: true,
    at: "wide",
    cell: (row) => <TranslatedText text={kilograms(row.weight)} />,
  },
  amount,
  bookingStatus,
  bookedOnColumn,
];

/** The AWB and the documents. A screen reader may read a link alone: it names its booking. */
function Papers({ booking }: { booking: Booking }) {
  const t = useWords();
  return (
    <div className="cell-parts papers">
      <span className="one-line">{awb.cell(booking)}</span>
      <span className="cell-parts">
        {papersOf(booking.status).map(([paper, name]) => (
          <a key={paper} href={paperHref(booking.id, paper)} download>
            {t(name)}
            <ScreenReaderText>{`${t("of")} ${booking.awb_number}`}</ScreenReaderText>
          </a>
        ))}
        <a href={bookAgainHref(booking.id)}>
          {t("Book again")}
          <ScreenReaderText>{`${t("like")} ${booking.awb_number}`}</ScreenReaderText>
        </a>
      </span>
      {isCancellable(booking.status) && <Cancel booking={booking} />}
    </div>
  );
}

/** Asks before it cancels a booking; a plain form, so that it works without JavaScript. */
function Cancel({ booking }: { booking: Booking }) {
  const t = useWords();
  return (
    <details className="disclosure">
      <summary>
        {t("Cancel")}
        <ScreenReaderText>{`${t("booking")} ${booking.awb_number}`}</ScreenReaderText>
      </summary>
      <form method="post" action={`/bookings/${encodeURIComponent(booking.id)}/cancel`}>
        <p>
          {t("Once cancelled, {amount} goes back to your wallet.", {
            amount: rupees(booking.amount),
          })}
        </p>
        <SubmitButton label="Cancel booking" />
      </form>
    </details>
  );
}

export function BookingsTableShort({ rows }: { rows: readonly Booking[] }) {
  return <Table caption="Recent bookings" columns={RECENT_BOOKINGS} rows={rows} rowKey={rowId} />;
}

export function BookingsTable({ rows }: { rows: readonly Booking[] }) {
  return <Table caption="Bookings" columns={BOOKINGS} rows={rows} rowKey={rowId} />;
}
