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

/**
 * Reads what `topUpHref` wrote. Anybody can write an address, so nothing odd is taken over. A debt
 * is paid first, so the top-up covers the owed rupees too.
 */
export function topUpPurpose(query: URLSearchParams, owed = 0): TopUpPurpose {
  const given = query.get("short") ?? "";
  const amount = query.get("amount") ?? "";
  const short = /^\d{1,7}(\.\d{1,2})?$/.test(given) ? Number(given) : null;
  const isTopUp = short !== null && amount === String(topUp(short));
  const withDebt = isTopUp ? String(topUp(missingRupees(-owed, short))) : amount;
  return {
    amount: /^\d{1,7}$/.test(withDebt) ? withDebt : "",
    next: nextIn(query) ?? "",
    short,
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
