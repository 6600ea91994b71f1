import type { RateOption } from "../wire";

export type Mark = "Cheapest" | "Fastest";

/**
 * The marks of each rate, in the order of the rates. Of the fastest the cheapest has the mark; a
 * service without a delivery time is never the fastest.
 */
export function rateMarks(rates: readonly RateOption[]): Mark[][] {
  const cost = (rate: RateOption) => rate.grand_total_with_gst;
  const time = (rate: RateOption) => rate.tat_days ?? Infinity;
  const cheapest = bestRate(rates, (one, other) => cost(one) - cost(other));
  const fastest = bestRate(
    rates.filter((rate) => rate.tat_days !== null),
    (one, other) => time(one) - time(other) || cost(one) - cost(other),
  );
  return rates.map((rate) => {
    const marks: Mark[] = [];
    if (rate === cheapest) marks.push("Cheapest");
    if (rate === fastest) marks.push("Fastest");
    return marks;
  });
}

/** The rates with the cheapest or the fastest first, and where each is in the list. */
export function sortRates(rates: readonly RateOption[], first: Mark) {
  const cost = ({ rate }: { rate: RateOption }) => rate.grand_total_with_gst;
  const time = ({ rate }: { rate: RateOption }) =>
    first === "Fastest" ? (rate.tat_days ?? NEVER) : 0;
  return rates
    .map((rate, index) => ({ rate, index }))
    .sort((one, other) => time(one) - time(other) || cost(one) - cost(other));
}

/** Days: after any delivery time that a courier tells. */
const NEVER = 10_000;

function bestRate(
  rates: readonly RateOption[],
  order: (one: RateOption, other: RateOption) => number,
) {
  return [...rates].sort(order)[0];
}
