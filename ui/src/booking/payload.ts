import { destinationCountryId, PARCEL } from "../rates/rate-form";
import type { BookingForm, DraftDocuments, PricedShipment, RateOption, User } from "../wire";
import { draftReader } from "./draft";
import { SECTIONS, type DetailField, type Draft } from "./fields";

/** The body of create-booking, and what it carries besides for couriers that want it. */
type BookingPayload = BookingForm & Record<string, unknown>;

export type Booked = {
  /** The draft that is booked. */
  id?: string;
  quoted: PricedShipment;
  quote: RateOption;
  draft: Draft;
  user: User | null;
  kyc: DraftDocuments | null;
  /** yyyy-mm-dd in India. */
  today: string;
  otp: string;
};

const CURRENCY_CODES: Readonly<Record<string, string>> = { INR: "24", USD: "25" };
const OTHER_CURRENCY = "26";

export function bookingPayload(booked: Booked): BookingPayload {
  const { id = "", quoted, quote, kyc, otp } = booked;
  const { values } = quoted;
  const { quantity, length, breadth, height, hsn_code, currency, ...fields } = fieldsOf(booked);
  const { description, weight, invoice_value } = fields;
  const measures = { quantity, weight, length, breadth, height, hsn_code };
  const goods = { item_description: description, value: invoice_value, ...measures };
  const line = { box_no: "1", description, hsn: hsn_code, quantity, rate: invoice_value };
  return {
    ...fields,
    quote_id: quote.quote_id,
    ...(id === "" ? {} : { draft_id: id }),
    booking_type: Number(values.booking_type),
    origin_pincode: values.origin_pincode,
    destination_pincode: values.destination_pincode,
    destination_country: quoted.country_name,
    destination_country_id: destinationCountryId(values),
    city: fields.consignee_city,
    shipment_type: Number(values.shipment_type),
    unit: {
      weight_unit: "kgs",
      length_unit: "cms",
      currency: CURRENCY_CODES[currency] ?? OTHER_CURRENCY,
    },
    courier_id: quote.product_id,
    courier_name: quote.product_name,
    consigner_first_name: fields.consigner_name.split(/\s+/)[0] ?? "",
    otp,
    // `orgnization_id` is the wire's own spelling.
    kyc_info: {
      orgnization_id: kyc?.organization_id ?? "",
      document_id_1: kyc?.document_1_id ?? "",
      document_path_1: kyc?.document_path_1 ?? "",
      document_id_2: kyc?.document_2_id ?? "",
      document_path_2: kyc?.document_path_2 ?? "",
    },
    ...(values.shipment_type === PARCEL ? { shipment_dimensions: [goods] } : {}),
    ...(isInvoiced(quote)
      ? {
          invoiceData: {
            shipperInvoice: [{ ...line, uom: "Pcs" }],
            gstDataId: "106",
            gstType: "2",
          },
        }
      : {}),
  };
}

/** The typed values with their defaults, under the wire's names. */
function fieldsOf({ draft, quote, user, today }: Booked): Record<DetailField, string> {
  const text = draftReader(draft);
  const defaults: Draft = {
    consigner_company: user?.company_name ?? "",
    consigner_email: user?.email ?? "",
    booking_invoice_date: today,
  };
  const names = SECTIONS.flatMap((section) => section.fields.map(({ name }) => name));
  const sentNames = names.filter((name) => {
    if (name === "shipper_type") return isDhl(quote);
    return name !== "consignee_gst_number" || text(name) !== "";
  });
  const entries = sentNames.map((name) => [
    name,
    text(pickedUpAt(name, text), defaults[name] || undefined),
  ]);
  return Object.fromEntries(entries) as Record<DetailField, string>;
}

/** "Same as Origin" repeats the consignor's address, so that the courier reads one place only. */
function pickedUpAt(name: DetailField, text: (name: DetailField) => string): DetailField {
  const own = name.replace("pickup_", "consigner_") as DetailField;
  return text("pickup_location") === "1" && PICKUP_PLACE.has(name) ? own : name;
}

const PICKUP_PLACE: ReadonlySet<DetailField> = new Set([
  "pickup_name",
  "pickup_pincode",
  "pickup_city",
  "pickup_state",
  "pickup_address_1",
  "pickup_address_2",
]);

/** The courier that wants to know who ships. */
function isDhl(quote: RateOption): boolean {
  return /dhl/i.test(quote.parent_vendor);
}

/** These couriers want the goods' invoice line by line. */
function isInvoiced(quote: RateOption): boolean {
  return /ups|fedex|dhl/i.test(quote.parent_vendor);
}
