import type { ReactNode } from "react";
import { useWords } from "../words/words";

type Props = { title: string; open?: boolean; children: ReactNode };

/** A part of a long form that folds away; it works without JavaScript. */
export function Section({ title, open = true, children }: Props) {
  const t = useWords();
  return (
    <details className="folding-section" open={open}>
      <summary>
        <h2>{t(title)}</h2>
      </summary>
      <div className="fields fields-mixed">{children}</div>
    </details>
  );
}
