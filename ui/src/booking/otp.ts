import { ApiError, fieldErrorSentence } from "../lib/api-error";
import { readCode } from "../lib/input";
import type { OtpStep } from "../wire";
import type { Sentence, UiText } from "../words/words";
import { bookingMessages } from "./messages";

/** An OTP that the server asked for. */
export type OtpRequest = {
  /** The quote whose booking it confirms. */
  quoteId: string;
  /** Where it was sent, in the server's words. */
  text: string;
  /** When another may be asked for (milliseconds since the page was loaded). */
  againMs: number;
  /** Where the sandbox shows what it did not send. */
  inboxUrl: string | null;
};

/** A refused confirmation's news of the OTP. */
type OtpNews =
  | { kind: "none" }
  /** One was sent, and the booking waits for it. */
  | { kind: "asked"; otp: OtpRequest }
  /** None was sent, as it is too early. The last one may still be valid. */
  | { kind: "early"; otp: OtpRequest }
  /** The OTP that was sent is wrong. */
  | { kind: "wrong"; text: UiText };

type OtpContext = { quoteId: string; needed: boolean; last: OtpRequest | null; nowMs: number };

export function otpStateAfter(error: unknown, context: OtpContext): OtpNews {
  if (!(error instanceof ApiError)) return { kind: "none" };
  const text = fieldErrorSentence(error.errors, "otp");
  if (text !== undefined) return { kind: "wrong", text };
  const { quoteId, nowMs } = context;
  if (error.code === "otp_required") {
    const { pause_s = 0, inbox_url: inboxUrl = null } = (error.body.data ?? {}) as SentData;
    const againMs = nowMs + pause_s * 1000;
    return { kind: "asked", otp: { quoteId, text: error.message, againMs, inboxUrl } };
  }
  if (error.status === 429 && context.needed) {
    const againMs = nowMs + (error.body.retry_after_s ?? 0) * 1000;
    const last = isForQuote(context.last, quoteId) ? context.last : earlierOtpRequest(quoteId);
    return { kind: "early", otp: { ...last, againMs } };
  }
  return { kind: "none" };
}

type SentData = Partial<OtpStep & { pause_s: number }>;

/** An OTP that was asked for before this page was loaded. */
export function earlierOtpRequest(quoteId: string, inboxUrl: string | null = null): OtpRequest {
  return { quoteId, text: bookingMessages.otpSentBefore, againMs: 0, inboxUrl };
}

export function isForQuote(otp: OtpRequest | null, quoteId: string | undefined): otp is OtpRequest {
  return otp?.quoteId !== undefined && otp.quoteId === quoteId;
}

/** Whole seconds from one moment to another; zero when it is over. */
export function secondsUntil(untilMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
}

/** "45 s", and "34 min" where seconds do not matter. */
export function waitText(seconds: number): Sentence {
  return seconds < 120
    ? { text: "{count} s", values: { count: seconds } }
    : { text: "{count} min", values: { count: Math.ceil(seconds / 60) } };
}

/** The digits of a code, however they were grouped; null when they are not six. */
export function parseOtp(text: string): string | null {
  const digits = readCode(text);
  return /^\d{6}$/.test(digits) ? digits : null;
}
