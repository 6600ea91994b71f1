import { INDIA_COUNTRY_ID } from "../lib/limits";
import { destinationCountryId, DOMESTIC, INTERNATIONAL } from "../rates/rate-form";
import type { Preset, PresetKind, PricedShipment, RateForm } from "../wire";
import type { Sentence, UiText } from "../words/words";
import { SECTIONS, type DetailField, type Draft, type FieldSpec } from "./fields";

export const PRESET_KINDS: readonly PresetKind[] = ["consignor", "consignee", "package"];

export type PresetFields = Partial<Record<DetailField | "destination_country_id", string>>;

function fieldsOf(kind: PresetKind): readonly FieldSpec[] {
  return SECTIONS.find((section) => section.kind === kind)?.fields ?? [];
}

/** These belong to one shipment, not to its receiver. */
export const FIELDS_OF_ONE_BOOKING: ReadonlySet<DetailField> = new Set([
  "consignee_reference_no",
  "tell_receiver",
]);

/** The fields of a filled form that make a preset of this kind. */
export function presetFields(kind: PresetKind, draft: Draft, values: RateForm): PresetFields {
  const entries = fieldsOf(kind)
    .map(({ name }) => [name, (draft[name] ?? "").trim()] as const)
    .filter(([name, value]) => value !== "" && !FIELDS_OF_ONE_BOOKING.has(name));
  const fields: PresetFields = Object.fromEntries(entries);
  if (kind === "consignee") fields.destination_country_id = String(destinationCountryId(values));
  return fields;
}

/** The fields of step 2 that a preset fills. Fields of its section that it lacks are emptied. */
export function presetDraft({ kind, fields }: Preset): Draft {
  const entries = fieldsOf(kind)
    .filter(
      ({ name, choices }) =>
        fields[name] !== undefined || (choices === undefined && !FIELDS_OF_ONE_BOOKING.has(name)),
    )
    .map(({ name }) => [name, fields[name] ?? ""]);
  return Object.fromEntries(entries) as Draft;
}

/** The saved receiver that a form is filled in with; undefined for none. */
export function appliedReceiver(presets: readonly Preset[], draft: Draft | null) {
  return presets.find((preset) => preset.kind === "consignee" && isApplied(preset, draft));
}

export function isApplied(preset: Preset, draft: Draft | null): boolean {
  const entries = Object.entries(presetDraft(preset)) as [DetailField, string][];
  return entries.every(([name, value]) => (draft?.[name] ?? "") === value);
}

/** Step 1 with the route or the measures of a preset. */
export function presetRate({ kind, fields }: Preset, rate: RateForm): RateForm {
  switch (kind) {
    case "consignor":
      return { ...rate, origin_pincode: fields.consigner_pincode ?? "" };
    case "consignee": {
      const id = fields.destination_country_id ?? "";
      const domestic = id === String(INDIA_COUNTRY_ID);
      return {
        ...rate,
        booking_type: domestic ? DOMESTIC : INTERNATIONAL,
        destination_country: domestic ? "" : id,
        destination_pincode: fields.consignee_pincode ?? "",
        city: (fields.consignee_pincode ?? "") === "" ? (fields.consignee_city ?? "") : "",
      };
    }
    case "package":
      return {
        ...rate,
        shipment_type: fields.shipment_type ?? rate.shipment_type,
        weight: fields.weight ?? rate.weight,
        length: fields.length ?? rate.length,
        width: fields.breadth ?? rate.width,
        height: fields.height ?? rate.height,
        quantity: fields.quantity ?? "1",
      };
  }
}

/** False for a receiver in another country than the shipment's. */
export function isForCountry({ kind, fields }: Preset, { values }: PricedShipment): boolean {
  const id = String(destinationCountryId(values));
  return kind !== "consignee" || fields.destination_country_id === id;
}

/** Why a preset cannot be used for the shipment that was priced; null when it can. */
export function presetProblem({ kind, fields }: Preset, { values }: PricedShipment): UiText | null {
  if (kind === "consignor" && fields.consigner_pincode !== values.origin_pincode) {
    return otherPlaceProblem(fields.consigner_pincode);
  }
  const isSameDestination =
    fields.destination_country_id === String(destinationCountryId(values)) &&
    (fields.consignee_pincode ?? "") === values.destination_pincode;
  if (kind === "consignee" && !isSameDestination) {
    return otherPlaceProblem(fields.consignee_pincode ?? fields.destination_country);
  }
  const sameKind = (fields.shipment_type ?? values.shipment_type) === values.shipment_type;
  return kind === "package" && !sameKind ? "another shipment type: change it in step 1" : null;
}

function otherPlaceProblem(place: string | undefined): Sentence {
  return { text: "for {place}: change it in step 1", values: { place: String(place) } };
}
