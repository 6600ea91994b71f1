import { SEEN_BOOKINGS_MAX } from "../lib/limits";
import { attempt } from "../lib/storage";
import type { Booking } from "../wire";

/**
 * The last bookings this device saw, for the offline page, without anybody's name. They are gone
 * when somebody logs out.
 */
const KEY = "seen-bookings";

export type SeenBooking = Pick<
  Booking,
  "awb_number" | "destination_city" | "status" | "created_at"
>;

type SeenBookings = { at_ms: number; bookings: SeenBooking[] };

export function storeSeenBookings(bookings: readonly Booking[], at_ms: number, storage?: Storage) {
  const rows = bookings.slice(0, SEEN_BOOKINGS_MAX).map((booking) => ({
    awb_number: booking.awb_number,
    destination_city: booking.destination_city,
    status: booking.status,
    created_at: booking.created_at,
  }));
  const seen: SeenBookings = { at_ms, bookings: rows };
  attempt(() => (storage ?? localStorage).setItem(KEY, JSON.stringify(seen)));
}

/** null when nothing was seen, or storage cannot be read. */
export function loadSeenBookings(storage?: Storage): SeenBookings | null {
  return attempt(() => {
    const text = (storage ?? localStorage).getItem(KEY);
    const value = JSON.parse(text ?? "null") as Partial<SeenBookings> | null;
    if (typeof value?.at_ms !== "number" || !Array.isArray(value.bookings)) return null;
    return { at_ms: value.at_ms, bookings: value.bookings };
  });
}
