import { nextIn } from "../lib/local-path";
import { searchOf } from "../lib/query";
import { RECHARGE_MIN_RUPEES } from "../wire";

/** A recharge's first amount, and the page that follows it. */
export type TopUpPurpose = {
  /** Whole rupees as digits; empty when nothing was asked for. */
  amount: string;
  /** An address of ours; empty when there is none. */
  next: string;
  /** The missing rupees. */
  short: number | null;
};

/** Reads what `topUpHref` wrote. Anybody can write an address, so nothing odd is taken over. */
export function topUpPurpose(query: URLSearchParams): TopUpPurpose {
  const short = query.get("short") ?? "";
  const amount = query.get("amount") ?? "";
  return {
    amount: /^\d{1,7}$/.test(amount) ? amount : "",
    next: nextIn(query) ?? "",
    short: /^\d{1,7}(\.\d{1,2})?$/.test(short) ? Number(short) : null,
  };
}

/** The rupees by which a balance is short of a price; 0 when it covers it. */
export function missingRupees(balance: number, price: number): number {
  return Math.max(0, Math.round((price - balance) * 100) / 100);
}

/** The smallest recharge that covers it: whole rupees, and no less than the minimum. */
export function topUp(short: number): number {
  return Math.max(RECHARGE_MIN_RUPEES, Math.ceil(short));
}

/** The recharge screen with exactly that amount, and the way back. */
export function topUpHref(short: number, next: string): string {
  return `/recharge${searchOf({ amount: String(topUp(short)), short: String(short), next })}`;
}
