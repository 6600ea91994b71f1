import { codeInWords } from "../lib/format";
import { useWords } from "../words/words";

type BadgeColour = "green" | "blue" | "yellow" | "red" | "grey";

const STATUS_COLOURS: Readonly<Record<string, BadgeColour>> = {
  delivered: "green",
  shipped: "blue",
  in_transit: "blue",
  pending: "yellow",
  processing: "yellow",
  cancelled: "red",
  exception: "red",
  lost: "red",
  damaged: "red",
  destroyed: "red",
  disposed_of: "red",
  untraceable: "red",
};

/** A status without a colour of its own is grey. */
export function statusColour(status: string | null | undefined): BadgeColour {
  const name = String(status)
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return STATUS_COLOURS[name] ?? "grey";
}

export function StatusBadge({ status }: { status: string }) {
  const t = useWords();
  return <span className={`badge badge-${statusColour(status)}`}>{t(codeInWords(status))}</span>;
}

/** Credit is green, any other transaction red. */
export function typeColour(type: string | null | undefined): BadgeColour {
  return String(type).toLowerCase() === "credit" ? "green" : "red";
}

export function TypeBadge({ type }: { type: string }) {
  const t = useWords();
  return <span className={`badge badge-${typeColour(type)}`}>{t(codeInWords(type))}</span>;
}
