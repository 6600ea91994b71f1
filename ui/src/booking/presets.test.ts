import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { englishWords } from "../words/words";
import { RATE_DEFAULTS } from "../rates/rate-form";
import type { Preset } from "../wire";
import { SECTIONS } from "./fields";
import {
  isApplied,
  isForCountry,
  presetDraft,
  presetFields,
  presetProblem,
  presetRate,
  FIELDS_OF_ONE_BOOKING,
} from "./presets";
import { RULES } from "./rules";
import { quoted } from "./sample";

const home = quoted([]);
const abroad = quoted([], true);

function preset(kind: Preset["kind"], fields: Preset["fields"]): Preset {
  return { id: "p1", kind, name: "Ravi", fields, is_default: false };
}

const ravi = preset(
  "consignee",
  presetFields(
    "consignee",
    {
      consignee_name: " Ravi Kumar ",
      consignee_pincode: "110001",
      consignee_reference_no: "PO 7",
      consigner_name: "Asha",
    },
    home.values,
  ),
);

test("a receiver is saved without what belongs to one shipment or to somebody else", () => {
  expect(ravi.fields).toEqual({
    consignee_name: "Ravi Kumar",
    consignee_pincode: "110001",
    destination_country_id: "97",
  });
});

test("in step 1 a saved receiver fills in the destination, at home and abroad", () => {
  expect(presetRate(ravi, RATE_DEFAULTS)).toMatchObject({
    booking_type: "2",
    destination_country: "",
    destination_pincode: "110001",
  });
  const meera = preset("consignee", { consignee_pincode: "10001", destination_country_id: "231" });
  expect(presetRate(meera, RATE_DEFAULTS)).toMatchObject({
    booking_type: "1",
    destination_country: "231",
    destination_pincode: "10001",
  });
});

test("in step 2 a preset fills its section and empties the fields it lacks", () => {
  const draft = presetDraft(ravi);
  expect(draft).toMatchObject({ consignee_name: "Ravi Kumar", consignee_address_2: "" });
  expect(draft).not.toHaveProperty("consignee_reference_no");
  expect(draft).not.toHaveProperty("consigner_name");
});

test("a preset shows as chosen until something else is typed", () => {
  expect(isApplied(ravi, presetDraft(ravi))).toBe(true);
  expect(isApplied(ravi, { ...presetDraft(ravi), consignee_name: "Meera" })).toBe(false);
  expect(isApplied(ravi, null)).toBe(false);
});

test("a preset for another place has to be chosen in step 1", () => {
  expect(presetProblem(ravi, home)).toBeNull();
  expect(englishWords(presetProblem(ravi, abroad) ?? "")).toBe("for 110001: change it in step 1");
  const sender = preset("consignor", { consigner_pincode: "560001" });
  expect(presetProblem(sender, home)).toBeNull();
  expect(presetProblem(preset("consignor", { consigner_pincode: "1" }), home)).not.toBeNull();
});

test("receivers of another country are not offered", () => {
  expect([home, abroad].map((shipment) => isForCountry(ravi, shipment))).toEqual([true, false]);
  const sender = preset("consignor", { consigner_pincode: "560001" });
  expect(isForCountry(sender, abroad)).toBe(true);
});

test("a saved package fills in its measures and its shipment type", () => {
  const lamps = preset("package", {
    shipment_type: "1",
    description: "Lamps",
    quantity: "2",
    weight: "3",
    length: "30",
    breadth: "20",
  });
  expect(presetRate(lamps, RATE_DEFAULTS)).toMatchObject({
    shipment_type: "1",
    weight: "3",
    length: "30",
    quantity: "2",
  });
  expect(presetProblem(lamps, home)).toBeNull();
});

test("the server takes every field of the three sections", () => {
  const server = readFileSync("server/core/model/booking/form/preset.rs", "utf8");
  const isTaken = (name: string) => {
    const prefix = /^consigne[er]_/.exec(name)?.[0];
    return prefix === undefined
      ? server.includes(`"${name}"`)
      : RULES.has(name) && server.includes(`name.starts_with("${prefix}")`);
  };
  for (const section of SECTIONS.filter(({ kind }) => kind !== undefined)) {
    for (const { name } of section.fields) {
      if (!FIELDS_OF_ONE_BOOKING.has(name)) expect(isTaken(name), name).toBe(true);
    }
  }
});
