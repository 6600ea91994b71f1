import { orNotAvailable, rupees, signedRupees } from "../lib/format";
import { StatusBadge, TypeBadge } from "../parts/badge";
import { rowId, Day, Table, type Column } from "../parts/table";
import type { Transaction } from "../wire";
import { useWords } from "../words/words";

const about: Column<Transaction> = {
  label: "Description",
  at: "lead",
  cell: (row) => <About transaction={row} />,
};
const type: Column<Transaction> = {
  label: "Type",
  at: "wide",
  cell: (row) => <TypeBadge type={row.transaction_type} />,
};
const amount: Column<Transaction> = {
  label: "Amount",
  numeric: true,
  at: "value",
  cell: (row) => signedRupees(row.transaction_type, row.amount),
};
const status: Column<Transaction> = {
  label: "Status",
  at: "end",
  cell: (row) => <StatusBadge status={row.status} />,
};
const date: Column<Transaction> = {
  label: "Date",
  at: "note",
  cell: (row) => <Day at={row.created_at} />,
};

const RECENT: readonly Column<Transaction>[] = [about, type, amount, status, date];

const TRANSACTIONS: readonly Column<Transaction>[] = [
  ...RECENT,
  { label: "Balance", numeric: true, at: "named", cell: (row) => rupees(row.balance_after) },
  {
    label: "Transaction ID",
    at: "wide",
    cell: (row) => <span className="quiet transaction-id">{orNotAvailable(row.id)}</span>,
  },
];

export function TransactionsTableShort({ rows }: { rows: readonly Transaction[] }) {
  return <Table caption="Recent transactions" columns={RECENT} rows={rows} rowKey={rowId} />;
}

export function TransactionsTable({ rows }: { rows: readonly Transaction[] }) {
  return <Table caption="Transactions" columns={TRANSACTIONS} rows={rows} rowKey={rowId} />;
}

/** The purpose of the money, as a link to the payment or the shipment. */
function About({ transaction }: { transaction: Transaction }) {
  const t = useWords();
  const { description, link, receipt } = transaction;
  const text = t(orNotAvailable(description));
  return (
    <span className="cell-parts">
      {link === null ? text : <a href={link}>{t(text)}</a>}
      {receipt !== null && (
        <a href={receipt} download>
          {t("Receipt")}
        </a>
      )}
    </span>
  );
}
