import { expect, test } from "vitest";
import { newPasswordErrors } from "./new-password";

test("passwords must match and be long enough", () => {
  const sentences = (one: string, two: string) =>
    newPasswordErrors({ password: one, password_confirm: two }).map((error) => error.message);
  expect(sentences("secret1", "secret2")).toEqual(["Passwords do not match"]);
  expect(sentences("short", "short")).toEqual(["Password must be at least 6 characters long"]);
  expect(sentences("secret", "secret")).toEqual([]);
});
