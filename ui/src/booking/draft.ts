import type { Quoted } from "../rates/quote";
import { PARCEL, type RateValues } from "../rates/rate-form";
import type { FieldError, Preset, User } from "../wire";
import { fieldsFor, type DetailField } from "./fields";
import { presetDraft } from "./presets";
import { absentOf, problem } from "./rules";

/** The values of the details form, as texts; a field that is not shown is absent. */
export type Draft = Partial<Record<DetailField, string>>;

/**
 * Reads the draft trimmed, as it stands on the wire: with a default for what is absent or blank,
 * which some fields have.
 */
export function reader(draft: Draft) {
  return (name: DetailField, absent = absentOf(name)): string => {
    const value = (draft[name] ?? "").trim();
    return value === "" ? absent : value;
  };
}

/** Fields that follow from the shipment priced in step 1, and change with it. */
const ORIGIN: readonly DetailField[] = ["consignorPincode", "consignorCity", "consignorState"];
const DESTINATION: readonly DetailField[] = [
  "consigneePincode",
  "consigneeCity",
  "consigneeState",
  "consigneeStateCode",
  "destinationCountry",
];
const MEASURES: readonly DetailField[] = [
  "shipmentType",
  "packagePcs",
  "packageWeight",
  "packageLength",
  "packageWidth",
  "packageHeight",
];

/** The draft without what no longer fits, after another shipment was priced. */
export function forShipment(draft: Draft, { values, countryName }: Quoted): Draft {
  // Where step 1 took no postal code, whatever was typed in step 2 stays.
  const code = values.destination_pincode;
  const sameDestination =
    (code === "" || draft.consigneePincode === code) && draft.destinationCountry === countryName;
  const outdated = [
    ...MEASURES,
    ...(draft.consignorPincode === values.origin_pincode ? [] : ORIGIN),
    ...(sameDestination ? [] : DESTINATION),
  ];
  const rest = { ...draft };
  for (const name of outdated) Reflect.deleteProperty(rest, name);
  return rest;
}

/** Centimetres of a document: an A4 envelope. */
const ENVELOPE = { packageLength: "32", packageWidth: "24", packageHeight: "1" };

/** Rupees, no pickup, and GST applies. */
const DEFAULTS: Draft = {
  invoiceCurrency: "INR",
  pickupRequired: "2",
  tellReceiver: "1",
  pickupLocation: "1",
  taxPaid: "1",
  taxAmount: "0",
  consignorGstApplicable: "1",
  consignorTaxPayment: "1",
  consignorDocType: "1",
  packagePcs: "1",
  exportType: "3",
  shipperType: "1",
};

type Sources = {
  quoted: Quoted;
  user: User | null;
  /** New bookings from its place begin with it. */
  sender?: Preset | undefined;
  /** yyyy-mm-dd in India. */
  today: string;
  typed: Draft | null;
};

/** The first values of the details form; values that were typed before win. */
export function startDraft(sources: Sources): Draft {
  const { quoted, user, sender, today, typed } = sources;
  const isFromHere = sender?.fields["consignorPincode"] === quoted.values.origin_pincode;
  const name = user === null ? "" : `${user.first_name} ${user.last_name}`.trim();
  return {
    ...DEFAULTS,
    invoiceDate: today,
    consignorName: name,
    consignorContactPerson: name,
    consignorCompanyName: user?.company_name ?? "",
    consignorMobile: user?.phone ?? "",
    consignorPhone: user?.phone ?? "",
    consignorEmail: user?.email ?? "",
    consignorDocNumber: user?.gstin ?? "",
    consignorGstNumber: user?.gstin ?? "",
    ...(sender !== undefined && isFromHere ? presetDraft(sender) : {}),
    ...shipmentDraft(quoted),
    ...typed,
  };
}

/** The fields that step 1 has answered. */
export function shipmentDraft(quoted: Quoted): Draft {
  const { values, origin, destination } = quoted;
  const parcel = values.shipment_type === PARCEL;
  return {
    consignorPincode: values.origin_pincode,
    consignorCity: origin.city_area,
    consignorState: origin.state,
    consigneePincode: values.destination_pincode,
    consigneeCity: destination.city_area,
    consigneeState: destination.state,
    consigneeStateCode: destination.state_code,
    destinationCountry: quoted.countryName,
    shipmentType: values.shipment_type,
    packagePcs: parcel ? values.quantity : "1",
    packageWeight: values.weight,
    ...(parcel ? sidesOf(values) : ENVELOPE),
  };
}

function sidesOf({ length, width, height }: RateValues): Draft {
  return { packageLength: length, packageWidth: width, packageHeight: height };
}

/** The values of the form now: shown fields only; a read-only field keeps what it began with. */
export function collect(
  start: Draft,
  typed: Record<string, string>,
  international: boolean,
): Draft {
  const all = { ...start, ...typed };
  const shown = fieldsFor(all, international).map(({ name }) => [name, all[name] ?? ""]);
  return Object.fromEntries(shown);
}

export function draftErrors(draft: Draft, international: boolean): FieldError[] {
  return fieldsFor(draft, international).flatMap((field) => {
    const message = problem(field.name, draft, international);
    return message === null ? [] : [{ path: field.name, message }];
  });
}

/** The labels of required fields that are empty, for the alert. */
export function missingLabels(draft: Draft, international: boolean): string[] {
  return fieldsFor(draft, international)
    .filter((field) => field.required && (draft[field.name] ?? "").trim() === "")
    .map((field) => field.label);
}
