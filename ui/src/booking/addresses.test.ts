import { expect, test } from "vitest";
import corpus from "../../../server/tests/address_lines.json";
import { hindi } from "../words/hindi";
import { addressErrors, addressLines } from "./addresses";

/** Addresses and their lines. The server's tests read the same file. */
type Case = { line: number; both: number; typed: string[]; lines: string[] | null };

const CASES: readonly Case[] = corpus;

test.each(CASES)("$typed in two lines of $line", ({ line, both, typed, lines }) => {
  const [first = "", second = ""] = typed;
  expect(addressLines({ line, both }, [first, second])).toEqual(lines);
});

test("an address is too long at the line that is too much", () => {
  const limits = { line: 35, both: 70 };
  const draft = {
    consigner_address_1: "x".repeat(36),
    consignee_address_1: "22 MG Road",
    consignee_address_2: "Opposite the Metro Station ".repeat(3),
    pickup_address_1: "x".repeat(36),
  };
  const wrong = addressErrors(draft, { sender: limits, receiver: limits });
  expect(wrong.map(({ path }) => path)).toEqual(["consigner_address_1", "consignee_address_2"]);
  expect(hindi.words(wrong[0]?.message ?? "")).toMatch(/दो पंक्तियों.*35/);
  expect(addressErrors(draft, undefined)).toEqual([]);
});

test.each([
  ["14 Janpath", "", []],
  ["Janpath", "14", ["consigner_address_1"]],
  // The first line as the courier gets it.
  [`${"Janpath ".repeat(5)}14`, "", ["consigner_address_1"]],
  ["", "", []],
])("a courier that wants a number gets one in its first line: %s, %s", (first, second, wrong) => {
  const limits = { line: 35, both: 70 };
  const draft = { consigner_address_1: first, consigner_address_2: second };
  const errors = addressErrors(draft, { sender: limits, receiver: limits, sender_number: true });
  expect(errors.map(({ path }) => path)).toEqual(wrong);
});
