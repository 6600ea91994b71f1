import type { Quoted } from "../rates/quote";
import { RATE_DEFAULTS, type RateValues } from "../rates/rate-form";
import type { Chosen, DraftContent, KeptDraft } from "../wire";
import type { Unsaved } from "./device";
import type { Draft } from "./draft";
import { chosen, START, type Flow } from "./flow";

/** The content of a draft, under the wire's names. Never an OTP. */
export type Content = DraftContent;

/** The server's answer: the newest draft and what became of it. */
export type Kept = KeptDraft;

/** What the wizard begins with. */
export function startFlow(kept: Kept): Flow {
  if (kept.booked !== null) return { ...START, step: "success", result: kept.booked };
  return flowOf(kept.content);
}

export function flowOf(content: Content | null): Flow {
  if (content === null) return START;
  const { chosen: service, details, quote } = content;
  const priced = details !== null && quote !== null;
  const later = content.step === "kyc" || content.step === "review";
  const step = later && !priced ? "details" : content.step;
  return {
    ...START,
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

function quotedOf({ country_name, rate, ...ends }: Chosen): Quoted {
  return { ...ends, countryName: country_name, rates: [rate], notes: [] };
}

/** What is typed in the form of the current step and is not in the flow yet. */
export type Typed = { rate?: RateValues; details?: Draft };

/** The draft to save; null when nothing was entered yet, or everything is booked. */
export function contentOf(flow: Flow, typed: Typed): Content | null {
  if (flow.step === "success") return null;
  const content: Content = {
    step: flow.step === "otp" ? "review" : flow.step,
    rate: typed.rate ?? flow.rate ?? RATE_DEFAULTS,
    chosen: chosenOf(flow),
    details: typed.details ?? flow.draft,
    quote: flow.quote,
    old_price: flow.oldPrice,
    kyc: flow.kyc,
    // Its print covers the OTP, which must not be guessed from what is kept.
    attempt: flow.step === "otp" ? null : flow.attempt,
  };
  return print(content) === NOTHING ? null : content;
}

function chosenOf(flow: Flow): Chosen | null {
  const rate = chosen(flow);
  if (flow.quoted === null || rate === null) return null;
  const { values, origin, destination, countryName } = flow.quoted;
  return { values, origin, destination, country_name: countryName, rate };
}

/**
 * Whether a device's unsaved changes build on what the server has, so that nobody else's change is
 * lost.
 */
export function follows(unsaved: Unsaved, kept: Pick<Kept, "revision" | "content">): boolean {
  return unsaved.revision === kept.revision || unsaved.doubtful === print(kept.content);
}

/** The same text for the same content, whoever wrote its fields in which order. */
export function print(content: Content | null): string {
  return JSON.stringify(content, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

const NOTHING = print({
  step: "rate",
  rate: RATE_DEFAULTS,
  chosen: null,
  details: null,
  quote: null,
  old_price: null,
  kyc: null,
  attempt: null,
});
