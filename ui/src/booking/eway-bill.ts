import { readRupees } from "../lib/input";
import { PARCEL } from "../rates/rate-form";
import { EWAY_BILL_ABOVE_PAISE } from "../wire";
import type { Draft } from "./fields";

/** Goods within India that probably need an e-way bill, and have none yet. */
export function lacksEwayBill(draft: Draft, international: boolean): boolean {
  const { shipment_type, invoice_value = "", eway_bill = "" } = draft;
  const isValuable = (readRupees(invoice_value) ?? 0) > EWAY_BILL_ABOVE_PAISE;
  return !international && shipment_type === PARCEL && isValuable && eway_bill.trim() === "";
}
