import { expect, test } from "vitest";
import { topUpPurpose, missingRupees, topUp, topUpHref } from "./top-up";

test("a top-up covers what is short in whole rupees, and is never below the minimum", () => {
  for (const [balance, price, short, amount] of [
    [0, 163.46, 163.46, 164],
    [163.45, 163.46, 0.01, 10],
    [100, 263, 163, 163],
    [0.1, 0.3, 0.2, 10],
    [500, 500, 0, 10],
    [600, 500, 0, 10],
  ] as const) {
    expect(missingRupees(balance, price)).toBe(short);
    expect(topUp(missingRupees(balance, price))).toBe(amount);
  }
});

test("the address says what is missing and where to go on", () => {
  const href = topUpHref(163.46, "/courier?resume=1");
  expect(href).toBe("/recharge?amount=164&short=163.46&next=%2Fcourier%3Fresume%3D1");
  expect(topUpPurpose(new URLSearchParams(href.split("?")[1]))).toEqual({
    amount: "164",
    next: "/courier?resume=1",
    short: 163.46,
  });
});

test("a top-up covers what is owed too, and a chosen amount stays", () => {
  const query = new URLSearchParams({ amount: "164", short: "163.46" });
  expect(topUpPurpose(query, 0.54).amount).toBe("164");
  expect(topUpPurpose(query, 158.73).amount).toBe("323");
  query.set("amount", "500");
  expect(topUpPurpose(query, 158.73)).toEqual({ amount: "500", next: "", short: 163.46 });
});

test("a malformed address asks for no amount and leads to no other site", () => {
  const odd = new URLSearchParams({ amount: "1e9", next: "//evil.example", short: "<b>" });
  expect(topUpPurpose(odd)).toEqual({ amount: "", next: "", short: null });
});
