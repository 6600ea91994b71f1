import { kilograms } from "../lib/format";
import { readCount, readGrams, readLength } from "../lib/input";
import type { PresetKind } from "../wire";
import type { Words } from "../words/words";
import type { DetailField } from "./fields";
import type { PresetFields } from "./presets";

/** Sender, receiver or package in one line. */
export function presetLine(kind: PresetKind, fields: PresetFields, t: Words): string {
  const texts = SUMMARIES[kind].map((name) => fields[name]);
  return joinFilled(kind === "package" ? [sizeOf(fields, t), ...texts] : texts);
}

const SUMMARIES: Readonly<Record<PresetKind, readonly DetailField[]>> = {
  consignor: ["consigner_name", "consigner_address_1", "consigner_city", "consigner_pincode"],
  consignee: [
    "consignee_name",
    "consignee_address_1",
    "consignee_city",
    "consignee_pincode",
    "destination_country",
  ],
  package: ["description"],
};

/** Where a receiver is. */
export function receiverPlace(fields: PresetFields): string {
  const { consignee_city, consignee_state, consignee_pincode, destination_country } = fields;
  return joinFilled([consignee_city, consignee_state, consignee_pincode, destination_country]);
}

export function sizeOf(fields: PresetFields, t: Words): string {
  const sides = [fields.length, fields.breadth, fields.height];
  const centimetres = sides.map((side) => readOr(side, readLength, 1_000));
  const weight = t(kilograms(readOr(fields.weight, readGrams, 1_000)));
  const isSized = centimetres.some((side) => side !== "");
  const size = isSized ? t("{sides} cm", { sides: centimetres.join(" × ") }) : "";
  return joinFilled([`${piecesOf(fields)} × ${weight}`, size]);
}

function piecesOf({ quantity = "1" }: PresetFields): string {
  return readOr(quantity, readCount, 1);
}

/** The number that was typed; what is none is shown as it was typed. */
function readOr(text = "", read: (text: string) => number | null, unit: number): string {
  const number = read(text);
  return number === null ? text : String(number / unit);
}

/** With commas, without what is empty. */
export function joinFilled(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(", ");
}
