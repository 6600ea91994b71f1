export type Paper = "label" | "labels-a4" | "invoice" | "credit-note";

/** Where a booking's document is: a plain link, for as long as there is the booking. */
export function paperHref(bookingId: string, paper: Paper): string {
  return `/bookings/${encodeURIComponent(bookingId)}/${paper}.pdf`;
}

/** The wizard with what this booking was made with. */
export function againHref(bookingId: string): string {
  return `/courier?again=${encodeURIComponent(bookingId)}`;
}

/** The documents of a booking in this state, each with its name. What is cancelled is not sent. */
export function papersOf(status: string): readonly (readonly [Paper, string])[] {
  return PAPERS[status.toLowerCase()] ?? BOOKED;
}

/** Whether it can still be taken back: nobody has come for it yet. */
export function isCancellable(status: string): boolean {
  return ["pending", "booked"].includes(status.toLowerCase());
}

const BOOKED = [
  ["label", "Label"],
  ["labels-a4", "A4 labels"],
  ["invoice", "Invoice"],
] as const;
const PAPERS: Readonly<Record<string, readonly (readonly [Paper, string])[]>> = {
  // The courier has not taken it yet.
  pending: [],
  cancelling: [["invoice", "Invoice"]],
  cancelled: [
    ["invoice", "Invoice"],
    ["credit-note", "Credit note"],
  ],
};
