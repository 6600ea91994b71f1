import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { useWords, type UiText } from "../words/words";
import { Spinner } from "./spinner";

type Kind = "primary" | "plain" | "quiet";

type Props = {
  children: ReactNode;
  kind?: Kind;
  type?: "submit" | "button";
  /** Under way: shows a spinner and takes no second press. */
  busy?: boolean;
  disabled?: boolean;
  wide?: boolean;
  /** The form it sends when it stands outside of it, and what it adds to the form. */
  form?: string;
  name?: string;
  value?: string;
  onClick?: (event: MouseEvent) => void;
};

export function Button({
  children,
  kind = "plain",
  type = "button",
  busy = false,
  disabled = false,
  wide = false,
  ...rest
}: Props) {
  return (
    <button
      className={`button button-${kind}${wide ? " button-wide" : ""}`}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <Spinner />}
      {/* An element of its own: a browser that translates the page replaces its text. */}
      <span>{children}</span>
    </button>
  );
}

type SubmitProps = Omit<Props, "children" | "type"> & { label: UiText };

/** Sends its form. */
export function SubmitButton({ label, ...button }: SubmitProps) {
  const t = useWords();
  return (
    <Button type="submit" {...button}>
      {t(label)}
    </Button>
  );
}

type LinkProps = ComponentProps<"a"> & { label: UiText; kind?: Kind };

/** A link that looks like a button. */
export function ButtonLink({ label, kind = "plain", ...link }: LinkProps) {
  const t = useWords();
  return (
    <a className={kind === "plain" ? "button" : `button button-${kind}`} {...link}>
      {t(label)}
    </a>
  );
}
