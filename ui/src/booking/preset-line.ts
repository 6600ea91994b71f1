import { kilograms } from "../lib/format";
import type { PresetKind } from "../wire";
import type { Words } from "../words/words";
import type { PresetFields } from "./presets";

/** Sender, receiver or package in one line. */
export function presetLine(kind: PresetKind, fields: PresetFields, t: Words): string {
  return lineParts(kind, fields, t).filter(isFilled).join(", ");
}

/** Where a receiver is. */
export function receiverPlace(fields: PresetFields): string {
  const { consignee_city, consignee_state, consignee_pincode, destination_country } = fields;
  return [consignee_city, consignee_state, consignee_pincode, destination_country]
    .filter(isFilled)
    .join(", ");
}

export function sizeOf(fields: PresetFields, t: Words): string {
  const sides = [fields.length, fields.breadth, fields.height];
  const weight = `${fields.quantity ?? "1"} × ${t(kilograms(String(fields.weight)))}`;
  return [weight, `${sides.join(" × ")} cm`].join(", ");
}

function lineParts(kind: PresetKind, fields: PresetFields, t: Words) {
  switch (kind) {
    case "package":
      return [sizeOf(fields, t), fields.description];
    case "consignor":
      return [
        fields.consigner_name,
        fields.consigner_address_1,
        fields.consigner_city,
        fields.consigner_pincode,
      ];
    case "consignee":
      return [
        fields.consignee_name,
        fields.consignee_address_1,
        fields.consignee_city,
        fields.consignee_pincode,
        fields.destination_country,
      ];
  }
}

function isFilled(part: string | undefined): boolean {
  return part !== undefined && part !== "";
}
