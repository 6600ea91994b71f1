import { readCount, readGrams, readLength, readPin, unmarked } from "../lib/input";
import { INDIA_COUNTRY_ID, PIECES_MIN, PINCODE_DIGITS, SIDE_CM_MIN } from "../lib/limits";
import { numberedChoices, type Choice } from "../parts/field";
import {
  SIDE_CM_MAX,
  WEIGHT_GRAMS_MAX,
  WEIGHT_GRAMS_MIN,
  type FieldError,
  type RateForm,
  type RateRequest,
} from "../wire";

/** Booking and shipment types as the wire writes them. */
export const INTERNATIONAL = "1";
export const DOMESTIC = "2";
export const PARCEL = "1";

export const BOOKING_TYPES: readonly Choice[] = [
  { value: DOMESTIC, label: "Domestic" },
  { value: INTERNATIONAL, label: "International" },
];

export const SHIPMENT_TYPES = numberedChoices("Parcel", "Document");

export type RateField = keyof RateForm;

/** A small parcel abroad. */
export const RATE_DEFAULTS: RateForm = {
  booking_type: INTERNATIONAL,
  destination_country: "",
  shipment_type: PARCEL,
  origin_pincode: "",
  destination_pincode: "",
  city: "",
  weight: "1",
  length: "10",
  width: "10",
  height: "10",
  quantity: "1",
};

/** The form's values over the defaults; unknown names are left out. */
export function rateValues(form: Partial<RateForm> | null): RateForm {
  const values = (Object.keys(RATE_DEFAULTS) as RateField[]).map((name) => [
    name,
    form?.[name]?.trim() ?? RATE_DEFAULTS[name],
  ]);
  return Object.fromEntries(values) as RateForm;
}

/** The errors that need no question to the server. */
export function rateErrors(values: RateForm): FieldError[] {
  const errors: FieldError[] = [];
  const wrong = (path: RateField, message: string) => errors.push({ path, message });
  const international = values.booking_type === INTERNATIONAL;
  const { origin_pincode, destination_pincode } = readRateValues(values);
  const pin = new RegExp(`^\\d{${PINCODE_DIGITS}}$`);
  if (international && values.destination_country === "") {
    wrong("destination_country", "Choose the destination country");
  }
  if (!pin.test(origin_pincode)) wrong("origin_pincode", "Enter a PIN code of 6 digits");
  if (!international && !pin.test(destination_pincode)) {
    wrong("destination_pincode", "Enter a PIN code of 6 digits");
  }
  const grams = readGrams(values.weight);
  if (grams === null || grams < WEIGHT_GRAMS_MIN || grams > WEIGHT_GRAMS_MAX) {
    wrong("weight", "Please enter a weight in kg from 0.1 to 1000, with at most three decimals.");
  }
  if (values.shipment_type === PARCEL) {
    for (const side of SIDES) {
      // Without a side, the shipment is priced on its weight; the real size is asked for later.
      if (values[side] !== "" && !isSide(values[side]))
        wrong(side, "Please enter centimetres from 1 to 1000.");
    }
    const pieces = readCount(values.quantity);
    if (pieces === null || pieces < PIECES_MIN) wrong("quantity", "Enter at least 1");
  }
  return errors;
}

/** The sides of a piece, as the wire names them. */
const SIDES = ["length", "width", "height"] as const;

/** A side may be left out. */
function isSide(text: string): boolean {
  const side = readLength(text);
  if (side === null) return text === "";
  return side >= SIDE_CM_MIN * 1_000 && side <= SIDE_CM_MAX * 1_000;
}

/** The values as the wire writes them, however they were typed. What is no value stays as it is. */
export function readRateValues(values: RateForm): RateForm {
  const { origin_pincode, destination_pincode, weight, length, width, height } = values;
  const inThousands = (text: string, number: number | null) =>
    number === null ? text : String(number / 1_000);
  const foreign = values.booking_type === INTERNATIONAL;
  return {
    ...values,
    origin_pincode: readPin(origin_pincode),
    destination_pincode: foreign ? unmarked(destination_pincode) : readPin(destination_pincode),
    weight: inThousands(weight, readGrams(weight)),
    length: inThousands(length, readLength(length)),
    width: inThousands(width, readLength(width)),
    height: inThousands(height, readLength(height)),
    quantity: String(readCount(values.quantity) ?? values.quantity),
  };
}

/**
 * The body of calculate-rate: numbers as numbers, a country only abroad, and always one piece for
 * documents.
 */
export function rateRequest(values: RateForm): RateRequest {
  const parcel = values.shipment_type === PARCEL;
  const request: RateRequest = {
    booking_type: Number(values.booking_type),
    origin_pincode: values.origin_pincode,
    destination_pincode: values.destination_pincode,
    shipment_type: Number(values.shipment_type),
    weight: Number(values.weight),
    length: Number(values.length) || 0,
    quantity: parcel ? Number.parseInt(values.quantity, 10) : 1,
  };
  if (parcel) {
    request.width = Number(values.width) || 0;
    request.height = Number(values.height) || 0;
  }
  if (values.booking_type === INTERNATIONAL) {
    request.destination_country = values.destination_country;
    if (values.city !== "") request.city = values.city;
  }
  return request;
}

/** The country whose postal codes the destination is checked against. */
export function destinationCountryId(values: RateForm): number {
  return values.booking_type === INTERNATIONAL
    ? Number(values.destination_country)
    : INDIA_COUNTRY_ID;
}
