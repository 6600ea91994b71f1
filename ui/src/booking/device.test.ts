import { expect, test } from "vitest";
import { forgetUnsaved, keepUnsaved, loadUnsaved } from "./device";
import { memoryStorage } from "./sample";

const unsaved = { username: "asha", revision: 3, content: null, doubtful: [] };

test("unsaved changes come back to the customer who typed them", () => {
  const kept = memoryStorage();
  keepUnsaved(unsaved, kept);
  expect(loadUnsaved("asha", kept)).toEqual(unsaved);
  forgetUnsaved(kept);
  expect(loadUnsaved("asha", kept)).toBeNull();
});

test("another customer does not see unsaved changes, and they are removed", () => {
  const kept = memoryStorage();
  keepUnsaved(unsaved, kept);
  expect(loadUnsaved("ravi", kept)).toBeNull();
  expect(loadUnsaved("asha", kept)).toBeNull();
});

test("storage that cannot be read counts as nothing unsaved", () => {
  const kept = memoryStorage();
  kept.setItem("booking_draft", "{");
  expect(loadUnsaved("asha", kept)).toBeNull();
});
