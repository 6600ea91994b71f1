import { expect, test } from "vitest";
import { isCancellable, papersOf } from "./papers";

const names = (status: string) => papersOf(status).map(([, name]) => name);

test("a booking has the documents of its status", () => {
  expect(names("booked")).toEqual(["Label", "A4 labels", "Invoice"]);
  expect(names("Delivered")).toEqual(["Label", "A4 labels", "Invoice"]);
  expect(names("pending"), "its courier has not taken it").toEqual([]);
  expect(names("unknown"), "a newer version decides").toEqual([]);
  expect(names("cancelled")).toEqual(["Invoice", "Credit note"]);
  expect(names("cancelling")).toEqual(["Invoice"]);
});

test("only a booking that nobody has picked up can be cancelled", () => {
  for (const status of ["pending", "booked"]) expect(isCancellable(status), status).toBe(true);
  for (const status of ["shipped", "in_transit", "delivered", "cancelling", "cancelled"]) {
    expect(isCancellable(status), status).toBe(false);
  }
});
