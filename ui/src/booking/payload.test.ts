import { describe, expect, test } from "vitest";
import { collectDraft, draftErrors, missingLabels, startDraft } from "./draft";
import type { Draft } from "./fields";
import { bookingPayload, type Booked } from "./payload";
import { priceRequest } from "./price-request";
import { option, quoted, USER } from "./sample";

const TYPED: Draft = {
  consigner_address_1: "1 MG Road",
  consigner_doc_number: "29AAACD1234E1Z5",
  consigner_gst_number: "29AAACD1234E1Z5",
  consignee_name: " Meera Iyer ",
  consignee_mobile: "9000000001",
  consignee_address_1: "12 Janpath",
  description: "Cotton shirts",
  breadth: "20",
  height: "10",
  invoice_value: "1500",
};

function start(typed: Draft | null = null, foreign = false): Draft {
  return startDraft({
    quoted: quoted([option()], foreign),
    user: USER,
    today: "2026-09-28",
    typedDraft: typed,
  });
}

function booked(draft: Draft, changes: Partial<Booked> = {}): Booked {
  return {
    quoted: quoted([option()]),
    quote: option(),
    draft,
    user: USER,
    kyc: null,
    today: "2026-09-28",
    otp: "",
    ...changes,
  };
}

describe("the details form", () => {
  test("begins with defaults, the profile and the shipment; what was typed wins", () => {
    expect(start()).toMatchObject({
      currency: "INR",
      pickup_required: "2",
      pickup_location: "1",
      consigner_name: "Asha Rao",
      consigner_email: "asha@rao.example",
      consigner_contact_person: "Asha Rao",
      consigner_gst_number: "29AABCR1234F1ZO",
      consigner_city: "Bengaluru",
      consignee_state: "Delhi",
      quantity: "2",
      weight: "2.5",
      length: "30",
      booking_invoice_date: "2026-09-28",
    });
    expect(start({ weight: "4" }).weight).toBe("4");
  });

  test("names every required field that is empty", () => {
    expect(missingLabels(start(), false)).toEqual([
      "Address Line 1",
      "Consignee Name",
      "Consignee Phone",
      "Consignee Address Line 1",
      "Product Description",
      "Invoice Value",
    ]);
  });

  test("is complete for a domestic parcel", () => {
    expect(draftErrors(start(TYPED), false)).toEqual([]);
  });

  test("asks for the pickup address only when it is a different one", () => {
    const elsewhere = start({ ...TYPED, pickup_location: "2" });
    expect(missingLabels(elsewhere, false)).toEqual([
      "Pickup Name",
      "Pickup Pincode",
      "Pickup City",
      "Pickup State",
      "Pickup Address Line 1",
    ]);
  });

  test("asks for no GST number where GST does not apply", () => {
    const draft = start({ ...TYPED, consigner_gst_applicable: "2", consigner_gst_number: "" });
    expect(draftErrors(draft, false)).toEqual([]);
  });

  test("refuses measures below the minimum and malformed email addresses", () => {
    const draft = start({ ...TYPED, quantity: "0", weight: "0.05", consignee_email: "x" });
    expect(draftErrors(draft, false)).toEqual([
      { path: "consignee_email", message: "Please enter a valid email address." },
      { path: "quantity", message: "Please enter a whole number from 1 to 999." },
      {
        path: "weight",
        message: "Please enter a weight in kg from 0.1 to 1000, with at most three decimals.",
      },
    ]);
    const halves = draftErrors(start({ ...TYPED, quantity: "1.5" }), false);
    expect(halves).toEqual([
      { path: "quantity", message: "Please enter a whole number from 1 to 999." },
    ]);
  });

  test("forgets what is no longer shown", () => {
    const typed = { ...TYPED, pickup_location: "1", pickup_city: "Agra" } as Record<string, string>;
    expect(collectDraft(start(), typed, false)).not.toHaveProperty("pickup_city");
  });
});

