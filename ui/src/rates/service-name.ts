import type { RateOption } from "../wire";

/**
 * The name of a service as customers see it. Two partners may sell one service, which the server
 * tells apart; a time at the end is when it arrives. The server has the same rule; tests on both
 * sides read `server/tests/service_names.json`.
 */
export function serviceName(name: string): string {
  return name.replace(/ \(partner(?: \d+)?\)$/, "").replace(/ (\d{1,2})[ :.](\d{2})$/, " by $1:$2");
}

/** Of several offers of one service the cheapest, in the order of the list. */
export function distinctRates(rates: readonly RateOption[]): RateOption[] {
  const cheapest = new Map<string, RateOption>();
  for (const rate of rates) {
    const key = serviceKey(rate);
    const best = cheapest.get(key);
    if (best === undefined || rate.grand_total_with_gst < best.grand_total_with_gst) {
      cheapest.set(key, rate);
    }
  }
  return rates.filter((rate) => cheapest.get(serviceKey(rate)) === rate);
}

/** Without capitals, spaces and punctuation: every partner writes them in its own way. */
function serviceKey(rate: RateOption): string {
  return serviceName(rate.product_name)
    .toLowerCase()
    .replace(/[\s!-/:-@[-`{-~]/g, "");
}
