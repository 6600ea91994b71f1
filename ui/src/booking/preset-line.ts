import type { PresetKind } from "../wire";
import type { Words } from "../words/words";
import type { PresetFields } from "./presets";

/** Sender, receiver or package in one line. */
export function lineOf(kind: PresetKind, fields: PresetFields, t: Words): string {
  return partsOf(kind, fields, t).filter(isFilled).join(", ");
}

/** Where a receiver is. */
export function placeOf(fields: PresetFields): string {
  const { consigneeCity, consigneeState, consigneePincode, destinationCountry } = fields;
  return [consigneeCity, consigneeState, consigneePincode, destinationCountry]
    .filter(isFilled)
    .join(", ");
}

export function sizeOf(fields: PresetFields, t: Words): string {
  const sides = [fields.packageLength, fields.packageWidth, fields.packageHeight];
  const weight = `${fields.packagePcs ?? "1"} × ${t(`${fields.packageWeight} kg`)}`;
  return [weight, `${sides.join(" × ")} cm`].join(", ");
}

function partsOf(kind: PresetKind, fields: PresetFields, t: Words) {
  switch (kind) {
    case "package":
      return [sizeOf(fields, t), fields.productDesc];
    case "consignor":
      return [
        fields.consignorName,
        fields.consignorAddress1,
        fields.consignorCity,
        fields.consignorPincode,
      ];
    case "consignee":
      return [
        fields.consigneeName,
        fields.consigneeAddress1,
        fields.consigneeCity,
        fields.consigneePincode,
        fields.destinationCountry,
      ];
  }
}

function isFilled(part: string | undefined): boolean {
  return part !== undefined && part !== "";
}
