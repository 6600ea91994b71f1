import type { Quoted } from "../rates/quote";
import { destinationCountryId, PARCEL } from "../rates/rate-form";
import type { BookingForm, RateOption, User } from "../wire";
import { reader, type Draft } from "./draft";
import type { DetailField } from "./fields";
import type { Kyc } from "./flow";

/** The body of create-booking, and what it carries besides for couriers that want it. */
export type BookingPayload = BookingForm & Record<string, unknown>;

export type Booked = {
  quoted: Quoted;
  quote: RateOption;
  draft: Draft;
  user: User | null;
  kyc: Kyc | null;
  /** yyyy-mm-dd in India. */
  today: string;
  otp: string;
};

const CURRENCY_CODES: Readonly<Record<string, string>> = { INR: "24", USD: "25" };
const OTHER_CURRENCY = "26";

export function bookingPayload(booked: Booked): BookingPayload {
  const text = reader(booked.draft);
  const { quoted, quote } = booked;
  const { values } = quoted;
  const parcel = values.shipment_type === PARCEL;
  return {
    quote_id: quote.quote_id,
    booking_type: Number(values.booking_type),
    origin_pincode: values.origin_pincode,
    destination_pincode: values.destination_pincode,
    destination_country: quoted.countryName,
    destination_country_id: destinationCountryId(values),
    city: text("consigneeCity"),
    shipment_type: Number(values.shipment_type),
    weight: text("packageWeight"),
    description: text("productDesc"),
    unit: {
      weight_unit: "kgs",
      length_unit: "cms",
      currency: CURRENCY_CODES[text("invoiceCurrency")] ?? OTHER_CURRENCY,
    },
    courier_id: quote.product_id,
    courier_name: quote.product_name,
    ...consigner(booked),
    ...consignee(booked),
    ...invoice(booked),
    ...pickup(booked),
    tax_paid: text("taxPaid"),
    tax_amount: text("taxAmount"),
    export_type: text("exportType"),
    ...(isDhl(quote) ? { shipper_type: text("shipperType") } : {}),
    msme_id: text("msmeId"),
    otp: booked.otp,
    kyc_info: kycInfo(booked.kyc),
    ...(parcel ? { shipment_dimensions: [dimensions(booked)] } : {}),
    ...(invoicedVendor(quote) ? { invoiceData: invoiceData(booked) } : {}),
  };
}

function consigner({ draft, user }: Booked) {
  const text = reader(draft);
  const [firstName = ""] = text("consignorName").split(/\s+/);
  return {
    consigner_name: text("consignorName"),
    consigner_first_name: firstName,
    consigner_company: text("consignorCompanyName", user?.company_name || undefined),
    consigner_mobile: text("consignorMobile"),
    consigner_phone: text("consignorPhone"),
    consigner_email: text("consignorEmail", user?.email || undefined),
    consigner_contact_person: text("consignorContactPerson"),
    consigner_address_1: text("consignorAddress1"),
    consigner_address_2: text("consignorAddress2"),
    consigner_city: text("consignorCity"),
    consigner_pincode: text("consignorPincode"),
    consigner_state: text("consignorState"),
    consigner_doc_type: text("consignorDocType"),
    consigner_doc_number: text("consignorDocNumber"),
    consigner_gst_number: text("consignorGstNumber"),
    consigner_gst_applicable: text("consignorGstApplicable"),
    consigner_tax_payment: text("consignorTaxPayment"),
  };
}

function consignee({ draft }: Booked) {
  const text = reader(draft);
  const gst = text("consigneeGstNumber");
  return {
    consignee_name: text("consigneeName"),
    consignee_company: text("consigneeCompanyName"),
    consignee_mobile: text("consigneePhone"),
    tell_receiver: text("tellReceiver"),
    consignee_email: text("consigneeEmail"),
    consignee_contact_person: text("consigneeContactPerson"),
    consignee_address_1: text("consigneeAddress1"),
    consignee_address_2: text("consigneeAddress2"),
    consignee_city: text("consigneeCity"),
    consignee_pincode: text("consigneePincode"),
    consignee_state: text("consigneeState"),
    consignee_state_code: text("consigneeStateCode"),
    consignee_doc_type: text("consigneeDocType"),
    consignee_reference_no: text("consigneeReferenceNo"),
    ...(gst === "" ? {} : { consignee_gst_number: gst }),
  };
}

function invoice({ draft, today }: Booked) {
  const text = reader(draft);
  return {
    booking_invoice_number: text("invoiceNo"),
    booking_invoice_date: text("invoiceDate", today),
    invoice_value: text("invoiceValue"),
    customer_reference: text("custRef"),
    remark: text("remark"),
  };
}

/** "Same as Origin" repeats the consignor's address, so that the courier reads one place only. */
function pickup({ draft }: Booked) {
  const text = reader(draft);
  const same = text("pickupLocation") === "1";
  const from = (other: DetailField, own: DetailField) => text(same ? own : other);
  return {
    pickup_required: text("pickupRequired"),
    pickup_location: text("pickupLocation"),
    pickup_name: from("pickupName", "consignorName"),
    pickup_pincode: from("pickupPincode", "consignorPincode"),
    pickup_city: from("pickupCity", "consignorCity"),
    pickup_state: from("pickupState", "consignorState"),
    pickup_address_1: from("pickupAddress1", "consignorAddress1"),
    pickup_address_2: from("pickupAddress2", "consignorAddress2"),
    pickup_ready_start_time: text("pickupReadyStartTime"),
    pickup_ready_end_time: text("pickupReadyEndTime"),
  };
}

function dimensions({ draft }: Booked) {
  const text = reader(draft);
  return {
    item_description: text("productDesc"),
    value: text("invoiceValue"),
    quantity: text("packagePcs"),
    weight: text("packageWeight"),
    length: text("packageLength"),
    breadth: text("packageWidth"),
    height: text("packageHeight"),
    hsn_code: text("hsnCode"),
  };
}

/** `orgnization_id` is the wire's own spelling. */
function kycInfo(kyc: Kyc | null) {
  return {
    orgnization_id: kyc?.organization_id ?? "",
    document_id_1: kyc?.document_1_id ?? "",
    document_path_1: kyc?.document_path_1 ?? "",
    document_id_2: kyc?.document_2_id ?? "",
    document_path_2: kyc?.document_path_2 ?? "",
  };
}

/** The courier that wants to know who ships. */
function isDhl(quote: RateOption): boolean {
  return /dhl/i.test(quote.parent_vendor);
}

/** These couriers want the goods' invoice line by line. */
function invoicedVendor(quote: RateOption): boolean {
  return /ups|fedex|dhl/i.test(quote.parent_vendor);
}

function invoiceData({ draft }: Booked) {
  const text = reader(draft);
  const line = {
    box_no: "1",
    description: text("productDesc"),
    hsn: text("hsnCode"),
    quantity: text("packagePcs"),
    rate: text("invoiceValue"),
    uom: "Pcs",
  };
  return { shipperInvoice: [line], gstDataId: "106", gstType: "2" };
}
