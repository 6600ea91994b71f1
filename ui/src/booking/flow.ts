import { INTERNATIONAL, RATE_DEFAULTS } from "../rates/rate-form";
import type {
  Attempt,
  BookedShipment,
  DraftDocuments,
  PricedShipment,
  RateForm,
  RateOption,
} from "../wire";
import { adaptToShipment } from "./draft";
import type { Draft } from "./fields";
import { isForQuote, type OtpRequest } from "./otp";
import { canonicalJson } from "./canonical-json";

/** The wizard's steps; which of them a booking has depends on KYC and OTP. */
export type Step = "rate" | "details" | "kyc" | "review" | "otp" | "success";

export type Flow = {
  /** The draft's, which is booked once; "" until something is saved. */
  id: string;
  step: Step;
  /** Step 1's values as long as nothing was typed in it. */
  usual: RateForm;
  /** Typed in step 1; null for nothing. */
  rate: RateForm | null;
  /** The route and its rates, from step 1. */
  quoted: PricedShipment | null;
  /** Index of the chosen rate in it. */
  selected: number | null;
  /** Typed in step 2. */
  draft: Draft | null;
  /** The server's price for the real measures, which confirming charges. */
  quote: RateOption | null;
  /** The price shown before, when the new one differs. Rupees. */
  oldPrice: number | null;
  kyc: DraftDocuments | null;
  /** The confirmation that has no clear answer yet. */
  attempt: Attempt | null;
  /** The last OTP that the server asked for. */
  otp: OtpRequest | null;
  result: BookedShipment | null;
};

/** Values in the form of the current step that are not in the flow yet. */
export type TypedValues = { rate?: RateForm; details?: Draft };

export type Action =
  /** The form was changed after its rates arrived. */
  | { type: "rates cleared"; rate?: RateForm }
  | { type: "rates arrived"; quoted: PricedShipment }
  | { type: "rate selected"; index: number }
  | { type: "proceeded" }
  | { type: "went back"; typedValues?: TypedValues }
  /** To a step that was seen before, as with the browser's Back and Forward. */
  | { type: "went to"; to: Step; typedValues: TypedValues }
  | { type: "details priced"; draft: Draft; quote: RateOption }
  | { type: "kyc uploaded"; kyc: DraftDocuments }
  | { type: "price changed"; quote: RateOption }
  | { type: "price renewed"; quote: RateOption }
  | { type: "attempted"; attempt: Attempt | null }
  | { type: "otp asked"; otp: OtpRequest }
  | { type: "booked"; result: BookedShipment }
  | { type: "restored"; flow: Flow };

export const NEW_FLOW: Flow = {
  id: "",
  step: "rate",
  usual: RATE_DEFAULTS,
  rate: null,
  quoted: null,
  selected: null,
  draft: null,
  quote: null,
  oldPrice: null,
  kyc: null,
  attempt: null,
  otp: null,
  result: null,
};

/**
 * The wizard as a reducer: where each action leads. One that makes no sense in a step changes
 * nothing.
 */
export function reduce(flow: Flow, action: Action): Flow {
  switch (action.type) {
    case "rates cleared":
      return {
        ...flow,
        rate: action.rate ?? flow.rate,
        quoted: null,
        selected: null,
        quote: null,
        oldPrice: null,
      };
    case "rates arrived":
      // Another shipment: what was typed about people stays, what followed from the old one goes.
      return {
        ...flow,
        rate: action.quoted.values,
        quoted: action.quoted,
        selected: null,
        quote: null,
        draft: flow.draft === null ? null : adaptToShipment(flow.draft, action.quoted),
      };
    case "rate selected":
      return flow.quoted?.rates[action.index] === undefined
        ? flow
        : { ...flow, selected: action.index, quote: null, oldPrice: null };
    case "proceeded":
      return flow.step === "rate" && selectedRate(flow) !== null
        ? { ...flow, step: "details" }
        : flow;
    case "went back":
      return goBack(withTypedValues(flow, action.typedValues ?? {}));
    case "went to":
      return goTo(withTypedValues(flow, action.typedValues), action.to);
    case "details priced":
      return withQuote(flow, action.draft, action.quote);
    case "kyc uploaded":
      return flow.step === "kyc" ? { ...flow, kyc: action.kyc, step: "review" } : flow;
    case "price changed":
      return isConfirming(flow) ? { ...withPrice(flow, action.quote), step: "review" } : flow;
    case "price renewed":
      return flow.quote === null ? flow : withPrice(flow, action.quote);
    case "attempted":
      return { ...flow, attempt: action.attempt };
    case "otp asked":
      return isConfirming(flow) && isForQuote(action.otp, flow.quote?.quote_id)
        ? { ...flow, otp: action.otp, step: "otp" }
        : flow;
    case "booked":
      return { ...flow, result: action.result, step: "success" };
    case "restored":
      return { ...action.flow, usual: flow.usual };
  }
}

