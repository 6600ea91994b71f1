import { PARCEL } from "../rates/rate-form";
import type { Draft } from "./fields";

/** Goods of a higher value need an e-way bill (CGST Rules, rule 138; rupees). */
const EWAY_BILL_ABOVE = 50_000;

/** Goods within India that probably need an e-way bill, and have none yet. */
export function lacksEwayBill(draft: Draft, international: boolean): boolean {
  const { shipment_type, invoice_value = "", eway_bill = "" } = draft;
  const isWanted = shipment_type === PARCEL && Number(invoice_value) > EWAY_BILL_ABOVE;
  return !international && isWanted && eway_bill.trim() === "";
}
