import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import corpus from "../../../server/tests/booking_values.json";
import { draftErrors, startDraft } from "./draft";
import { fieldsFor, type DetailField, type Draft } from "./fields";
import { RULES } from "./rules";
import { option, quoted } from "./sample";

/** Values of a field that are taken or refused. The server's tests read the same file. */
type Case = {
  form?: string | undefined;
  sentence: string;
  good: string[];
  bad: string[];
  with?: Record<string, string | undefined> | undefined;
  international?: boolean | undefined;
};

const CASES: readonly Case[] = corpus;

function start(typed: Draft, international: boolean): Draft {
  return startDraft({
    quoted: quoted([option()], international),
    user: null,
    today: "2026-09-28",
    typedDraft: { consigner_doc_number: "07AAACD1234E1ZB", ...typed },
  });
}

function problemOf(name: DetailField, value: string, { with: others, international }: Case) {
  const draft = start({ ...others, [name]: value }, international === true);
  const errors = draftErrors(draft, international === true);
  return errors.find(({ path }) => path === name)?.message;
}

describe("the rules of the booking form", () => {
  test.each(CASES.filter(({ form }) => form !== undefined))(
    "$form takes what its rule says: $sentence",
    (entry) => {
      const name = entry.form as DetailField;
      for (const value of entry.good) expect(problemOf(name, value, entry), value).toBeUndefined();
      for (const value of entry.bad)
        expect(problemOf(name, value, entry), value).toBe(entry.sentence);
    },
  );

  test("every field of the form that has a rule of its own is tried", () => {
    const tried = new Set(CASES.map(({ form }) => form));
    const all = { pickup_location: "2", pickup_required: "1", shipper_type: "2" };
    const untried = fieldsFor(start(all, true), true).filter(({ name }) => !tried.has(name));
    expect(untried.map(({ name }) => name)).toEqual([
      "consignee_contact_person",
      "consignee_address_2",
      "consignee_state",
      "destination_country",
      "consignee_state_code",
      "pickup_address_2",
      "msme_id",
    ]);
  });

  test("the style sheet shows a field by the choice that its rule names", () => {
    const sheet = readFileSync("ui/src/styles/booking.css", "utf8").replace(/\s+/g, " ");
    const selectors = sheet.split(/[{}]|(?=#details:)/);
    // Step 1 has asked for the kind of shipment.
    const fixed = "shipment_type";
    const hidden = [...RULES].flatMap(([name, { shown_if: shown, shown_unless: not }]) => {
      const by = shown ?? not;
      if (by === undefined || by.field === fixed) return [];
      const chosen = `:has([name="${by.field}"] [value="${by.is}"]:checked)`;
      return [{ name, start: `#details${shown === undefined ? chosen : `:not(${chosen})`} ` }];
    });
    expect(hidden.length).toBeGreaterThan(5);
    const missing = hidden.filter(
      ({ name, start }) =>
        !selectors.some((one) => one.startsWith(start) && one.includes(`[name="${name}"]`)),
    );
    expect(missing).toEqual([]);
  });
});