/** The customer is at a step that confirms, and has not gone back meanwhile. */
function isConfirming(flow: Flow): boolean {
  return flow.step === "review" || flow.step === "otp";
}

function withQuote(flow: Flow, draft: Draft, quote: RateOption): Flow {
  if (flow.step !== "details") return flow;
  const next = { ...withPrice(flow, quote), draft };
  return { ...next, step: needsKyc(next) && next.kyc === null ? "kyc" : "review" };
}

function withPrice(flow: Flow, quote: RateOption): Flow {
  const before = (flow.quote ?? selectedRate(flow))?.grand_total_with_gst ?? null;
  const changed = before !== null && before !== quote.grand_total_with_gst;
  return { ...flow, quote, oldPrice: changed ? before : null };
}

/** From review to KYC or details, from KYC to details, from details to the rates. */
function goBack(flow: Flow): Flow {
  const steps = flowSteps(flow);
  const before = steps[steps.indexOf(flow.step) - 1];
  // A booking that was made cannot be walked back into.
  if (before === undefined || flow.step === "success") return flow;
  return { ...flow, step: before };
}

/** To a step for which everything is there; a booking that was made is not walked back into. */
function goTo(flow: Flow, to: Step): Flow {
  const { quoted, quote, draft, kyc, otp } = flow;
  const isPriced = quote !== null && draft !== null && selectedRate(flow) !== null;
  const open: Record<Step, boolean> = {
    rate: true,
    details: quoted !== null && selectedRate(flow) !== null,
    kyc: isPriced && needsKyc(flow),
    review: isPriced && (kyc !== null || !needsKyc(flow)),
    otp: isPriced && isForQuote(otp, quote.quote_id),
    success: false,
  };
  return flow.step !== "success" && open[to] ? { ...flow, step: to } : flow;
}

/** With what stands in the forms now. A price is for the details that it was asked for. */
function withTypedValues(flow: Flow, { rate, details }: TypedValues): Flow {
  const next = { ...flow, rate: rate ?? flow.rate };
  if (details === undefined) return next;
  const isSame = flow.draft !== null && canonicalJson(details) === canonicalJson(flow.draft);
  return isSame ? next : { ...next, draft: details, quote: null, oldPrice: null };
}

/** The rate option selected in step 1. */
export function selectedRate(flow: Flow): RateOption | null {
  return flow.selected === null ? null : (flow.quoted?.rates[flow.selected] ?? null);
}

export function isInternational(quoted: PricedShipment | null): boolean {
  return quoted?.values.booking_type === INTERNATIONAL;
}

/** The server says so with a price; before there is one, shipments abroad are known to need it. */
export function needsKyc(flow: Flow): boolean {
  const { booking_type } = flow.quoted?.values ?? flow.rate ?? flow.usual;
  return (flow.quote ?? selectedRate(flow))?.kyc_required ?? booking_type === INTERNATIONAL;
}

/** When the courier's product says so, or the server asked for one anyway. */
export function needsOtp(flow: Flow): boolean {
  return (
    isForQuote(flow.otp, flow.quote?.quote_id) ||
    (flow.quote ?? selectedRate(flow))?.otp_required === true
  );
}

/** This booking's steps in order: four, one more with KYC, one more with OTP. */
export function flowSteps(flow: Flow): Step[] {
  const steps: Step[] = ["rate", "details"];
  if (needsKyc(flow)) steps.push("kyc");
  steps.push("review");
  if (needsOtp(flow)) steps.push("otp");
  steps.push("success");
  return steps;
}

export const STEP_TITLES: Readonly<Record<Step, string>> = {
  rate: "Calculate Rate & Select Service",
  details: "Enter Booking Details",
  kyc: "Upload KYC Documents",
  review: "Review & Confirm",
  otp: "Enter OTP",
  success: "Booking Successful",
};

/** For a phone's one line of the step. */
export const STEP_NAMES: Readonly<Record<Step, string>> = {
  rate: "Service",
  details: "Details",
  kyc: "Documents",
  review: "Review",
  otp: "OTP",
  success: "Booked",
};
