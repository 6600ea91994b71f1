import { useState, type ReactNode, type ToggleEvent } from "react";
import { useWords } from "../words/words";

type Props = {
  title: string;
  /** A summary, for while it is closed. */
  line?: string;
  open: boolean;
  /** The names of what is wrong in it now: another list opens it. */
  wrong: string;
  children: ReactNode;
};

/** A part of a long form that folds away; it works without JavaScript. */
export function Section({ title, line, open, wrong, children }: Props) {
  const t = useWords();
  return (
    <details className="folding-section" {...useFold(open, wrong)}>
      <summary>
        <span>
          <h2>{t(title)}</h2>
          {line !== undefined && <span className="fold-line">{line}</span>}
        </span>
        {line !== undefined && <span className="fold-change">{t("Change")}</span>}
      </summary>
      <div className="fields fields-mixed">{children}</div>
    </details>
  );
}

/** The fields of a section that only some customers need. */
export function Fold({ title, line, open, wrong, children }: Props) {
  const t = useWords();
  return (
    <details className="disclosure fold" {...useFold(open, wrong)}>
      <summary>
        {t(title)}
        {line !== undefined && <span className="quiet">{`: ${line}`}</span>}
      </summary>
      <div className="fields fields-mixed">{children}</div>
    </details>
  );
}

/** Opens by itself when something in it turns out to be wrong, and stays so until it is closed. */
function useFold(openAtFirst: boolean, wrong: string) {
  const [open, setOpen] = useState(openAtFirst);
  const [known, setKnown] = useState(wrong);
  if (wrong !== known) {
    setKnown(wrong);
    if (wrong !== "") setOpen(true);
  }
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) =>
    setOpen(currentTarget.open);
  return { open, onToggle };
}
