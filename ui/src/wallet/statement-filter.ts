import { valuesOf } from "../lib/query";

/** The filter of the wallet's transactions, under the names of the query. */
export type Filter = { from: string; to: string; type: string };

export const NO_FILTER: Filter = { from: "", to: "", type: "" };

export function filterOf(query: URLSearchParams): Filter {
  return valuesOf(query, ["from", "to", "type"]);
}

/** The kinds a customer can choose among. */
export const KINDS = [
  { value: "", label: "All" },
  { value: "credit", label: "Credits" },
  { value: "debit", label: "Debits" },
  { value: "recharge", label: "Recharges" },
  { value: "booking", label: "Bookings" },
  { value: "refund", label: "Refunds" },
] as const;
