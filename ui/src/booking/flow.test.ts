import { describe, expect, test } from "vitest";
import {
  needsKyc,
  needsOtp,
  reduce,
  NEW_FLOW,
  STEP_TITLES,
  flowSteps,
  type Action,
  type Flow,
} from "./flow";
import { BOOKED, KYC, option, OTP, quoted } from "./sample";

/** Walks a flow through actions. */
function reduceAll(...actions: Action[]): Flow {
  return actions.reduce(reduce, NEW_FLOW);
}

function toDetails(rate = option(), foreign = false): Action[] {
  return [
    { type: "rates arrived", quoted: quoted([rate], foreign) },
    { type: "rate selected", index: 0 },
    { type: "proceeded" },
  ];
}

/** A rate abroad, as the server gives it. */
const ABROAD = option({ kyc_required: true });

const priced = (rate = option()): Action => ({
  type: "details priced",
  draft: { consignee_name: "Meera" },
  quote: rate,
});
const back: Action = { type: "went back" };
const kyc: Action = { type: "kyc uploaded", kyc: KYC };
const otp: Action = { type: "otp asked", otp: OTP };
const booked: Action = { type: "booked", result: BOOKED };
/** A booking within India and one abroad, up to their prices. */
const atHome = [...toDetails(), priced()];
const abroad = [...toDetails(ABROAD, true), priced(ABROAD)];

/** Cases: actions and the step that they lead to. */
function leads(cases: [string, Action[], string][]) {
  test.each(cases)("%s", (_name, actions, step) => expect(reduceAll(...actions).step).toBe(step));
}

describe("the wizard's steps", () => {
  test.each([
    ["domestic", option(), false, ["rate", "details", "review", "success"]],
    ["international", ABROAD, true, ["rate", "details", "kyc", "review", "success"]],
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
      option({ otp_required: true, kyc_required: true }),
      true,
      ["rate", "details", "kyc", "review", "otp", "success"],
    ],
  ])("of a %s booking", (_name, rate, foreign, steps) => {
    expect(flowSteps(reduceAll(...toDetails(rate, foreign)))).toEqual(steps);
  });

  test("are those of a booking abroad, which is preselected, until it is within India", () => {
    expect(flowSteps(NEW_FLOW)).toEqual(["rate", "details", "kyc", "review", "success"]);
    const { values } = quoted([]);
    const domestic = reduceAll({ type: "rates cleared", rate: values });
    expect(flowSteps(domestic).map((step) => STEP_TITLES[step])).toEqual([
      "Calculate Rate & Select Service",
      "Enter Booking Details",
      "Review & Confirm",
      "Booking Successful",
    ]);
  });
});

describe("going forward", () => {
  leads([
    ["proceeding without a rate stays", [{ type: "proceeded" }], "rate"],
    ["a selected rate opens the details", toDetails(), "details"],
    ["domestic details lead to review", atHome, "review"],
    ["international details lead to KYC", abroad, "kyc"],
    ["KYC leads to review", [...abroad, kyc], "review"],
    ["KYC is asked once", [...abroad, kyc, back, back, priced(ABROAD)], "review"],
    ["an OTP follows review", [...atHome, otp], "otp"],
    ["an OTP asked for again stays", [...atHome, otp, otp], "otp"],
    [
      "an OTP of another quote changes nothing",
      [...toDetails(), priced(option({ quote_id: "quote-2" })), otp],
      "review",
    ],
    ["an OTP ends in success", [...atHome, otp, booked], "success"],
    ["booking ends in success", [...atHome, booked], "success"],
    ["KYC uploaded elsewhere changes nothing", [...toDetails(), kyc], "details"],
  ]);
});

describe("going back", () => {
  leads([
    ["from the rates stays", [back], "rate"],
    ["from details to the rates", [...toDetails(), back], "rate"],
    ["from review to details", [...atHome, back], "details"],
    ["from KYC to details", [...abroad, back], "details"],
    ["from review to KYC", [...abroad, kyc, back], "kyc"],
    ["from OTP to review", [...atHome, otp, back], "review"],
    ["from success stays", [...atHome, booked, back], "success"],
  ]);

  test("keeps what was typed", () => {
    const flow = reduceAll(...toDetails(), {
      type: "went back",
      typedValues: { details: { consignee_name: "Ravi" } },
    });
    expect(flow.draft?.consignee_name).toBe("Ravi");
  });
});

