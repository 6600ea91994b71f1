import { numberedChoices, type Choice } from "../parts/field";
import { SHIPMENT_TYPES } from "../rates/rate-form";
import type { BookingForm, PresetKind } from "../wire";
import { isRequired, isShown, showingValues } from "./rules";

/** The names of the booking form's fields: the wire's, without the group that some stand in. */
export type DetailField =
  | FieldOf<"consigner" | "consignee" | "pickup" | "booking_invoice" | "tax">
  | "tell_receiver"
  | "destination_country"
  | "shipment_type"
  | "description"
  | "weight"
  | "quantity"
  | "length"
  | "breadth"
  | "height"
  | "hsn_code"
  | "invoice_value"
  | "currency"
  | "eway_bill"
  | "customer_reference"
  | "remark"
  | "export_type"
  | "shipper_type"
  | "msme_id";

type FieldOf<Group extends string> = Extract<keyof BookingForm, `${Group}_${string}`>;

export type FieldSpec = {
  name: DetailField;
  label: string;
  /** Step 1 told it and it is fixed: always, or only within India, where a PIN code tells it. */
  readOnly?: "always" | "at home";
  choices?: readonly Choice[];
  type?: "email" | "tel" | "date" | "time";
  inputMode?: "numeric" | "decimal";
  hint?: string;
  autoComplete?: string;
  short?: boolean;
  /** Only some need it, or only those who send abroad: it stands in the section's fold. */
  seldom?: "always" | "at home";
  /** A box to be ticked: 1 is yes, 2 is no. */
  tick?: boolean;
};

/** A field of the form as it is shown. */
export type ShownField = FieldSpec & { required: boolean };

/** The values of the details form, as texts; a field that is not shown is absent. */
export type Draft = Partial<Record<DetailField, string>>;

export type SectionSpec = {
  title: string;
  /** The kind of preset that fills it. */
  kind?: PresetKind;
  /** The title of its fold, where it has one. */
  more?: string;
  fields: readonly FieldSpec[];
  /** Closed while nothing is missing in it. */
  closes?: "always" | "at home";
};

const YES_NO = numberedChoices("Yes", "No");
const DOCUMENT_TYPES = numberedChoices(
  "GSTIN Number",
  "PAN Card Number",
  "Passport Number",
  "Aadhaar Number",
  "Unique Identification Number",
  "GSTIN of Govt. Entities",
  "GSTIN of Diplomats",
  "TAN Number",
);
const TAX_PAYMENTS = numberedChoices(
  "IGST Payment",
  "Against bond or Undertaking",
  "Not Applicable",
);
const PICKUP_LOCATIONS = numberedChoices("Same as Origin", "Different");
const CURRENCIES = ["INR", "USD", "EUR"].map((code) => ({ value: code, label: code }));
const EXPORT_TYPES = numberedChoices("UT", "Bond", "Not Applicable");
const SHIPPER_TYPES = numberedChoices("Individual", "MSME");

/** A short answer in figures, with a decimal point where one is needed. */
const DECIMAL = { short: true, inputMode: "decimal" } as const;

/** A short answer that comes from step 1; may be typed only when step 1 did not know it. */
const KNOWN = { short: true, readOnly: "always" } as const;
const KNOWN_AT_HOME = { short: true, readOnly: "at home" } as const;

const CONSIGNOR: readonly FieldSpec[] = [
  { name: "consigner_name", label: "Consignor Name", autoComplete: "name" },
  { name: "consigner_company", label: "Company Name", autoComplete: "organization" },
  { name: "consigner_mobile", label: "Mobile", type: "tel" },
  { name: "consigner_email", label: "Email", type: "email" },
  { name: "consigner_contact_person", seldom: "always", label: "Contact Person" },
  { name: "consigner_address_1", label: "Address Line 1" },
  { name: "consigner_address_2", label: "Address Line 2" },
  { name: "consigner_pincode", label: "Pincode", ...KNOWN },
  { name: "consigner_city", label: "City", ...KNOWN },
  { name: "consigner_state", label: "State", ...KNOWN },
  { name: "consigner_phone", label: "Telephone", type: "tel" },
  { name: "consigner_doc_type", label: "Document Type", choices: DOCUMENT_TYPES },
  { name: "consigner_doc_number", label: "Document Number" },
  { name: "consigner_gst_applicable", short: true, label: "GST Applicable", choices: YES_NO },
  // Nobody who says that GST does not apply has a number to give.
  { name: "consigner_gst_number", label: "GST Number" },
  { name: "consigner_tax_payment", seldom: "always", label: "Tax Payment", choices: TAX_PAYMENTS },
];

const CONSIGNEE: readonly FieldSpec[] = [
  { name: "consignee_name", label: "Consignee Name" },
  { name: "consignee_company", seldom: "always", label: "Consignee Company Name" },
  { name: "consignee_mobile", label: "Consignee Phone", type: "tel" },
  {
    name: "tell_receiver",
    label: "Send tracking to the receiver by SMS",
    hint: "Indian mobile numbers only. Parcels within the same hour are announced once.",
    choices: YES_NO,
    tick: true,
  },
  { name: "consignee_email", seldom: "at home", label: "Consignee Email", type: "email" },
  { name: "consignee_contact_person", seldom: "always", label: "Consignee Contact Person" },
  { name: "consignee_address_1", label: "Consignee Address Line 1" },
  { name: "consignee_address_2", label: "Consignee Address Line 2" },
  { name: "consignee_pincode", label: "Consignee Pincode", ...KNOWN },
  { name: "consignee_city", label: "Consignee City", ...KNOWN },
  { name: "consignee_state", seldom: "at home", label: "Consignee State", ...KNOWN_AT_HOME },
  { name: "destination_country", label: "Destination Country", ...KNOWN },
  { name: "consignee_state_code", seldom: "at home", label: "State Code", ...KNOWN_AT_HOME },
  {
    name: "consignee_doc_type",
    seldom: "always",
    label: "Consignee Document Type",
    choices: DOCUMENT_TYPES,
  },
  { name: "consignee_gst_number", seldom: "always", label: "Consignee GST Number" },
  { name: "consignee_reference_no", seldom: "always", label: "Reference No." },
];

