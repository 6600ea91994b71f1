import type { ReactNode } from "react";
import { useWords } from "../words/words";

type Props = { items: readonly { label: string; value: ReactNode }[] };

/** Names and their values, as a receipt shows them. */
export function Facts({ items }: Props) {
  const t = useWords();
  return (
    <dl className="facts">
      {items.map(({ label, value }) => (
        <div key={label}>
          <dt>{t(label)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
