import { describe, expect, test } from "vitest";
import {
  needsKyc,
  needsOtp,
  reduce,
  START,
  STEP_TITLES,
  stepsOf,
  type Action,
  type Flow,
} from "./flow";
import type { OtpAsked } from "./otp";
import { option, quoted } from "./sample";

const KYC = {
  organization_id: "1",
  document_1_id: "1",
  document_2_id: "2",
  document_path_1: "a",
  document_path_2: "b",
};
const RESULT = {
  airwaybilno: "DK1",
  booking_id: "b1",
  pickup_id: "",
  dispatch_url: "",
  invoice_url: "",
  amount: 212.4,
  balance: 787.6,
};

const OTP: OtpAsked = { quoteId: "quote-1", text: "An OTP was sent.", againMs: 0, inboxUrl: null };

/** Walks a flow through actions. */
function walk(...actions: Action[]): Flow {
  return actions.reduce(reduce, START);
}

function toDetails(rate = option(), foreign = false): Action[] {
  return [
    { type: "rates arrived", quoted: quoted([rate], foreign) },
    { type: "rate selected", index: 0 },
    { type: "proceeded" },
  ];
}

const priced = (rate = option()): Action => ({
  type: "details priced",
  draft: { consigneeName: "Meera" },
  quote: rate,
});
const back: Action = { type: "went back" };
const kyc: Action = { type: "kyc uploaded", kyc: KYC };
const otp: Action = { type: "otp asked", otp: OTP };
const booked: Action = { type: "booked", result: RESULT };

describe("the wizard's steps", () => {
  test.each([
    ["domestic", option(), false, ["rate", "details", "review", "success"]],
    ["international", option(), true, ["rate", "details", "kyc", "review", "success"]],
    [
      "a product that wants KYC",
      option({ kyc_required: true }),
      false,
      ["rate", "details", "kyc", "review", "success"],
    ],
    [
      "DHL-type without KYC",
      option({ otp_required: true }),
      false,
      ["rate", "details", "review", "otp", "success"],
    ],
    [
      "DHL-type with KYC",
      option({ otp_required: true }),
      true,
      ["rate", "details", "kyc", "review", "otp", "success"],
    ],
  ])("of a %s booking", (_name, rate, foreign, steps) => {
    expect(stepsOf(walk(...toDetails(rate, foreign)))).toEqual(steps);
  });

  test("are those of a booking abroad, which is preselected, until it is within India", () => {
    expect(stepsOf(START)).toEqual(["rate", "details", "kyc", "review", "success"]);
    const { values } = quoted([]);
    const domestic = walk({ type: "rates cleared", rate: values });
    expect(stepsOf(domestic).map((step) => STEP_TITLES[step])).toEqual([
      "Calculate Rate & Select Service",
      "Enter Booking Details",
      "Review & Confirm",
      "Booking Successful",
    ]);
  });
});

describe("going forward", () => {
  const uncertain: [string, Action[], string][] = [
    ["proceeding without a rate stays", [{ type: "proceeded" }], "rate"],
    ["a selected rate opens the details", toDetails(), "details"],
    ["domestic details lead to review", [...toDetails(), priced()], "review"],
    ["international details lead to KYC", [...toDetails(option(), true), priced()], "kyc"],
    ["KYC leads to review", [...toDetails(option(), true), priced(), kyc], "review"],
    [
      "KYC is asked once",
      [...toDetails(option(), true), priced(), kyc, back, back, priced()],
      "review",
    ],
    ["an OTP follows review", [...toDetails(), priced(), otp], "otp"],
    ["an OTP asked for again stays", [...toDetails(), priced(), otp, otp], "otp"],
    [
      "an OTP of another quote changes nothing",
      [...toDetails(), priced(option({ quote_id: "quote-2" })), otp],
      "review",
    ],
    ["an OTP ends in success", [...toDetails(), priced(), otp, booked], "success"],
    ["booking ends in success", [...toDetails(), priced(), booked], "success"],
    ["KYC uploaded elsewhere changes nothing", [...toDetails(), kyc], "details"],
  ];
  test.each(uncertain)("%s", (_name, actions, step) => expect(walk(...actions).step).toBe(step));
});

describe("going back", () => {
  const cases: [string, Action[], string][] = [
    ["from the rates stays", [back], "rate"],
    ["from details to the rates", [...toDetails(), back], "rate"],
    ["from review to details", [...toDetails(), priced(), back], "details"],
    ["from KYC to details", [...toDetails(option(), true), priced(), back], "details"],
    ["from review to KYC", [...toDetails(option(), true), priced(), kyc, back], "kyc"],
    ["from OTP to review", [...toDetails(), priced(), otp, back], "review"],
    ["from success stays", [...toDetails(), priced(), booked, back], "success"],
  ];
  test.each(cases)("%s", (_name, actions, step) => expect(walk(...actions).step).toBe(step));

  test("keeps what was typed", () => {
    const flow = walk(...toDetails(), {
      type: "went back",
      typed: { details: { consigneeName: "Ravi" } },
    });
    expect(flow.draft?.consigneeName).toBe("Ravi");
  });
});

