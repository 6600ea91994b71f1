import type { ReactNode } from "react";
import { dateOrNotAvailable } from "../lib/format";
import { TranslatedText, useWords } from "../words/words";

export type Column<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  /** Amounts and counts: right-aligned in figures of equal width. */
  numeric?: boolean;
};

type Props<Row> = {
  /** Said to screen readers before the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
};

/**
 * A table that becomes one card a row on a phone, each value with its column's name. On a tablet it
 * scrolls sideways within its card.
 */
export function Table<Row>({ caption, columns, rows, rowKey }: Props<Row>) {
  const t = useWords();
  return (
    <div className="table-frame">
      <table className="table">
        <caption className="visually-hidden">{t(caption)}</caption>
        <thead>
          <tr>
            {columns.map(({ label, numeric = false }) => (
              <th key={label} scope="col" className={numeric ? "numeric" : undefined}>
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ label, numeric = false, cell }) => (
                <td
                  key={label}
                  className={numeric ? "numeric" : undefined}
                  translate={numeric ? "no" : undefined}
                  data-label={t(label)}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A date in a cell: it stays in one line. */
export function Day({ at }: { at: number | null }) {
  return (
    <span className="one-line">
      <TranslatedText text={dateOrNotAvailable(at)} />
    </span>
  );
}

export function rowId(row: { id: string }): string {
  return row.id;
}
