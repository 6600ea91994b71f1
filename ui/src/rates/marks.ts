import type { RateOption } from "../wire";
import { distinctRates } from "./service-name";

export type Mark = "Cheapest" | "Fastest";

/**
 * The marks of each rate, in the order of the rates. Of the fastest the cheapest has the mark; a
 * service without a delivery time is never the fastest.
 */
export function rateMarks(rates: readonly RateOption[]): Mark[][] {
  // One alone, as of a booking that was begun earlier, is compared with nothing.
  if (rates.length < 2) return rates.map(() => []);
  const cheapest = sortRates(rates, "Cheapest")[0];
  const fastest = sortRates(rates, "Fastest").find(({ rate }) => typeof rate.tat_days === "number");
  return rates.map((_rate, index) => {
    const marks: Mark[] = [];
    if (index === cheapest?.index) marks.push("Cheapest");
    if (index === fastest?.index) marks.push("Fastest");
    return marks;
  });
}

/**
 * The services with the cheapest or the fastest first, each at its cheapest offer, and where that
 * is in the list.
 */
export function sortRates(rates: readonly RateOption[], first: Mark) {
  const cost = ({ rate }: { rate: RateOption }) => rate.grand_total_with_gst;
  const time = ({ rate }: { rate: RateOption }) =>
    first === "Fastest" ? (rate.tat_days ?? NEVER) : 0;
  const shown = new Set(distinctRates(rates));
  return rates
    .map((rate, index) => ({ rate, index }))
    .filter(({ rate }) => shown.has(rate))
    .sort((one, other) => time(one) - time(other) || cost(one) - cost(other));
}

/** Days: after any delivery time that a courier tells. */
const NEVER = 10_000;
