export type IconName =
  | "dashboard"
  | "courier"
  | "calculate"
  | "track"
  | "wallet"
  | "bookings"
  | "addresses"
  | "help"
  | "logout"
  | "account"
  | "menu"
  | "warning"
  | "success"
  | "nothing"
  | "to-do";

/** A picture beside words that say the same; a screen reader hears the words alone. */
export function Icon({ name }: { name: IconName }) {
  return <span className={`icon icon-${name}`} aria-hidden="true" />;
}
