import { kilograms } from "../lib/format";
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
  const weight = `${fields.quantity ?? "1"} × ${t(kilograms(String(fields.weight)))}`;
  return `${weight}, ${t("{sides} cm", { sides: sides.join(" × ") })}`;
}

/** With commas, without what is empty. */
export function joinFilled(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(", ");
}
