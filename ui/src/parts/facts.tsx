import type { ReactNode } from "react";

type Props = { items: readonly { label: string; value: ReactNode }[] };

/** Names and their values, as a receipt shows them. */
export function Facts({ items }: Props) {
  return (
    <dl className="facts">
      {items.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
