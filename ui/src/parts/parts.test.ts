import { describe, expect, test } from "vitest";
import { statusColour, typeColour } from "./badge";
import { initials } from "./courier-mark";
import { fullName } from "./layout";
import { pageCount, pagerItems } from "./pager";

describe("the pager", () => {
  test.each([
    [1, 1, [1]],
    [1, 5, [1, 2, 3, 4, 5]],
    [1, 7, [1, 2, 3, "gap", 7]],
    [4, 7, [1, 2, 3, 4, 5, 6, 7]],
    [5, 20, [1, 2, 3, 4, 5, 6, 7, "gap", 20]],
    [10, 20, [1, "gap", 8, 9, 10, 11, 12, "gap", 20]],
    [20, 20, [1, "gap", 18, 19, 20]],
  ])("on page %d of %d shows %j", (page, pages, items) => {
    expect(pagerItems(page, pages)).toEqual(items);
  });

  test("has one page when there is nothing, and a page for a started one", () => {
    expect(pageCount(0, 5)).toBe(1);
    expect(pageCount(5, 5)).toBe(1);
    expect(pageCount(6, 5)).toBe(2);
  });
});

test.each([
  ["delivered", "green"],
  ["Shipped", "blue"],
  ["in_transit", "blue"],
  ["In Transit", "blue"],
  ["pending", "yellow"],
  ["processing", "yellow"],
  ["cancelled", "red"],
  ["booked", "grey"],
  ["", "grey"],
])("a %s badge is %s", (status, colour) => expect(statusColour(status)).toBe(colour));

test.each([
  ["credit", "green"],
  ["Credit", "green"],
  ["debit", "red"],
  ["refund", "red"],
])("a %s movement is %s", (type, colour) => expect(typeColour(type)).toBe(colour));

test("the username stands in for a missing name", () => {
  const nobody = { username: "asha", email: "", phone: "", gstin: "", company_name: "" };
  const user = { ...nobody, balance: 0, phone_confirmed: false, passkeys: 0 };
  expect(fullName({ ...user, first_name: "Asha", last_name: "Rao" })).toBe("Asha Rao");
  expect(fullName({ ...user, first_name: "Asha", last_name: "" })).toBe("Asha");
  expect(fullName({ ...user, first_name: "", last_name: "" })).toBe("asha");
});

test.each([
  ["Delhivery", "DE"],
  ["Blue Dart", "BD"],
  ["dhl_express", "DE"],
  ["dtdc", "DTDC"],
  ["UPS", "UPS"],
  ["", ""],
])("the mark of the courier %j is %j", (name, letters) => expect(initials(name)).toBe(letters));
