import { readRupees } from "../lib/input";
import { PARCEL } from "../rates/rate-form";
import type { Draft } from "./fields";

/** Goods of a higher value need an e-way bill (CGST Rules, rule 138). */
const EWAY_BILL_ABOVE_PAISE = 5_000_000;

/** Goods within India that probably need an e-way bill, and have none yet. */
export function lacksEwayBill(draft: Draft, international: boolean): boolean {
  const { shipment_type, invoice_value = "", eway_bill = "" } = draft;
  const paise = readRupees(invoice_value) ?? 0;
  const isWanted = shipment_type === PARCEL && paise > EWAY_BILL_ABOVE_PAISE;
  return !international && isWanted && eway_bill.trim() === "";
}
