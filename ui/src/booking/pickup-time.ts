import { clockTime, dayOf, monthName, weekday } from "../lib/format";
import type { PickupLine } from "../wire";
import type { Words } from "../words/words";

/** As `weekday` counts them. */
const WEEKDAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

type Time = Pick<PickupLine, "from_at" | "until_at">;

/** "Thu, 26 Nov, 10 am to 1 pm" in the reader's language. Couriers come until some hour pm. */
export function pickupTime(t: Words, { from_at: from, until_at: until }: Time): string {
  const day = dayOf(from);
  const [begin, end] = [clockTime(from), clockTime(until)];
  // English names no part of the day; Hindi has a text for each.
  const hours = t(`{${begin.part}} ${begin.half} to {until_${end.part}} pm`, {
    [begin.part]: begin.hour,
    [`until_${end.part}`]: end.hour,
  });
  const month = t(monthName(day.slice(0, 7)));
  return `${t(WEEKDAYS[weekday(from)] ?? "")}, ${Number(day.slice(8))} ${month}, ${hours}`;
}
