import { expect, test } from "vitest";
import { forgetKey, keyFor } from "./idempotency";

function storage(): Storage {
  const entries = new Map<string, string>();
  return {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  } as unknown as Storage;
}

test("the same booking keeps its key until the answer, and is well formed", () => {
  const kept = storage();
  const key = keyFor({ weight: 1 }, kept);
  expect(key).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
  expect(keyFor({ weight: 1 }, kept)).toBe(key);
  forgetKey(kept);
  expect(keyFor({ weight: 1 }, kept)).not.toBe(key);
});

test("a changed booking is another attempt", () => {
  const kept = storage();
  expect(keyFor({ weight: 1 }, kept)).not.toBe(keyFor({ weight: 2 }, kept));
});

test("names and addresses do not go into storage", () => {
  const kept = storage();
  keyFor({ consignee_name: "Meera Iyer" }, kept);
  expect(kept.getItem("booking_attempt")).not.toContain("Meera");
});
