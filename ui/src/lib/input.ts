/**
 * Readers of typed and pasted values, as in `server/core/model/input`. They accept every usual way
 * to write a value and never guess: a text with two meanings is null. Tests on both sides read
 * `server/tests/typed_values.json`.
 */

import words from "../../../server/data/typed_words.json";

/** Distance of a full-width character from its ASCII one (code points). */
const FULL_WIDTH = 0xfee0;

/** The text with ASCII digits, plain spaces and dashes, and without invisible marks. */
export function unmarked(text: string): string {
  return Array.from(text, plainCharacter).join("").trim();
}

/** A number of letters and digits in capitals, without the characters that group them. */
export function readCode(text: string): string {
  const bare = unmarked(text).replace(/[ \-./]/g, "");
  return bare.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** The digits of an Indian PIN code, which may be named as one. */
export function readPin(text: string): string {
  return readCode(text).replace(/^(?:PINCODE|PIN|IN)(?=\d)/, "");
}

function plainCharacter(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  if (/\p{White_Space}/u.test(letter)) return " ";
  if (code < 128) return letter;
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCodePoint(code - FULL_WIDTH);
  // The decimal point and the separator of thousands in Arabic.
  if (letter === "\u066b") return ".";
  if (letter === "\u066c") return ",";
  if (/[\p{Cf}\ufe00-\ufe0f]/u.test(letter)) return "";
  if (/[\p{Pd}\u2212]/u.test(letter)) return "-";
  return /\p{Nd}/u.test(letter) ? asciiDigit(code) : letter;
}

/** Every script has its ten digits in a row from zero. */
function asciiDigit(code: number): string {
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** Paise of an amount of rupees, which may be marked as such: `₹1,000`, `Rs. 500/-`. */
export function readRupees(typed: string): number | null {
  let text = unmarked(typed).toLowerCase();
  text = withoutEnd(text, ["only"]);
  text = withoutEnd(text, ["/-", "/="]);
  const name = words.rupees.find((name) => text.startsWith(name));
  return hundredths(
    name === undefined ? withoutEnd(text, words.rupees) : text.slice(name.length).trimStart(),
  );
}

/** An amount of any currency, in hundredths of it. */
export function readAmount(typed: string): number | null {
  return hundredths(unmarked(typed));
}

/** A third decimal is refused even if it is zero: `1.000` may mean a thousand. */
function hundredths(text: string): number | null {
  const parts = decimalParts(text);
  return parts === null || parts[1].length > 2 ? null : scaled(...parts, 2);
}

/** Grams of a weight. Without a unit it is in kilograms. */
export function readGrams(typed: string): number | null {
  const text = unmarked(typed).toLowerCase();
  if (words.kilograms.some((name) => text.endsWith(name)))
    return measure(withoutEnd(text, words.kilograms), 3);
  const isInGrams = words.grams.some((name) => text.endsWith(name));
  return isInGrams ? measure(withoutEnd(text, words.grams), 0) : measure(text, 3);
}

/** Thousandths of a centimetre. Without a unit it is in centimetres. */
export function readLength(typed: string): number | null {
  const text = unmarked(typed).toLowerCase();
  const isInMillimetres = words.millimetres.some((name) => text.endsWith(name));
  return isInMillimetres
    ? measure(withoutEnd(text, words.millimetres), 2)
    : measure(withoutEnd(text, words.centimetres), 3);
}

/** A whole number without separators. */
export function readCount(typed: string): number | null {
  const text = unmarked(typed);
  return text !== "" && isDigits(text) ? scaled(text, "", 0) : null;
}

function withoutEnd(text: string, ends: readonly string[]): string {
  const end = ends.find((end) => text.endsWith(end)) ?? "";
  return text.slice(0, text.length - end.length).trimEnd();
}

/**
 * A decimal number in units of `10^-places`. One comma is a decimal comma where it cannot separate
 * thousands: before one or two digits, or after a single zero.
 */
function measure(text: string, places: number): number | null {
  const [whole = "", fraction = "", ...others] = text.split(",");
  if (fraction !== "" && others.length === 0 && isDigits(whole) && isDigits(fraction)) {
    if (fraction.length <= 2 || whole === "0") return scaled(whole, fraction, places);
    if (places > 0) return null;
  }
  const parts = decimalParts(text);
  return parts === null ? null : scaled(...parts, places);
}

/** The digits on both sides of the point, without the separators of thousands. */
function decimalParts(text: string): [whole: string, fraction: string] | null {
  const point = text.includes(".") ? text.indexOf(".") : text.length;
  const fraction = text.slice(point + 1);
  const whole = withoutSeparators(text.slice(0, point));
  if (whole === null || !isDigits(fraction) || whole + fraction === "") return null;
  return [whole, fraction];
}

/** Digits that may be grouped: the last three alone, those before in pairs or in threes. */
function withoutSeparators(text: string): string | null {
  const groups = text.split(/[, ]/);
  const [first = "", ...rest] = groups;
  const digits = groups.join("");
  if (!isDigits(digits)) return null;
  if (rest.length === 0) return digits;
  const middle = rest.slice(0, -1);
  const begins = first !== "" && !first.startsWith("0");
  const inPairs = first.length <= 2 && middle.every((group) => group.length === 2);
  const inThrees = first.length <= 3 && middle.every((group) => group.length === 3);
  return begins && rest.at(-1)?.length === 3 && (inPairs || inThrees) ? digits : null;
}

/** Digits before the point, as on the server (count). */
const WHOLE_DIGITS_MAX = 13;

/** A number in units of `10^-places`; null if it has more decimals or is too large. */
function scaled(whole: string, fraction: string, places: number): number | null {
  const figures = whole.replace(/^0+/, "");
  const decimals = withoutZeros(fraction);
  if (figures.length > WHOLE_DIGITS_MAX || decimals.length > places) return null;
  return Number(figures + decimals.padEnd(places, "0"));
}

/** A loop, as `/0+$/` looks again from every zero. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

function isDigits(text: string): boolean {
  return /^\d*$/.test(text);
}

/**
 * A day with a year of four digits as `2026-11-21`: typed so, or as `21/11/2026`, `21 Nov 2026`,
 * `November 21, 2026`. Of two numbers before the year the day comes first, as in India.
 */
export function readDay(typed: string): string | null {
  const parts = unmarked(typed)
    .toLowerCase()
    .split(/[ \-/.,]/);
  const [one = "", two = "", three = "", ...others] = parts.filter((part) => part !== "");
  if (others.length > 0) return null;
  const isYearFirst = /^\d{4}$/.test(one);
  const isMonthFirst = monthByName(one) > 0;
  const year = isYearFirst ? one : three;
  const month = monthNumber(isMonthFirst ? one : two);
  const day = dayNumber(isMonthFirst ? two : isYearFirst ? three : one);
  if (!/^\d{4}$/.test(year) || month === 0 || day > daysOf(Number(year), month)) return null;
  const padded = (number: number) => String(number).padStart(2, "0");
  return day === 0 ? null : `${year}-${padded(month)}-${padded(day)}`;
}

/** 0 for what is no month. */
function monthNumber(text: string): number {
  const number = /^\d{1,2}$/.test(text) ? Number(text) : monthByName(text);
  return number > 12 ? 0 : number;
}

/** A name, or at least its first three letters. */
function monthByName(text: string): number {
  return text.length < 3 ? 0 : words.months.findIndex((name) => name.startsWith(text)) + 1;
}

/** 0 for what is no day. */
function dayNumber(text: string): number {
  const number = text.replace(/(?:st|nd|rd|th)$/, "");
  return /^\d{1,2}$/.test(number) ? Number(number) : 0;
}

function daysOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** The ten digits of an Indian number, mobile or landline. The server knows which ones exist. */
export function readIndian(text: string): string | null {
  const number = dialled(text);
  const prefix = number.startsWith("+91")
    ? "+91"
    : (["0", "91", "091"].find((code) => number.length === 10 + code.length) ?? "");
  if (!number.startsWith(prefix)) return null;
  let national = number.slice(prefix.length);
  if (prefix === "+91" && national.startsWith("0")) national = national.slice(1);
  return /^[1-9]\d{9}$/.test(national) ? national : null;
}

/** The ten digits of an Indian mobile number. */
export function readIndianMobile(text: string): string | null {
  const national = readIndian(text);
  return national !== null && /^[6-9]/.test(national) ? national : null;
}

/** A number of another country, with `+` before its code. The server knows which ones exist. */
export function readAbroad(text: string): string | null {
  const number = dialled(text);
  return /^[+]?\d{7,15}$/.test(number) ? number : null;
}

/** The dialled characters, without those that group digits. `00` means `+`. */
function dialled(text: string): string {
  const bare = unmarked(text)
    .toLowerCase()
    .replace(/[ \-()./]/g, "");
  return bare.replace(/^tel:/, "").replace(/^00/, "+");
}
