import { expect, test } from "vitest";
import { lacksEwayBill } from "./eway-bill";

test.each([
  ["50000", "", false, false],
  ["50000.01", "", false, true],
  ["₹60,000", "", false, true],
  ["50000.01", "123456789012", false, false],
  ["50000.01", "", true, false],
])("goods of %s with e-way bill '%s', abroad %s: warned %s", (value, bill, abroad, warned) => {
  const draft = { shipment_type: "1", invoice_value: value, eway_bill: bill };
  expect(lacksEwayBill(draft, abroad)).toBe(warned);
});

test("papers need none", () => {
  expect(lacksEwayBill({ shipment_type: "2", invoice_value: "60000" }, false)).toBe(false);
});
