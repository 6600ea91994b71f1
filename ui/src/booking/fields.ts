import { numbered, type Choice } from "../parts/field";
import { isRequired, isShown } from "./rules";

/** The names of the booking form's fields. */
export type DetailField =
  | `consignor${"Name" | "CompanyName" | "Mobile" | "Email" | "ContactPerson" | "Phone"}`
  | `consignor${"Address1" | "Address2" | "Pincode" | "City" | "State"}`
  | `consignor${"DocType" | "DocNumber" | "GstNumber" | "GstApplicable" | "TaxPayment"}`
  | `consignee${"Name" | "CompanyName" | "Phone" | "Email" | "ContactPerson"}`
  | `consignee${"Address1" | "Address2" | "Pincode" | "City" | "State" | "StateCode"}`
  | `consignee${"DocType" | "GstNumber" | "ReferenceNo"}`
  | "tellReceiver"
  | "destinationCountry"
  | "shipmentType"
  | "productDesc"
  | `package${"Pcs" | "Weight" | "Length" | "Width" | "Height"}`
  | "hsnCode"
  | `invoice${"Value" | "Currency" | "No" | "Date"}`
  | "custRef"
  | "remark"
  | `pickup${"Required" | "Location" | "Name" | "Pincode" | "City" | "State"}`
  | `pickup${"Address1" | "Address2" | "ReadyStartTime" | "ReadyEndTime"}`
  | "taxPaid"
  | "taxAmount"
  | "exportType"
  | "shipperType"
  | "msmeId";

