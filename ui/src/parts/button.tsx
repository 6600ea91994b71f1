import type { ReactNode } from "react";
import { Spinner } from "./feedback";

type Props = {
  children: ReactNode;
  kind?: "primary" | "plain" | "quiet";
  type?: "submit" | "button";
  /** Under way: shows a spinner and takes no second press. */
  busy?: boolean;
  disabled?: boolean;
  wide?: boolean;
  onClick?: () => void;
};

export function Button({
  children,
  kind = "plain",
  type = "button",
  busy = false,
  disabled = false,
  wide = false,
  onClick,
}: Props) {
  return (
    <button
      className={`button button-${kind}${wide ? " button-wide" : ""}`}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      onClick={onClick}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
