import type { ReactNode } from "react";
import { useWords } from "../words/words";
import { ButtonLink } from "./button";
import { Icon } from "./icon";

function box(kind: "error" | "warning" | "info") {
  return function Box({ children }: { children: ReactNode }) {
    return (
      <div
        className={`box box-${kind}`}
        role={kind === "info" ? undefined : "alert"}
        // A form's summary of errors takes the focus.
        tabIndex={kind === "error" ? -1 : undefined}
      >
        <Icon name={kind} />
        {children}
      </div>
    );
  };
}

/** Something went wrong, in a red box where it happened. */
export const ErrorBox = box("error");

export const WarningBox = box("warning");

/** A quiet remark beside a form or a result. */
export const InfoBox = box("info");

type EmptyProps = {
  title: string;
  hint?: string;
  /** A link to a page that would fill it. */
  next?: { href: string; label: string };
};

/** The place of a list that has nothing in it. */
export function Empty({ title, hint, next }: EmptyProps) {
  const t = useWords();
  return (
    <div className="empty">
      <Icon name="nothing" />
      <p className="empty-title">{t(title)}</p>
      {hint !== undefined && <p className="empty-hint">{t(hint)}</p>}
      {next !== undefined && <ButtonLink href={next.href} label={next.label} />}
    </div>
  );
}
