import { SEEN_BOOKINGS_MAX } from "./limits";
import type { Booking } from "./page";

/**
 * The last bookings this device saw, for the offline page. They are gone when somebody logs out.
 */
const KEY = "seen-bookings";

export type SeenBooking = Pick<
  Booking,
  "awb_number" | "consignee_name" | "destination_city" | "status" | "created_at"
>;

export type Seen = { at_ms: number; bookings: SeenBooking[] };

export function rememberSeen(bookings: readonly Booking[], at_ms: number, storage = local()) {
  const few = bookings.slice(0, SEEN_BOOKINGS_MAX).map((booking) => ({
    awb_number: booking.awb_number,
    consignee_name: booking.consignee_name,
    destination_city: booking.destination_city,
    status: booking.status,
    created_at: booking.created_at,
  }));
  try {
    storage?.setItem(KEY, JSON.stringify({ at_ms, bookings: few } satisfies Seen));
  } catch {
    return;
  }
}

/** null when nothing was seen, or nothing that can be read. */
export function lastSeen(storage = local()): Seen | null {
  try {
    const seen = JSON.parse(storage?.getItem(KEY) ?? "null") as Partial<Seen> | null;
    if (typeof seen?.at_ms !== "number" || !Array.isArray(seen.bookings)) return null;
    return { at_ms: seen.at_ms, bookings: seen.bookings };
  } catch {
    return null;
  }
}

export function forgetSeen(storage = local()) {
  try {
    storage?.removeItem(KEY);
  } catch {
    return;
  }
}

/** Storage may be switched off. */
function local(): Storage | null {
  try {
    return typeof localStorage === "undefined" ? null : localStorage;
  } catch {
    return null;
  }
}
