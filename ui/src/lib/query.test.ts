import { expect, test } from "vitest";
import { queryOf } from "./query";

test("a query is read without the browser's help", () => {
  expect(queryOf("?tab=bookings&page=2&next=%2Fcourier&q=a+b&x&bad=%E0")).toEqual({
    tab: "bookings",
    page: "2",
    next: "/courier",
    q: "a b",
    x: "",
    bad: "%E0",
  });
  expect(queryOf("")).toEqual({});
});
