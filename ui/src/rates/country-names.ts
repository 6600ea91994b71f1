import { INDIA_COUNTRY_ID } from "../lib/limits";
import type { Country } from "../wire";

/** Ranks of a match between a typed text and a name, the best first, as in the server's `Fit`. */
const WHOLE = 0;
const BEGINNING = 1;
const LATER_WORD = 2;
const NONE = 3;

/** A short form, such as UK, counts only as a whole. */
const SHORT_FORM_LETTERS = 3;

const COMMON_LAST = 99;

/** The countries abroad, the commonest first. */
export function destinations(countries: readonly Country[]): Country[] {
  const place = ({ common }: Country) => common ?? COMMON_LAST;
  return countries
    .filter(({ country_id }) => country_id !== INDIA_COUNTRY_ID)
    .sort((one, other) => place(one) - place(other));
}

/** The countries that a typed text may mean, the likeliest first; all of them for an empty text. */
export function searchCountries(countries: readonly Country[], text: string): Country[] {
  const typed = words(text).join("");
  if (text.trim() === "") return [...countries];
  return countries
    .map((country) => ({ country, fit: fitOf(country, typed) }))
    .filter(({ fit }) => fit < NONE)
    .sort((one, other) => one.fit - other.fit)
    .map(({ country }) => country);
}

/** The country of exactly this name or code. */
export function countryNamed(countries: readonly Country[], text: string): Country | undefined {
  const typed = words(text).join("");
  return countries.find((country) => fitOf(country, typed) === WHOLE);
}

function fitOf({ country_name, country_code, also }: Country, typed: string): number {
  const names = [country_name, country_code, ...also.split("|")];
  return Math.min(...names.map((name) => fit(words(name), typed)));
}

function fit(name: readonly string[], typed: string): number {
  const whole = name.join("");
  if (typed === "" || whole === "") return NONE;
  if (whole === typed) return WHOLE;
  if (whole.length <= SHORT_FORM_LETTERS) return NONE;
  const begins = (at: number) => name.slice(at).join("").startsWith(typed);
  if (begins(0)) return BEGINNING;
  return name.some((_, at) => begins(at)) ? LATER_WORD : NONE;
}

function words(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
}
