import { words } from "../format";

export type BadgeColour = "green" | "blue" | "yellow" | "red" | "grey";

const STATUS_COLOURS: Readonly<Record<string, BadgeColour>> = {
  delivered: "green",
  shipped: "blue",
  in_transit: "blue",
  pending: "yellow",
  processing: "yellow",
  cancelled: "red",
};

/** Specification, section 2: what is not named there is grey. */
export function statusColour(status: string): BadgeColour {
  return (
    STATUS_COLOURS[
      status
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, "_")
    ] ?? "grey"
  );
}

export function StatusBadge({ status }: { status: string }) {
  return <span className={`badge badge-${statusColour(status)}`}>{words(status)}</span>;
}

/** Credit is green, any other movement red. */
export function TypeBadge({ type }: { type: string }) {
  const colour = type.toLowerCase() === "credit" ? "green" : "red";
  return <span className={`badge badge-${colour}`}>{words(type)}</span>;
}