export type FieldSpec = {
  name: DetailField;
  label: string;
  /** Comes from step 1; may be typed only when step 1 did not know it. */
  readOnly?: boolean;
  choices?: readonly Choice[];
  type?: "email" | "tel" | "number" | "date" | "time";
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

type Values = Partial<Record<DetailField, string>>;

export type SectionSpec = {
  title: string;
  /** The title of its fold, where it has one. */
  more?: string;
  fields: readonly FieldSpec[];
  /** Closed while nothing is missing in it. */
  closes?: "always" | "at home";
};

const YES_NO = numbered("Yes", "No");
const DOCUMENT_TYPES = numbered(
  "GSTIN Number",
  "PAN Card Number",
  "Passport Number",
  "Aadhaar Number",
  "Unique Identification Number",
  "GSTIN of Govt. Entities",
  "GSTIN of Diplomats",
  "TAN Number",
);
const TAX_PAYMENTS = numbered("IGST Payment", "Against bond or Undertaking", "Not Applicable");
const PICKUP_LOCATIONS = numbered("Same as Origin", "Different");
const CURRENCIES = ["INR", "USD", "EUR"].map((code) => ({ value: code, label: code }));
const EXPORT_TYPES = numbered("UT", "Bond", "Not Applicable");
const SHIPPER_TYPES = numbered("Individual", "MSME");
const SHIPMENT_TYPES = numbered("Parcel", "Document");

/** A short answer in figures, with a decimal point where one is needed. */
const DECIMAL = { short: true, type: "number", inputMode: "decimal" } as const;

const CONSIGNOR: readonly FieldSpec[] = [
  { name: "consignorName", label: "Consignor Name", autoComplete: "name" },
  { name: "consignorCompanyName", label: "Company Name", autoComplete: "organization" },
  { name: "consignorMobile", label: "Mobile", type: "tel" },
  { name: "consignorEmail", label: "Email", type: "email" },
  { name: "consignorContactPerson", seldom: "always", label: "Contact Person" },
  { name: "consignorAddress1", label: "Address Line 1" },
  { name: "consignorAddress2", label: "Address Line 2" },
  { name: "consignorPincode", short: true, label: "Pincode", readOnly: true },
  { name: "consignorCity", short: true, label: "City", readOnly: true },
  { name: "consignorState", short: true, label: "State", readOnly: true },
  { name: "consignorPhone", label: "Telephone", type: "tel" },
  { name: "consignorDocType", label: "Document Type", choices: DOCUMENT_TYPES },
  { name: "consignorDocNumber", label: "Document Number" },
  { name: "consignorGstApplicable", short: true, label: "GST Applicable", choices: YES_NO },
  // Nobody who says that GST does not apply has a number to give.
  { name: "consignorGstNumber", label: "GST Number" },
  { name: "consignorTaxPayment", seldom: "always", label: "Tax Payment", choices: TAX_PAYMENTS },
];

const CONSIGNEE: readonly FieldSpec[] = [
  { name: "consigneeName", label: "Consignee Name" },
  { name: "consigneeCompanyName", seldom: "always", label: "Consignee Company Name" },
  { name: "consigneePhone", label: "Consignee Phone", type: "tel" },
  { name: "tellReceiver", label: "Tell the receiver by SMS", choices: YES_NO, tick: true },
  { name: "consigneeEmail", seldom: "at home", label: "Consignee Email", type: "email" },
  { name: "consigneeContactPerson", seldom: "always", label: "Consignee Contact Person" },
  { name: "consigneeAddress1", label: "Consignee Address Line 1" },
  { name: "consigneeAddress2", label: "Consignee Address Line 2" },
  { name: "consigneePincode", short: true, label: "Consignee Pincode", readOnly: true },
  { name: "consigneeCity", short: true, label: "Consignee City", readOnly: true },
  {
    name: "consigneeState",
    seldom: "at home",
    short: true,
    label: "Consignee State",
    readOnly: true,
  },
  { name: "destinationCountry", short: true, label: "Destination Country", readOnly: true },
  {
    name: "consigneeStateCode",
    seldom: "at home",
    short: true,
    label: "State Code",
    readOnly: true,
  },
  {
    name: "consigneeDocType",
    seldom: "always",
    label: "Consignee Document Type",
    choices: DOCUMENT_TYPES,
  },
  { name: "consigneeGstNumber", seldom: "always", label: "Consignee GST Number" },
  { name: "consigneeReferenceNo", seldom: "always", label: "Reference No." },
];

const PACKAGE: readonly FieldSpec[] = [
  {
    name: "shipmentType",
    short: true,
    label: "Shipment Type",
    readOnly: true,
    choices: SHIPMENT_TYPES,
  },
  { name: "productDesc", label: "Product Description" },
  { name: "packagePcs", short: true, label: "Pieces", type: "number", inputMode: "numeric" },
  { name: "packageWeight", label: "Weight (kg)", hint: "Of one piece", ...DECIMAL },
  { name: "packageLength", label: "Length (cm)", ...DECIMAL },
  { name: "packageWidth", label: "Width (cm)", ...DECIMAL },
  { name: "packageHeight", label: "Height (cm)", ...DECIMAL },
  { name: "hsnCode", seldom: "at home", label: "HSN Code", inputMode: "numeric" },
];

const INVOICE: readonly FieldSpec[] = [
  { name: "invoiceValue", label: "Invoice Value", ...DECIMAL },
  {
    name: "invoiceCurrency",
    seldom: "at home",
    short: true,
    label: "Currency",
    choices: CURRENCIES,
  },
  { name: "invoiceNo", label: "Invoice No." },
  { name: "invoiceDate", seldom: "at home", label: "Invoice Date", type: "date" },
  { name: "custRef", seldom: "always", label: "Customer Reference" },
  { name: "remark", seldom: "always", label: "Remark" },
];

const PICKUP: readonly FieldSpec[] = [
  { name: "pickupRequired", short: true, label: "Pickup Required", choices: YES_NO },
  { name: "pickupLocation", short: true, label: "Pickup Location", choices: PICKUP_LOCATIONS },
  { name: "pickupName", label: "Pickup Name" },
  { name: "pickupPincode", short: true, label: "Pickup Pincode", inputMode: "numeric" },
  { name: "pickupCity", short: true, label: "Pickup City" },
  { name: "pickupState", label: "Pickup State" },
  { name: "pickupAddress1", label: "Pickup Address Line 1" },
  { name: "pickupAddress2", label: "Pickup Address Line 2" },
  { name: "pickupReadyStartTime", short: true, label: "Ready From", type: "time" },
  { name: "pickupReadyEndTime", short: true, label: "Ready Until", type: "time" },
];

const ADDITIONAL: readonly FieldSpec[] = [
  { name: "taxPaid", short: true, label: "Tax Paid", choices: YES_NO },
  { name: "taxAmount", label: "Tax Amount", ...DECIMAL },
  { name: "exportType", short: true, label: "Export Type", choices: EXPORT_TYPES },
  { name: "shipperType", short: true, label: "Shipper Type", choices: SHIPPER_TYPES },
  { name: "msmeId", label: "MSME ID" },
];

/** The details form, section by section. */
export const SECTIONS: readonly SectionSpec[] = [
  {
    title: "Consignor Details",
    more: "More about the sender",
    fields: CONSIGNOR,
    closes: "always",
  },
  { title: "Consignee Details", more: "More about the receiver", fields: CONSIGNEE },
  { title: "Package Details", more: "Weight and size", fields: PACKAGE },
  { title: "Invoice Details", more: "Dates and references", fields: INVOICE },
  { title: "Pickup & Delivery Details", fields: PICKUP },
  { title: "Additional Details", fields: ADDITIONAL, closes: "at home" },
];

/** The fields shown for these values. */
export function fieldsFor(values: Values, international: boolean): ShownField[] {
  return SECTIONS.flatMap((section) => shown(section, values, international));
}

export function shown(section: SectionSpec, values: Values, international: boolean): ShownField[] {
  return section.fields
    .filter(({ name }) => isShown(name, values, international))
    .map((field) => ({ ...field, required: isRequired(field.name, values, international) }));
}

export function isAside(when: "always" | "at home" | undefined, international: boolean): boolean {
  return when === "always" || (when === "at home" && !international);
}

/** The label of a choice, for read-only display and for the review. */
export function choiceLabel(field: FieldSpec, value: string): string {
  return field.choices?.find((choice) => choice.value === value)?.label ?? value;
}
