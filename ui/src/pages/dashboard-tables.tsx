import {
  dateOrNotAvailable,
  kilograms,
  orNotAvailable,
  rupees,
  rupeesOrNotAvailable,
} from "../format";
import type { Booking, Transaction } from "../page";
import { StatusBadge, TypeBadge } from "../parts/badge";
import { Table, type Column } from "../parts/table";

const awb: Column<Booking> = {
  label: "AWB",
  cell: (row) =>
    row.awb_number ? (
      <a href={`/track/${encodeURIComponent(row.awb_number)}`}>{row.awb_number}</a>
    ) : (
      orNotAvailable(null)
    ),
};
const recipient: Column<Booking> = {
  label: "Recipient",
  cell: (row) => orNotAvailable(row.consignee_name),
};
const bookingStatus: Column<Booking> = {
  label: "Status",
  cell: (row) => <StatusBadge status={row.status} />,
};
const booked: Column<Booking> = {
  label: "Date",
  cell: (row) => day(row.booking_date ?? row.created_at),
};

const RECENT_BOOKINGS: readonly Column<Booking>[] = [
  awb,
  recipient,
  { label: "Destination", cell: (row) => orNotAvailable(row.consignee_pincode) },
  { label: "Amount", numeric: true, cell: (row) => rupeesOrNotAvailable(row.rate) },
  bookingStatus,
  booked,
];

const BOOKINGS: readonly Column<Booking>[] = [
  awb,
  recipient,
  { label: "From", cell: (row) => orNotAvailable(row.origin_city || row.origin) },
  { label: "To", cell: (row) => orNotAvailable(row.destination_city || row.destination) },
  { label: "Weight", numeric: true, cell: (row) => kilograms(row.weight) },
  { label: "Amount", numeric: true, cell: (row) => rupeesOrNotAvailable(row.amount) },
  bookingStatus,
  booked,
];

const type: Column<Transaction> = {
  label: "Type",
  cell: (row) => <TypeBadge type={row.transaction_type} />,
};
const amount: Column<Transaction> = {
  label: "Amount",
  numeric: true,
  cell: (row) => rupees(row.amount),
};
const status: Column<Transaction> = {
  label: "Status",
  cell: (row) => <StatusBadge status={row.status} />,
};
const made: Column<Transaction> = { label: "Date", cell: (row) => day(row.created_at) };

const RECENT_TRANSACTIONS: readonly Column<Transaction>[] = [type, amount, status, made];

const TRANSACTIONS: readonly Column<Transaction>[] = [
  { label: "Transaction ID", cell: (row) => <span className="quiet">{row.id}</span> },
  type,
  amount,
  status,
  { label: "Description", cell: (row) => <About transaction={row} /> },
  made,
  { label: "Balance", numeric: true, cell: (row) => rupees(row.balance_after) },
];

/** What the money was for, leading to the payment or the shipment. */
function About({ transaction }: { transaction: Transaction }) {
  const { description, link, receipt } = transaction;
  const text = orNotAvailable(description);
  return (
    <span className="about">
      {link === null ? text : <a href={link}>{text}</a>}
      {receipt !== null && (
        <a href={receipt} download>
          Receipt
        </a>
      )}
    </span>
  );
}

export function BookingsTableShort({ rows }: { rows: readonly Booking[] }) {
  return <Table caption="Recent bookings" columns={RECENT_BOOKINGS} rows={rows} rowKey={id} />;
}

export function BookingsTable({ rows }: { rows: readonly Booking[] }) {
  return <Table caption="Bookings" columns={BOOKINGS} rows={rows} rowKey={id} />;
}

export function TransactionsTableShort({ rows }: { rows: readonly Transaction[] }) {
  return (
    <Table caption="Recent transactions" columns={RECENT_TRANSACTIONS} rows={rows} rowKey={id} />
  );
}

export function TransactionsTable({ rows }: { rows: readonly Transaction[] }) {
  return <Table caption="Transactions" columns={TRANSACTIONS} rows={rows} rowKey={id} />;
}

/** A date stays in one line. */
function day(utc_ms: number | null) {
  return <span className="whole">{dateOrNotAvailable(utc_ms)}</span>;
}

function id(row: { id: string }): string {
  return row.id;
}
