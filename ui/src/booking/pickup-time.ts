import { clockTime, dayOf, monthName, weekday } from "../lib/format";
import type { PickupLine } from "../wire";
import type { Words } from "../words/words";

/** As `weekday` counts them. */
const WEEKDAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

type Time = Pick<PickupLine, "from_at" | "until_at">;

/** "Thu 26 Nov, 10 am to 1 pm" in the reader's language. Couriers come until some hour pm. */
export function pickupTime(t: Words, { from_at: from, until_at: until }: Time): string {
  const day = dayOf(from);
  const { hour, half } = clockTime(from);
  const text =
    half === "am"
      ? "{weekday} {day} {month}, {from} am to {until} pm"
      : "{weekday} {day} {month}, {from} pm to {until} pm";
  return t(text, {
    weekday: t(WEEKDAYS[weekday(from)] ?? ""),
    day: Number(day.slice(8)),
    month: t(monthName(day.slice(0, 7))),
    from: hour,
    until: clockTime(until).hour,
  });
}
