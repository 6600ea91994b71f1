import { expect, test } from "vitest";
import { SEEN_BOOKINGS_MAX } from "../lib/limits";
import type { Booking } from "../wire";
import { memoryStorage } from "./sample";
import { loadSeenBookings, storeSeenBookings } from "./seen-bookings";

const booking = (awb_number: string) =>
  ({ awb_number, status: "booked", created_at: 1, rate: 5, consignee_name: "Ravi" }) as Booking;

test("the last bookings seen are kept without prices and names", () => {
  const kept = memoryStorage();
  storeSeenBookings(
    Array.from({ length: 30 }, (_, n) => booking(`DK${n}`)),
    7,
    kept,
  );
  const seen = loadSeenBookings(kept);
  expect(seen?.at_ms).toBe(7);
  expect(seen?.bookings).toHaveLength(SEEN_BOOKINGS_MAX);
  expect(seen?.bookings[0]).not.toHaveProperty("rate");
  expect(seen?.bookings[0]).not.toHaveProperty("consignee_name");
});

test("storage that cannot be read counts as nothing seen", () => {
  const kept = memoryStorage();
  for (const text of ["", "{", "[]", '{"at_ms":"x"}', "7"]) {
    kept.setItem("seen-bookings", text);
    expect(loadSeenBookings(kept)).toBeNull();
  }
});