describe("the browser's Back and Forward", () => {
  const to = (step: Flow["step"], details?: object): Action => ({
    type: "went to",
    to: step,
    typed: details === undefined ? {} : { details },
  });
  const cases: [string, Action[], string][] = [
    ["lead to the rates and on again", [...toDetails(), to("rate"), to("details")], "details"],
    [
      "lead to a price that still holds",
      [...toDetails(), priced(), to("rate"), to("review")],
      "review",
    ],
    ["lead over several steps", [...toDetails(option(), true), priced(), kyc, to("rate")], "rate"],
    ["lead to no details without a service", [to("details")], "rate"],
    [
      "lead to no details once step 1 was changed",
      [...toDetails(), to("rate"), { type: "rates cleared" }, to("details")],
      "rate",
    ],
    [
      "lead to no price of other details",
      [...toDetails(), priced(), back, to("review", { consigneeName: "Ravi" })],
      "details",
    ],
    ["lead past no documents", [...toDetails(option(), true), priced(), to("review")], "kyc"],
    ["lead to no code that nobody asked for", [...toDetails(), priced(), to("otp")], "review"],
    [
      "lead back to a code that was asked for",
      [...toDetails(), priced(), otp, back, to("otp")],
      "otp",
    ],
    [
      "lead out of no booking that was made",
      [...toDetails(), priced(), booked, to("review")],
      "success",
    ],
  ];
  test.each(cases)("%s", (_name, actions, step) => expect(walk(...actions).step).toBe(step));
});

describe("prices", () => {
  test("say old and new when the real measures cost something else", () => {
    const flow = walk(...toDetails(), priced(option({ grand_total_with_gst: 300 })));
    expect(flow.oldPrice).toBe(212.4);
    expect(flow.quote?.grand_total_with_gst).toBe(300);
  });

  test("say nothing when it is the same", () => {
    expect(walk(...toDetails(), priced()).oldPrice).toBeNull();
  });

  test("refused at confirmation come back to review with the fresh one", () => {
    const fresh = option({ quote_id: "quote-2", grand_total_with_gst: 250 });
    const flow = walk(...toDetails(), priced(), { type: "price changed", quote: fresh });
    expect(flow).toMatchObject({ step: "review", oldPrice: 212.4 });
    expect(flow.quote?.quote_id).toBe("quote-2");
  });

  test("of another shipment forget the old selection and its measures, not the people", () => {
    const typed = { consigneeName: "Meera", packageWeight: "9", consigneeCity: "Agra" };
    const flow = walk(
      ...toDetails(),
      { type: "went back", typed: { details: typed } },
      { type: "rates cleared" },
      { type: "rates arrived", quoted: quoted([option()]) },
    );
    expect(flow.selected).toBeNull();
    expect(flow.draft).toEqual({ consigneeName: "Meera" });
  });

  test("of the same route keep what step 1 did not know", () => {
    const places = {
      consignorPincode: "560001",
      consigneePincode: "10001",
      destinationCountry: "United States",
      consigneeCity: "New York",
    };
    const draft = { ...places, shipmentType: "1", packageWeight: "9", packageHeight: "15" };
    const flow = walk(
      { type: "restored", flow: { ...START, draft } },
      { type: "rates arrived", quoted: quoted([option()], true) },
    );
    expect(flow.draft).toEqual(places);
  });

  test("of a country without postal codes keep what was typed in the place of one", () => {
    const dubai = quoted([option()], true);
    dubai.values.destination_pincode = "";
    const draft = { consigneePincode: "00000", destinationCountry: dubai.countryName };
    const flow = walk(
      { type: "restored", flow: { ...START, draft } },
      { type: "rates arrived", quoted: dubai },
    );
    expect(flow.draft).toEqual(draft);
  });
});

test("KYC is needed abroad and where the product says so, and nowhere else", () => {
  expect(needsKyc(walk(...toDetails()))).toBe(false);
  expect(needsKyc(walk(...toDetails(option(), true)))).toBe(true);
  expect(needsKyc(walk(...toDetails(option({ kyc_required: true }))))).toBe(true);
});

test("an OTP is a step where the product says so, and for the quote it was asked for", () => {
  expect(needsOtp(walk(...toDetails()))).toBe(false);
  expect(needsOtp(walk(...toDetails(option({ otp_required: true }))))).toBe(true);
  const asked = walk(...toDetails(), priced(), otp);
  expect(stepsOf(asked)).toEqual(["rate", "details", "review", "otp", "success"]);
  const fresh = option({ quote_id: "quote-2" });
  const requoted = reduce(asked, { type: "price changed", quote: fresh });
  expect(requoted.step).toBe("review");
  expect(needsOtp(requoted)).toBe(false);
});

test("creating a new booking clears everything", () => {
  const again: Action = { type: "restored", flow: START };
  expect(walk(...toDetails(), priced(), booked, again)).toEqual(START);
});

test("a price that was calculated again changes no step", () => {
  const fresh = option({ quote_id: "quote-2", grand_total_with_gst: 250 });
  const flow = walk(...toDetails(option(), true), priced(), {
    type: "price renewed",
    quote: fresh,
  });
  expect(flow).toMatchObject({ step: "kyc", oldPrice: 212.4, quote: fresh });
  expect(reduce(START, { type: "price renewed", quote: fresh }), "too late").toBe(START);
});
