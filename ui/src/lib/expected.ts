import type { UiText } from "../words/words";
import { date, dayOf, weekday } from "./format";

const DAY_MS = 86_400_000;

/** As `weekday` counts them. */
const ON = [
  "Expected on Thursday",
  "Expected on Friday",
  "Expected on Saturday",
  "Expected on Sunday",
  "Expected on Monday",
  "Expected on Tuesday",
  "Expected on Wednesday",
];

/** About when something comes, in words: `today` is yyyy-mm-dd in India. */
export function expectedInWords(utc_ms: number, today: string): UiText {
  const day = dayOf(utc_ms);
  if (day < today) return { text: "It was expected about {date}", values: { date: date(utc_ms) } };
  if (day === today) return "Expected today";
  if (dayOf(utc_ms - DAY_MS) === today) return "Expected tomorrow";
  // A weekday is one of the next six days.
  if (dayOf(utc_ms - 7 * DAY_MS) < today) return ON[weekday(utc_ms)] ?? "";
  return { text: "Expected about {date}", values: { date: date(utc_ms) } };
}