describe("the booking payload", () => {
  test("of a domestic parcel has the wire's names, codes and defaults", () => {
    expect(bookingPayload(booked(start(TYPED)))).toMatchObject({
      quote_id: "quote-1",
      booking_type: 2,
      origin_pincode: "560001",
      destination_pincode: "110001",
      destination_country: "India",
      destination_country_id: 97,
      city: "New Delhi",
      shipment_type: 1,
      weight: "2.5",
      description: "Cotton shirts",
      unit: { weight_unit: "kgs", length_unit: "cms", currency: "24" },
      courier_id: 7,
      courier_name: "House Surface",
      consigner_first_name: "Asha",
      consigner_company: "Rao Textiles",
      consignee_name: "Meera Iyer",
      consignee_company: "Individual",
      consignee_mobile: "9000000001",
      booking_invoice_date: "2026-09-28",
      pickup_pincode: "560001",
      tax_amount: "0",
      export_type: "3",
      otp: "",
      kyc_info: { orgnization_id: "", document_path_1: "" },
      shipment_dimensions: [
        { value: "1500", quantity: "2", length: "30", breadth: "20", height: "10" },
      ],
    });
  });

  test("leaves out what does not apply", () => {
    const payload = bookingPayload(booked(start(TYPED)));
    expect(payload).not.toHaveProperty("invoiceData");
    expect(payload).not.toHaveProperty("consignee_gst_number");
    expect(payload).not.toHaveProperty("shipper_type");
    const papers = quoted([option()]);
    papers.values.shipment_type = "2";
    expect(bookingPayload(booked(start(TYPED), { quoted: papers }))).not.toHaveProperty(
      "shipment_dimensions",
    );
  });

  test.each(["UPS Express", "fedex", "DHL Worldwide"])(
    "has the invoice's lines for %s",
    (vendor) => {
      const quote = option({ parent_vendor: vendor });
      expect(bookingPayload(booked(start(TYPED), { quote })).invoiceData).toEqual({
        shipperInvoice: [
          {
            box_no: "1",
            description: "Cotton shirts",
            hsn: "",
            quantity: "2",
            rate: "1500",
            uom: "Pcs",
          },
        ],
        gstDataId: "106",
        gstType: "2",
      });
    },
  );

  test.each([
    ["INR", "24"],
    ["USD", "25"],
    ["EUR", "26"],
  ])("writes %s as currency %s", (currency, code) => {
    const payload = bookingPayload(booked(start({ ...TYPED, currency })));
    expect(payload.unit).toMatchObject({ currency: code });
  });

  test("falls back to a company and an email address when nobody gave one", () => {
    const draft = start({ ...TYPED, consigner_company: "", consigner_email: "" });
    expect(bookingPayload(booked(draft, { user: null }))).toMatchObject({
      consigner_company: "Default Company",
      consigner_email: "not-given@example.invalid",
    });
  });

  test("tells the DHL-type courier who ships", () => {
    const dhl = { quote: option({ parent_vendor: "dhl" }) };
    expect(bookingPayload(booked(start(TYPED), dhl))).toMatchObject({ shipper_type: "1" });
    const msme = start({ ...TYPED, shipper_type: "2", msme_id: "UDYAM-1" });
    expect(bookingPayload(booked(msme, dhl))).toMatchObject({
      shipper_type: "2",
      msme_id: "UDYAM-1",
    });
  });

  test("is priced on the same measures and for the same GSTIN", () => {
    const draft = start({ ...TYPED, consigner_gst_applicable: "2" });
    expect(priceRequest(quoted([option()]), draft)).toEqual({
      booking_type: 2,
      origin_pincode: "560001",
      destination_pincode: "110001",
      shipment_type: 1,
      weight: 2.5,
      length: 30,
      width: 20,
      height: 10,
      quantity: 2,
    });
    expect(priceRequest(quoted([option()], true), start(TYPED, true))).toMatchObject({
      destination_country: "231",
      consigner_gst_number: "29AAACD1234E1Z5",
    });
  });
});
