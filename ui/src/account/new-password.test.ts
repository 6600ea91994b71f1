import { expect, test } from "vitest";
import lengths from "../../../server/tests/password_lengths.json";
import { newPasswordErrors } from "./new-password";

/** A password, and whether it is long enough. The server's tests read the same file. */
const LENGTHS = lengths as [string, boolean][];

const sentences = (one: string, two: string) =>
  newPasswordErrors({ password: one, password_confirm: two }).map((error) => error.message);

test("passwords must match", () => {
  expect(sentences("secret1", "secret2")).toEqual(["Passwords do not match"]);
});

test("passwords must be long enough", () => {
  const tooShort = "Password must be at least 6 characters long";
  for (const [password, isLong] of LENGTHS) {
    expect(sentences(password, password), password).toEqual(isLong ? [] : [tooShort]);
  }
});
