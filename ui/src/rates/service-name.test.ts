import { expect, test } from "vitest";
import names from "../../../server/tests/service_names.json";
import type { RateOption } from "../wire";
import { distinctRates, serviceName } from "./service-name";

test.each(names as [string, string][])("%s is shown as %s", (name, shown) => {
  expect(serviceName(name)).toBe(shown);
});

test("of one service the cheaper offer is shown, under its own number", () => {
  const rate = (product_id: number, product_name: string, grand_total_with_gst: number) =>
    ({ product_id, product_name, grand_total_with_gst }) as RateOption;
  const rates = [
    rate(7, "FedEx International Priority (partner)", 4262.34),
    rate(2, "UPS Standard", 5000),
    rate(3, "Fedex International-Priority", 6243.68),
    rate(4, "UPS Express", 7000),
  ];
  expect(distinctRates(rates).map((one) => one.product_id)).toEqual([7, 2, 4]);
  expect(distinctRates([])).toEqual([]);
});
