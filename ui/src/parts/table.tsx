import type { ReactNode } from "react";
import { date } from "../lib/format";
import { TranslatedText, useWords } from "../words/words";

export type Column<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  /** Amounts and counts: right-aligned in figures of equal width. */
  numeric?: boolean;
  /**
   * Where it stands in a row of two lines, on a phone or a tablet: the first line begins with the
   * lead and ends with the value, the second has notes, with their names or without, and an end.
   * Wide is only for a table in columns.
   */
  at?: "lead" | "value" | "note" | "named" | "end" | "wide";
};

type Props<Row> = {
  /** Said to screen readers before the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
};

/**
 * A table. On a phone or a tablet a row becomes two lines if its columns say where they stand in
 * them, else a card with each value beside its column's name.
 */
export function Table<Row>({ caption, columns, rows, rowKey }: Props<Row>) {
  const t = useWords();
  const hasLines = columns.some(({ at }) => at !== undefined && at !== "wide");
  return (
    <div className="table-frame">
      <table className={hasLines ? "table table-lines" : "table table-cards"}>
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
              {columns.map(({ label, numeric = false, at, cell }) => (
                <td
                  key={label}
                  className={
                    at !== undefined && numeric
                      ? `numeric cell-${at}`
                      : at !== undefined
                        ? `cell-${at}`
                        : numeric
                          ? "numeric"
                          : undefined
                  }
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
export function Day({ at }: { at: number | null | undefined }) {
  return (
    <span className="one-line">
      <TranslatedText text={date(at)} />
    </span>
  );
}

export function rowId(row: { id: string }): string {
  return row.id;
}
