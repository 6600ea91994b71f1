import { expect, test } from "vitest";
import values from "../../../server/tests/typed_values.json";
import * as input from "./input";

/** By their names in the file. The browser knows only the form of phones and codes abroad. */
const READERS: Readonly<Record<string, (text: string) => string | number | null>> = {
  unmarked: input.unmarked,
  code: input.readCode,
  pin: input.readPin,
  rupees: input.readRupees,
  amount: input.readAmount,
  grams: input.readGrams,
  length: input.readLength,
  count: input.readCount,
  day: input.readDay,
  indian: input.readIndian,
  indian_mobile: input.readIndianMobile,
};

/** A reader, a text, its value, and "server" where only the server knows it. */
const VALUES = values as [string, string, string | number | null, string?][];

test.each(Object.keys(READERS))("%s are read however they are typed or pasted", (name) => {
  const own = VALUES.filter(([reader, , , knows]) => reader === name && knows === undefined);
  expect(own.length).toBeGreaterThan(7);
  for (const [, text, value] of own) expect(READERS[name]?.(text), text).toBe(value);
});

test("numbers of other countries are taken by their form", () => {
  const abroad = VALUES.filter(([reader]) => reader.startsWith("abroad:"));
  for (const [, text, value, knows] of abroad) {
    expect(input.readAbroad(text) !== null, text).toBe(value !== null || knows === "server");
  }
});

test("long texts are read in no time", () => {
  const begun = performance.now();
  for (const part of [
    "9",
    "0",
    "1,",
    "1 ",
    " -",
    "+",
    ".",
    "1.",
    "(0",
    "rs",
    "0,0",
    "०",
    "\u202a",
  ]) {
    const text = part.repeat(100_000 / part.length);
    for (const read of [...Object.values(READERS), input.readAbroad]) read(text);
  }
  // One that tried every way to split such a text would need hours.
  expect(performance.now() - begun).toBeLessThan(60_000);
});
