type Paper = "label" | "labels-a4" | "invoice" | "credit-note" | "debit-note";

/** The address of a booking's document. It lasts as long as the booking. */
export function paperHref(bookingId: string, paper: Paper): string {
  return `/bookings/${encodeURIComponent(bookingId)}/${paper}.pdf`;
}

/** The page of one booking. */
export function bookingHref(bookingId: string): string {
  return `/bookings/${encodeURIComponent(bookingId)}`;
}

/** The wizard, filled in from this booking. */
export function bookAgainHref(bookingId: string): string {
  return `/courier?again=${encodeURIComponent(bookingId)}`;
}

/**
 * The documents of a booking with this status, each with its name. A cancelled one needs no label.
 */
export function papersOf(status: string): readonly (readonly [Paper, string])[] {
  return PAPERS[String(status).toLowerCase()] ?? BOOKED;
}

/** Until it is picked up. */
export function isCancellable(status: string): boolean {
  return ["pending", "booked"].includes(String(status).toLowerCase());
}

const BOOKED = [
  ["label", "Label"],
  ["labels-a4", "A4 labels"],
  ["invoice", "Invoice"],
] as const;
const PAPERS: Readonly<Record<string, readonly (readonly [Paper, string])[]>> = {
  // The courier has not taken it yet.
  pending: [],
  unknown: [],
  cancelling: [["invoice", "Invoice"]],
  cancelled: [
    ["invoice", "Invoice"],
    ["credit-note", "Credit note"],
  ],
};