describe("the browser's Back and Forward", () => {
  const to = (step: Flow["step"], details?: object): Action => ({
    type: "went to",
    to: step,
    typedValues: details === undefined ? {} : { details },
  });
  leads([
    ["lead to the rates and on again", [...toDetails(), to("rate"), to("details")], "details"],
    ["lead to a price that still holds", [...atHome, to("rate"), to("review")], "review"],
    ["lead over several steps", [...abroad, kyc, to("rate")], "rate"],
    ["lead to no details without a service", [to("details")], "rate"],
    [
      "lead to no details once step 1 was changed",
      [...toDetails(), to("rate"), { type: "rates cleared" }, to("details")],
      "rate",
    ],
    [
      "lead to no price of other details",
      [...atHome, back, to("review", { consignee_name: "Ravi" })],
      "details",
    ],
    ["lead past no documents", [...abroad, to("review")], "kyc"],
    ["lead to no code that nobody asked for", [...atHome, to("otp")], "review"],
    ["lead back to a code that was asked for", [...atHome, otp, back, to("otp")], "otp"],
    ["lead out of no booking that was made", [...atHome, booked, to("review")], "success"],
  ]);
});

describe("prices", () => {
  test("say old and new when the real measures cost something else", () => {
    const flow = reduceAll(...toDetails(), priced(option({ grand_total_with_gst: 300 })));
    expect(flow.oldPrice).toBe(212.4);
    expect(flow.quote?.grand_total_with_gst).toBe(300);
  });

  test("say nothing when it is the same", () => {
    expect(reduceAll(...atHome).oldPrice).toBeNull();
  });

  test("refused at confirmation come back to review with the fresh one", () => {
    const fresh = option({ quote_id: "quote-2", grand_total_with_gst: 250 });
    const flow = reduceAll(...atHome, { type: "price changed", quote: fresh });
    expect(flow).toMatchObject({ step: "review", oldPrice: 212.4 });
    expect(flow.quote?.quote_id).toBe("quote-2");
  });

  test("of another shipment forget the old selection and its measures, not the people", () => {
    const typed = { consignee_name: "Meera", weight: "9", consignee_city: "Agra" };
    const flow = reduceAll(
      ...toDetails(),
      { type: "went back", typedValues: { details: typed } },
      { type: "rates cleared" },
      { type: "rates arrived", quoted: quoted([option()]) },
    );
    expect(flow.selected).toBeNull();
    expect(flow.draft).toEqual({ consignee_name: "Meera" });
  });

  test("of the same route keep what step 1 did not know", () => {
    const places = {
      consigner_pincode: "560001",
      consignee_pincode: "10001",
      destination_country: "United States",
      consignee_city: "New York",
    };
    const draft = { ...places, shipment_type: "1", weight: "9", height: "15" };
    const flow = reduceAll(
      { type: "restored", flow: { ...NEW_FLOW, draft } },
      { type: "rates arrived", quoted: quoted([option()], true) },
    );
    expect(flow.draft).toEqual(places);
  });

  test("of a country without postal codes keep what was typed in the place of one", () => {
    const dubai = quoted([option()], true);
    dubai.values.destination_pincode = "";
    const draft = { consignee_pincode: "00000", destination_country: dubai.country_name };
    const flow = reduceAll(
      { type: "restored", flow: { ...NEW_FLOW, draft } },
      { type: "rates arrived", quoted: dubai },
    );
    expect(flow.draft).toEqual(draft);
  });
});

test("KYC is needed where the server says so with a price, and abroad before there is one", () => {
  expect(needsKyc(reduceAll(...toDetails()))).toBe(false);
  expect(needsKyc(reduceAll(...toDetails(ABROAD, true)))).toBe(true);
  expect(needsKyc(reduceAll(...toDetails(option({ kyc_required: true }))))).toBe(true);
  const arrived: Action = { type: "rates arrived", quoted: quoted([option()], true) };
  expect(needsKyc(reduceAll(arrived))).toBe(true);
  expect(needsKyc(reduceAll({ ...arrived, quoted: quoted([option()]) }))).toBe(false);
});

test("an OTP is a step where the product says so, and for the quote it was asked for", () => {
  expect(needsOtp(reduceAll(...toDetails()))).toBe(false);
  expect(needsOtp(reduceAll(...toDetails(option({ otp_required: true }))))).toBe(true);
  const asked = reduceAll(...atHome, otp);
  expect(flowSteps(asked)).toEqual(["rate", "details", "review", "otp", "success"]);
  const fresh = option({ quote_id: "quote-2" });
  const requoted = reduce(asked, { type: "price changed", quote: fresh });
  expect(requoted.step).toBe("review");
  expect(needsOtp(requoted)).toBe(false);
});

test("creating a new booking clears everything", () => {
  const again: Action = { type: "restored", flow: NEW_FLOW };
  expect(reduceAll(...atHome, booked, again)).toEqual(NEW_FLOW);
});

test("a price that was calculated again changes no step", () => {
  const fresh = option({ quote_id: "quote-2", grand_total_with_gst: 250 });
  const flow = reduceAll(...abroad, {
    type: "price renewed",
    quote: fresh,
  });
  expect(flow).toMatchObject({ step: "kyc", oldPrice: 212.4, quote: fresh });
  expect(reduce(NEW_FLOW, { type: "price renewed", quote: fresh }), "too late").toBe(NEW_FLOW);
});
