import { INTERNATIONAL, PARCEL } from "../rates/rate-form";
import type { FieldError, Preset, PricedShipment, RateForm, User } from "../wire";
import type { Sentence, Words } from "../words/words";
import { fieldsFor, type DetailField, type Draft } from "./fields";
import { bookingMessages } from "./messages";
import { presetDraft } from "./presets";
import { blankValue, fieldError } from "./rules";

/**
 * Reads the draft trimmed, as it stands on the wire: with a default for what is absent or blank,
 * which some fields have.
 */
export function draftReader(draft: Draft) {
  return (name: DetailField, absent = blankValue(name)): string => {
    const value = (draft[name] ?? "").trim();
    return value === "" ? absent : value;
  };
}

/** True if the courier is to come to another place than the sender's. */
export function isFetchedElsewhere(draft: Draft): boolean {
  return draft.pickup_required === "1" && draft.pickup_location === "2";
}

/** Fields that follow from the shipment priced in step 1, and change with it. */
const ORIGIN: readonly DetailField[] = ["consigner_pincode", "consigner_city", "consigner_state"];
const DESTINATION: readonly DetailField[] = [
  "consignee_pincode",
  "consignee_city",
  "consignee_state",
  "consignee_state_code",
  "destination_country",
];
const MEASURES: readonly DetailField[] = [
  "shipment_type",
  "quantity",
  "weight",
  "length",
  "breadth",
  "height",
];

/** The draft without what no longer fits, after another shipment was priced. */
export function adaptToShipment(draft: Draft, { values, country_name }: PricedShipment): Draft {
  // Where step 1 took no postal code, whatever was typed in step 2 stays.
  const code = values.destination_pincode;
  const city = cityOf(values);
  const sameDestination =
    (code === "" || draft.consignee_pincode === code) &&
    (city === "" || draft.consignee_city === city) &&
    draft.destination_country === country_name;
  const outdated = [
    ...MEASURES,
    ...(draft.consigner_pincode === values.origin_pincode ? [] : ORIGIN),
    ...(sameDestination ? [] : DESTINATION),
  ];
  const rest = { ...draft };
  for (const name of outdated) Reflect.deleteProperty(rest, name);
  return rest;
}

/** The city that step 1 asked for, where there is no postal code. */
function cityOf({ booking_type, destination_pincode, city }: RateForm): string {
  return booking_type === INTERNATIONAL && destination_pincode === "" ? city : "";
}

/** Centimetres of a document: an A4 envelope. */
const ENVELOPE = { length: "32", breadth: "24", height: "1" };

/** Rupees, no pickup, and GST applies. */
const DEFAULTS: Draft = {
  currency: "INR",
  pickup_required: "2",
  tell_receiver: "1",
  pickup_location: "1",
  tax_paid: "1",
  tax_amount: "0",
  consigner_gst_applicable: "1",
  consigner_tax_payment: "1",
  consigner_doc_type: "1",
  quantity: "1",
  export_type: "3",
  shipper_type: "1",
};

type Sources = {
  quoted: PricedShipment;
  user: User | null;
  /** New bookings from its place begin with it. */
  sender?: Preset | undefined;
  /** yyyy-mm-dd in India. */
  today: string;
  typedDraft: Draft | null;
};

/** Of who has no GSTIN. */
const WITHOUT_GSTIN: Draft = { consigner_gst_applicable: "2", consigner_doc_type: "2" };

/** The first values of the details form; values that were typed before win. */
export function startDraft(sources: Sources): Draft {
  const { quoted, user, sender, today, typedDraft } = sources;
  const isFromHere = sender?.fields["consigner_pincode"] === quoted.values.origin_pincode;
  const name = user === null ? "" : `${user.first_name} ${user.last_name}`.trim();
  return {
    ...DEFAULTS,
    ...(user?.gstin ? {} : WITHOUT_GSTIN),
    booking_invoice_date: today,
    consigner_name: name,
    consigner_contact_person: name,
    consigner_company: user?.company_name ?? "",
    consigner_mobile: user?.phone ?? "",
    consigner_phone: user?.phone ?? "",
    consigner_email: user?.email ?? "",
    consigner_doc_number: user?.gstin ?? "",
    consigner_gst_number: user?.gstin ?? "",
    ...(sender !== undefined && isFromHere ? presetDraft(sender) : {}),
    ...shipmentDraft(quoted),
    ...typedDraft,
  };
}

/** The fields that step 1 has answered. */
export function shipmentDraft(quoted: PricedShipment): Draft {
  const { values, origin, destination } = quoted;
  const { length, width, height } = values;
  const parcel = values.shipment_type === PARCEL;
  return {
    consigner_pincode: values.origin_pincode,
    consigner_city: origin.city_area,
    consigner_state: origin.state,
    consignee_pincode: values.destination_pincode,
    consignee_city: destination.city_area === "" ? cityOf(values) : destination.city_area,
    consignee_state: destination.state,
    consignee_state_code: destination.state_code,
    destination_country: quoted.country_name,
    shipment_type: values.shipment_type,
    quantity: parcel ? values.quantity : "1",
    weight: values.weight,
    ...(parcel ? { length, breadth: width, height } : ENVELOPE),
  };
}

/** The values of the form now: shown fields only; a read-only field keeps what it began with. */
export function collectDraft(
  start: Draft,
  inputs: Record<string, string>,
  international: boolean,
): Draft {
  const all = { ...start, ...inputs };
  const entries = fieldsFor(all, international).map(({ name }) => [name, all[name] ?? ""]);
  return Object.fromEntries(entries);
}

export function draftErrors(draft: Draft, international: boolean): FieldError[] {
  return fieldsFor(draft, international).flatMap((field) => {
    const message = fieldError(field.name, draft, international);
    return message === null ? [] : [{ path: field.name, message }];
  });
}

/** The labels of the fields that are shown, by name. */
export function fieldLabels(draft: Draft, international: boolean): Record<string, string> {
  return Object.fromEntries(
    fieldsFor(draft, international).map(({ name, label }) => [name, label]),
  );
}

/** Names the required fields that are empty, for the alert; null when none is. */
export function missingSentence(t: Words, draft: Draft, international: boolean): Sentence | null {
  const labels = missingLabels(draft, international);
  if (labels.length === 0) return null;
  const names = labels.map((label) => t(label)).join(", ");
  return { text: bookingMessages.requiredFields, values: { names } };
}

export function missingLabels(draft: Draft, international: boolean): string[] {
  return fieldsFor(draft, international)
    .filter((field) => field.required && (draft[field.name] ?? "").trim() === "")
    .map((field) => field.label);
}
