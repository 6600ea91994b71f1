import { RATE_DEFAULTS } from "../rates/rate-form";
import type {
  BookedShipment,
  DraftDocuments,
  KeptDraft,
  PricedShipment,
  RateOption,
  User,
} from "../wire";
import type { OtpRequest } from "./otp";

/** Values for the tests of this folder. */
export function option(changes: Partial<RateOption> = {}): RateOption {
  return {
    product_name: "House Surface",
    parent_vendor: "house",
    product_id: 7,
    grand_total_with_gst: 212.4,
    tat_days: 4,
    quote_id: "quote-1",
    kyc_required: false,
    otp_required: false,
    breakdown: {
      zone: "D",
      actual_grams: 2500,
      volumetric_grams: 1800,
      chargeable_grams: 2500,
      lines: [],
      taxable: 180,
      gst: 32.4,
      total: 212.4,
    },
    ...changes,
  };
}

export function quoted(rates: RateOption[], foreign = false): PricedShipment {
  return {
    values: {
      ...RATE_DEFAULTS,
      booking_type: foreign ? "1" : "2",
      destination_country: foreign ? "231" : "",
      origin_pincode: "560001",
      destination_pincode: foreign ? "10001" : "110001",
      weight: "2.5",
      length: "30",
      quantity: "2",
    },
    origin: { state: "Karnataka", city_area: "Bengaluru", state_code: "KA" },
    destination: foreign
      ? { state: "New York", city_area: "New York", state_code: "NY" }
      : { state: "Delhi", city_area: "New Delhi", state_code: "DL" },
    country_name: foreign ? "United States" : "India",
    rates,
    notes: [],
  };
}

export const USER: User = {
  first_name: "Asha",
  last_name: "Rao",
  username: "asha",
  email: "asha@rao.example",
  phone: "9876543210",
  gstin: "29AABCR1234F1ZO",
  company_name: "Rao Textiles",
  balance: 5000,
  phone_confirmed: false,
  passkeys: 0,
};

/** The browser's storage. */
export function memoryStorage(): Storage {
  const entries = new Map<string, string>();
  return {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  } as unknown as Storage;
}

export const KYC: DraftDocuments = {
  organization_id: "1",
  document_1_id: "1",
  document_2_id: "2",
  document_path_1: "a",
  document_path_2: "b",
};

export const OTP: OtpRequest = {
  quoteId: "quote-1",
  text: "An OTP was sent.",
  againMs: 0,
  inboxUrl: null,
};

export const BOOKED: BookedShipment = {
  airwaybilno: "DK1",
  booking_id: "b1",
  pickup_id: "",
  handover: "",
  dispatch_url: "",
  invoice_url: "",
  amount: 212.4,
  balance: 787.6,
};

/** The server's answer when nothing was begun. */
export const NO_DRAFT: KeptDraft = {
  revision: 0,
  content: null,
  replaces: false,
  expired: false,
  pending: false,
  booked: null,
  last: null,
};
