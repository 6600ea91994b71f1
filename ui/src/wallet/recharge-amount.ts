import { readRupees } from "../lib/input";
import { RECHARGE_MIN_RUPEES } from "../wire";
import type { UiText } from "../words/words";

/**
 * The amounts that may be recharged. The server has the same rule, and a maximum; tests on both
 * sides read `server/tests/recharge_amounts.json`.
 */

const NOT_WHOLE = "Please enter an amount in whole rupees.";
const TOO_LITTLE = {
  text: "Minimum recharge amount is ₹{rupees}",
  values: { rupees: RECHARGE_MIN_RUPEES },
};

/** The amount typed, 0 for none; null for what is no whole number of rupees. */
export function wholeRupees(text: string): number | null {
  if (text.trim() === "") return 0;
  const rupees = (readRupees(text) ?? NaN) / 100;
  return Number.isInteger(rupees) ? rupees : null;
}

/** Why this amount cannot be recharged. */
export function amountProblem(amount: number | null, minimum: number): UiText | undefined {
  if (amount === null) return NOT_WHOLE;
  return amount < minimum ? TOO_LITTLE : undefined;
}
