import { RATE_DEFAULTS } from "../rates/rate-form";
import type {
  ChosenService,
  DraftContent,
  KeptDraft,
  OtpStep,
  Preset,
  Priced,
  PricedShipment,
  RateForm,
} from "../wire";
import type { UnsavedDraft } from "./device";
import { selectedRate, reduce, NEW_FLOW, type Flow, type TypedValues } from "./flow";
import { bookingMessages } from "./messages";
import { earlierOtpRequest } from "./otp";
import { presetRate } from "./presets";
import { canonicalJson } from "./canonical-json";

export function startFlow(
  storedDraft: KeptDraft,
  priced: Priced | null = null,
  sender: Preset | undefined = undefined,
  otp: OtpStep | null = null,
  service: string | null = null,
): Flow {
  const usual = usualShipment(storedDraft, sender);
  const flow = { ...flowFromDraft(storedDraft.content), usual };
  if (storedDraft.booked !== null) return { ...flow, step: "success", result: storedDraft.booked };
  if (otp !== null && flow.quote !== null) {
    // When another may be asked for, the server says.
    const sentOtp = earlierOtpRequest(flow.quote.quote_id, otp.inbox_url);
    return reduce(flow, { type: "otp asked", otp: sentOtp });
  }
  if (priced?.quoted == null) return flow;
  const { quoted } = priced;
  const pricedFlow = reduce(flow, { type: "rates arrived", quoted });
  const index = quoted.rates.findIndex((rate) => String(rate.product_id) === service);
  return reduce(pricedFlow, { type: "rate selected", index });
}

/** A shipment like the customer's last, from the sender that new bookings begin with. */
function usualShipment({ last }: KeptDraft, sender: Preset | undefined): RateForm {
  const rate = { ...RATE_DEFAULTS, ...last };
  return sender === undefined ? rate : presetRate(sender, rate);
}

export function flowFromDraft(content: DraftContent | null): Flow {
  if (content === null) return NEW_FLOW;
  const { chosen: service, details, quote } = content;
  const priced = details !== null && quote !== null;
  const later = content.step === "kyc" || content.step === "review";
  const step = later && !priced ? "details" : content.step;
  return {
    ...NEW_FLOW,
    id: content.id ?? "",
    step: service === null ? "rate" : step,
    rate: content.rate,
    quoted: service === null ? null : quotedOf(service),
    selected: service === null ? null : 0,
    draft: details,
    quote,
    oldPrice: content.old_price,
    kyc: content.kyc,
    attempt: content.attempt,
  };
}

function quotedOf({ rate, ...ends }: ChosenService): PricedShipment {
  // The others are not kept: their prices change.
  return { ...ends, rates: [rate], notes: [bookingMessages.onlyChosen] };
}

/**
 * The draft to save; null when nothing was entered yet, or everything is booked. A price is
 * for the details that it was asked for.
 */
export function draftContent(flow: Flow, typedValues: TypedValues): DraftContent | null {
  if (flow.step === "success") return null;
  const { draft } = flow;
  const { details = draft } = typedValues;
  const priced = draft === null || canonicalJson(details) === canonicalJson(draft);
  const content: DraftContent = {
    ...(flow.id === "" ? {} : { id: flow.id }),
    step: flow.step === "otp" ? "review" : flow.step,
    rate: typedValues.rate ?? flow.rate ?? flow.usual,
    chosen: chosenService(flow),
    details,
    quote: priced ? flow.quote : null,
    old_price: priced ? flow.oldPrice : null,
    kyc: flow.kyc,
    // Its print covers the OTP, which must not be guessed from what is kept.
    attempt: flow.step === "otp" ? null : flow.attempt,
  };
  const { step, rate, ...others } = { ...content, id: null };
  const isUsual = step === "rate" && canonicalJson(rate) === canonicalJson(flow.usual);
  return isUsual && Object.values(others).every((value) => value === null) ? null : content;
}

function chosenService(flow: Flow): ChosenService | null {
  const rate = selectedRate(flow);
  if (flow.quoted === null || rate === null) return null;
  const { values, origin, destination, country_name } = flow.quoted;
  return { values, origin, destination, country_name, rate };
}

type KeptVersion = Pick<KeptDraft, "revision" | "content">;

/** The page shows the device's version, or a later one. */
export function isSuperseded(unsaved: UnsavedDraft, storedVersion: KeptVersion): boolean {
  if (unsaved.saved === true && unsaved.revision <= storedVersion.revision) return true;
  return canonicalJson(unsaved.content) === canonicalJson(storedVersion.content);
}

/**
 * The device's changes build on the version that the page was drawn from: nobody else's change is
 * lost.
 */
export function buildsOn(unsaved: UnsavedDraft, storedVersion: KeptVersion): boolean {
  if (unsaved.saved === true) return unsaved.revision > storedVersion.revision;
  const isSameRevision = unsaved.revision === storedVersion.revision;
  return isSameRevision || unsaved.doubtful.includes(canonicalJson(storedVersion.content));
}
