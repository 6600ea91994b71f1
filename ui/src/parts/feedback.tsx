import type { ReactNode } from "react";
import { useWords } from "../words/words";
import { ButtonLink } from "./button";
import { Icon } from "./icon";

/** Something went wrong, in a red box where it happened. */
export function ErrorBox({ children }: { children: ReactNode }) {
  return (
    <div className="box box-error" role="alert">
      <Icon name="error" />
      {children}
    </div>
  );
}

export function WarningBox({ children }: { children: ReactNode }) {
  return (
    <div className="box box-warning" role="alert">
      <Icon name="warning" />
      {children}
    </div>
  );
}

/** A quiet remark beside a form or a result. */
export function InfoBox({ children }: { children: ReactNode }) {
  return (
    <div className="box box-info">
      <Icon name="info" />
      {children}
    </div>
  );
}

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
