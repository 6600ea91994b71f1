import { date, dateTime, weekday } from "../lib/format";
import type { PickupLine } from "../wire";
import type { Words } from "../words/words";

/** As `weekday` counts them. */
const WEEKDAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

type Time = Pick<PickupLine, "from_at" | "until_at">;

/** "Thu, 26 Nov, 10 am to 1 pm" in the reader's language. Couriers come until some hour pm. */
export function pickupTime(t: Words, { from_at: from, until_at: until }: Time): string {
  const [day = "", month = ""] = date(from).split(" ");
  const [begin, end] = [hourOf(from), hourOf(until)];
  const isEarly = dateTime(from).endsWith(" am");
  const hours = isEarly ? t(`${begin} am to ${end} pm`) : t(`${begin} pm to ${end} pm`);
  return `${t(WEEKDAYS[weekday(from)] ?? "")}, ${day} ${t(month)}, ${hours}`;
}

/** "4" of "28 Sep 2026, 4:00 pm". */
function hourOf(utc_ms: number): string {
  return dateTime(utc_ms).replace(/^.*, /, "").replace(/:.*$/, "");
}
