import { expect, test } from "vitest";
import { START, type Flow } from "./flow";
import { keepFlow, keptFlow } from "./kept";

function storage(): Storage {
  const entries = new Map<string, string>();
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    key: () => null,
    get length() {
      return entries.size;
    },
  };
}

const review: Flow = { ...START, step: "review", draft: { consigneeName: "Ravi Kumar" } };

test("a review is kept for the one who left it, until it is booked or begun anew", () => {
  const kept = storage();
  keepFlow("asha", review, kept);
  expect(keptFlow("asha", kept)).toEqual(review);
  expect(keptFlow("ravi", kept)).toEqual(START);
  keepFlow("asha", { ...review, step: "details" }, kept);
  expect(keptFlow("asha", kept)).toEqual(review);
  keepFlow("asha", { ...review, step: "success" }, kept);
  expect(keptFlow("asha", kept)).toEqual(START);
});

test("what cannot be read is no review", () => {
  const kept = storage();
  kept.setItem("booking_in_review", "{");
  expect(keptFlow("asha", kept)).toEqual(START);
});
