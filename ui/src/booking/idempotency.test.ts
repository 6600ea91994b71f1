import { expect, test } from "vitest";
import { attemptFor } from "./idempotency";

test("the same booking keeps its key until the answer, and is well formed", () => {
  const first = attemptFor({ weight: 1 }, null);
  expect(first.key).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
  expect(attemptFor({ weight: 1 }, first)).toBe(first);
  expect(attemptFor({ weight: 1 }, null).key).not.toBe(first.key);
});

test("a changed booking is another attempt", () => {
  const first = attemptFor({ weight: 1 }, null);
  expect(attemptFor({ weight: 2 }, first).key).not.toBe(first.key);
});

test("an attempt holds no names and no addresses", () => {
  expect(JSON.stringify(attemptFor({ consignee_name: "Meera Iyer" }, null))).not.toContain("Meera");
});