const PACKAGE: readonly FieldSpec[] = [
  { name: "shipment_type", label: "Shipment Type", ...KNOWN, choices: SHIPMENT_TYPES },
  { name: "description", label: "Product Description" },
  { name: "quantity", short: true, label: "Pieces", inputMode: "numeric" },
  { name: "weight", label: "Weight (kg)", hint: "Per piece", ...DECIMAL },
  { name: "length", label: "Length (cm)", ...DECIMAL },
  { name: "breadth", label: "Width (cm)", ...DECIMAL },
  { name: "height", label: "Height (cm)", ...DECIMAL },
  { name: "hsn_code", seldom: "at home", label: "HSN Code", inputMode: "numeric" },
];

const INVOICE: readonly FieldSpec[] = [
  { name: "invoice_value", label: "Invoice Value", ...DECIMAL },
  { name: "currency", seldom: "at home", short: true, label: "Currency", choices: CURRENCIES },
  {
    name: "eway_bill",
    seldom: "always",
    label: "E-way bill",
    inputMode: "numeric",
    hint: "12 digits, for goods above ₹50,000",
  },
  { name: "booking_invoice_number", seldom: "at home", label: "Invoice No." },
  { name: "booking_invoice_date", seldom: "at home", label: "Invoice Date", type: "date" },
  { name: "customer_reference", seldom: "always", label: "Customer Reference" },
  { name: "remark", seldom: "always", label: "Remark" },
];

const PICKUP: readonly FieldSpec[] = [
  { name: "pickup_required", label: "Pickup Required", choices: YES_NO },
  { name: "pickup_location", label: "Pickup Location", choices: PICKUP_LOCATIONS },
  { name: "pickup_name", label: "Pickup Name" },
  { name: "pickup_pincode", short: true, label: "Pickup Pincode", inputMode: "numeric" },
  { name: "pickup_city", short: true, label: "Pickup City" },
  { name: "pickup_state", label: "Pickup State" },
  { name: "pickup_address_1", label: "Pickup Address Line 1" },
  { name: "pickup_address_2", label: "Pickup Address Line 2" },
  { name: "pickup_when", label: "Day and time" },
  { name: "pickup_ready_start_time", short: true, label: "Ready From", type: "time" },
  { name: "pickup_ready_end_time", short: true, label: "Ready Until", type: "time" },
];

const ADDITIONAL: readonly FieldSpec[] = [
  { name: "tax_paid", short: true, label: "Tax Paid", choices: YES_NO },
  { name: "tax_amount", label: "Tax Amount", ...DECIMAL },
  { name: "export_type", label: "Export Type", choices: EXPORT_TYPES },
  { name: "shipper_type", short: true, label: "Shipper Type", choices: SHIPPER_TYPES },
  { name: "msme_id", label: "MSME ID" },
];

/** The details form, section by section. */
export const SECTIONS: readonly SectionSpec[] = [
  {
    title: "Consignor Details",
    kind: "consignor",
    more: "More about the sender",
    fields: CONSIGNOR,
    closes: "always",
  },
  {
    title: "Consignee Details",
    kind: "consignee",
    more: "More about the receiver",
    fields: CONSIGNEE,
  },
  { title: "Package Details", kind: "package", more: "Weight and size", fields: PACKAGE },
  { title: "Invoice Details", more: "Dates and references", fields: INVOICE },
  { title: "Pickup & Delivery Details", fields: PICKUP },
  { title: "Additional Details", fields: ADDITIONAL, closes: "at home" },
];

/** The fields shown for these values. */
export function fieldsFor(values: Draft, international: boolean): ShownField[] {
  return SECTIONS.flatMap((section) => shownFields(section, values, international));
}

export function shownFields(
  section: SectionSpec,
  values: Draft,
  international: boolean,
): ShownField[] {
  return section.fields
    .filter(({ name }) => isShown(name, values, international))
    .map((field) => ({ ...field, required: isRequired(field.name, values, international) }));
}

/**
 * The fields of a section that stand in the form: also those that a choice in the form shows. The
 * style sheet (`booking.css`) hides them meanwhile, so that they appear without a script too.
 */
export function formFields(
  section: SectionSpec,
  values: Draft,
  international: boolean,
): ShownField[] {
  return section.fields.flatMap((field) => {
    const one = { ...section, fields: [field] };
    const now = shownFields(one, values, international);
    const chosen = { ...values, ...showingValues(field.name) };
    return now.length > 0 ? now : shownFields(one, chosen, international);
  });
}

export function applies(when: "always" | "at home" | undefined, international: boolean): boolean {
  return when === "always" || (when === "at home" && !international);
}

/** The label of a choice, for read-only display and for the review. */
export function choiceLabel(field: FieldSpec, value: string): string {
  return field.choices?.find((choice) => choice.value === value)?.label ?? value;
}
