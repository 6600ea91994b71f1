import { expect, test } from "vitest";
import cases from "../../../server/tests/eway_bills.json";
import { lacksEwayBill } from "./eway-bill";

/** Value, e-way bill, abroad, papers, warned. The server's tests read the same file. */
const CASES = cases as [string, string, boolean, boolean, boolean][];

test.each(CASES)(
  "goods of %s with e-way bill '%s', abroad %s, papers %s: warned %s",
  (value, bill, abroad, papers, warned) => {
    const shipment_type = papers ? "2" : "1";
    const draft = { shipment_type, invoice_value: value, eway_bill: bill };
    expect(lacksEwayBill(draft, abroad)).toBe(warned);
  },
);
