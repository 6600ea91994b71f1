import { orNotAvailable, rupees } from "../lib/format";
import { StatusBadge, TypeBadge } from "../parts/badge";
import { rowId, Day, Table, type Column } from "../parts/table";
import type { Transaction } from "../wire";
import { useWords } from "../words/words";

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
const date: Column<Transaction> = { label: "Date", cell: (row) => <Day at={row.created_at} /> };

const TRANSACTIONS: readonly Column<Transaction>[] = [
  { label: "Transaction ID", cell: (row) => <span className="quiet">{row.id}</span> },
  type,
  amount,
  status,
  { label: "Description", cell: (row) => <About transaction={row} /> },
  date,
  { label: "Balance", numeric: true, cell: (row) => rupees(row.balance_after) },
];

export function TransactionsTableShort({ rows }: { rows: readonly Transaction[] }) {
  const columns = [type, amount, status, date];
  return <Table caption="Recent transactions" columns={columns} rows={rows} rowKey={rowId} />;
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
