import { Logo } from "./logo";

/** Our own courier, and the names of its services. */
const OURS = /^dakiya\b/i;

/** A courier's letters in a quiet frame beside its name; our own logo for our couriers. */
export function CourierMark({ name }: { name: string }) {
  const isOurs = OURS.test(name.trim());
  return (
    <span
      className="courier-mark"
      data-initials={isOurs ? undefined : initials(name)}
      aria-hidden="true"
    >
      {isOurs && <Logo />}
    </span>
  );
}

const SHORT_CHARS_MAX = 4;

/** Of two words their first letters, of one its first two; a short name whole. */
export function initials(name: string): string {
  const [first = "", second = ""] = name.trim().split(/[\s_-]+/);
  const isShort = first.length <= SHORT_CHARS_MAX;
  const one = isShort ? first : first.slice(0, 2);
  const letters = second === "" ? one : first.slice(0, 1) + second.slice(0, 1);
  return letters.toUpperCase();
}
