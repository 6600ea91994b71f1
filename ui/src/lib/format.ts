/**
 * Rupees, dates and weights as India writes them. Without Intl, which the server's engines lack, as
 * both sides must produce the same bytes.
 */

import type { UiText } from "../words/words";

const IST_OFFSET_MS = 5.5 * 60 * 60 * 1000;
const DAY_MS = 86_400_000;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

export const NOT_AVAILABLE = "N/A";

/** A number as it was sent: whatever else came is "N/A". */
type Sent = number | null | undefined;

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Rupees with two decimals: 1234567.5 gives "₹12,34,567.50". */
export function rupees(amount: Sent): string {
  if (!isNumber(amount)) return NOT_AVAILABLE;
  const paise = Math.round(Math.abs(amount) * 100);
  const whole = groupIndian(String(Math.floor(paise / 100)));
  const sign = amount < 0 && paise > 0 ? "-" : "";
  return `${sign}₹${whole}.${String(paise % 100).padStart(2, "0")}`;
}

/** Rupees without decimals unless there are any: presets and button labels. */
export function rupeesShort(amount: Sent): string {
  return rupees(amount).replace(/\.00$/, "");
}

/** An amount that came in, "+ ₹500.00", or went out, "− ₹158.73". */
export function signedRupees(kind: string | null | undefined, amount: Sent): string {
  if (!isNumber(amount)) return NOT_AVAILABLE;
  return `${kind?.toLowerCase() === "credit" ? "+" : "−"} ${rupees(amount)}`;
}

/** Above a bar of a chart: 123456 gives "₹1.2L", 950 "₹950". */
export function rupeesAbout(amount: Sent): string {
  if (!isNumber(amount)) return NOT_AVAILABLE;
  const [size, letters] = UNITS.find(([size]) => amount >= size) ?? [1, ""];
  return `₹${size === 1 ? Math.round(amount) : Number((amount / size).toPrecision(2))}${letters}`;
}

/** Crores, lakhs and thousands. */
const UNITS: readonly [number, string][] = [
  [10_000_000, "Cr"],
  [100_000, "L"],
  [1_000, "k"],
];

/** Lakh and crore grouping: the last three digits, then pairs. */
function groupIndian(digits: string): string {
  const head = digits.slice(0, -3).replace(/\B(?=(\d\d)+$)/g, ",");
  return head === "" ? digits : `${head},${digits.slice(-3)}`;
}

/** "2026-09-28T16:05" in India; empty for what is no moment. */
function isoTimeInIndia(utc_ms: Sent): string {
  if (!isNumber(utc_ms)) return "";
  // eslint-disable-next-line no-restricted-globals -- A given moment: no clock is read.
  const moment = new Date(utc_ms + IST_OFFSET_MS);
  return Number.isNaN(moment.getTime()) ? "" : moment.toISOString().slice(0, 16);
}

/** "28 Sep 2026" in India. */
export function date(utc_ms: Sent): UiText {
  return dayInWords(dayOf(utc_ms));
}

/** "2026-09-28" as "28 Sep 2026". */
export function dayInWords(day: string): UiText {
  if (!/^\d{4}-(0[1-9]|1[0-2])-\d\d$/.test(day)) return NOT_AVAILABLE;
  return {
    text: `{day} ${monthName(day.slice(0, 7))} {year}`,
    values: { day: Number(day.slice(8)), year: day.slice(0, 4) },
  };
}

/** "28 Sep 2026, 4:05 pm" in India. */
export function dateTime(utc_ms: Sent): UiText {
  const day = date(utc_ms);
  if (typeof day === "string" || !isNumber(utc_ms)) return NOT_AVAILABLE;
  const { hour, minutes, half, part } = clockTime(utc_ms);
  return {
    text: `{date}, {${part}} ${half}`,
    values: { date: day, [part]: `${hour}:${minutes}` },
  };
}

/** The time in India by a clock of twelve hours, and the part of the day, which Hindi names. */
export function clockTime(utc_ms: number) {
  const [hours = "", minutes = ""] = isoTimeInIndia(utc_ms).slice(11).split(":");
  const hour = Number(hours);
  const part = PARTS_OF_DAY.find(([until]) => hour < until)?.[1] ?? "night";
  return { hour: hour % 12 || 12, minutes, half: hour < 12 ? "am" : "pm", part };
}

/** Each with the hour at which it ends. */
const PARTS_OF_DAY: readonly [number, string][] = [
  [4, "night"],
  [12, "morning"],
  [16, "midday"],
  [20, "evening"],
];

/** "2026-09-28" in India. */
export function dayOf(utc_ms: Sent): string {
  return isoTimeInIndia(utc_ms).slice(0, 10);
}

/** The day of the week in India: 0 is a Thursday, as 1 January 1970 was one. */
export function weekday(utc_ms: number): number {
  return Math.floor((utc_ms + IST_OFFSET_MS) / DAY_MS) % 7;
}

/** "2026-11" as "Nov". */
export function monthName(month: string): string {
  return MONTHS[Number(month.slice(5)) - 1] ?? month;
}

/** Grams as kilograms without trailing zeros: 1500 gives "1.5 kg". */
export function grams(value: Sent): UiText {
  return isNumber(value) ? kilograms(value / 1000) : NOT_AVAILABLE;
}

/** "1 day", "4 days". */
export function days(count: Sent): UiText {
  if (!isNumber(count)) return NOT_AVAILABLE;
  return count === 1 ? "1 day" : { text: "{count} days", values: { count } };
}

export function kilograms(weight: string | Sent): UiText {
  const whole = typeof weight === "string" && !/^\d*\.?\d+$/.test(weight) ? null : weight;
  const values = { weight: whole ?? NaN };
  return isNumber(Number(values.weight)) ? { text: "{weight} kg", values } : NOT_AVAILABLE;
}

/** A text, or "N/A" when it is missing or blank. */
export function orNotAvailable(text: string | null | undefined): string {
  return typeof text !== "string" || text.trim() === "" ? NOT_AVAILABLE : text;
}

/** A link that calls a number, however it is grouped. */
export function telephoneHref(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, "")}`;
}

/**
 * An Indian mobile number in two groups, as on labels: "98450 12345"; any other as it stands. The
 * spaces in it do not break.
 */
export function phone(number: string | null | undefined): string {
  const mobile = /^(\+91)?(?:91|0)?([6-9]\d{4})(\d{5})$/;
  const digits = (number ?? "").replace(/[\s().-]/g, "");
  const text = mobile.test(digits) ? digits.replace(mobile, "$1 $2 $3").trim() : number;
  return orNotAvailable(text).replaceAll(" ", "\u00a0");
}

/** A count, or "N/A" when none was sent. */
export function count(number: Sent): string {
  return isNumber(number) ? String(number) : NOT_AVAILABLE;
}

/** "in_transit" gives "In transit". */
export function codeInWords(code: string | null | undefined): string {
  const text = (typeof code === "string" ? code : "").replace(/[_-]+/g, " ").trim().toLowerCase();
  return text === "" ? NOT_AVAILABLE : text.charAt(0).toUpperCase() + text.slice(1);
}
