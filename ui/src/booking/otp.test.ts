import { describe, expect, test } from "vitest";
import { englishWords } from "../words/words";
import { ApiError, type ErrorBody } from "../lib/api-error";
import { bookingMessages } from "./messages";
import {
  isForQuote,
  otpStateAfter,
  parseOtp,
  secondsUntil,
  waitText,
  type OtpRequest,
} from "./otp";

const NOW = 1_000_000;
const TEXT = "An OTP was sent to the sender’s mobile ending 3210. It is valid for 10 minutes.";
const LAST: OtpRequest = { quoteId: "quote-1", text: TEXT, againMs: NOW - 1, inboxUrl: "http://x" };

function stateAfterError(
  status: number,
  body: ErrorBody,
  last: OtpRequest | null = null,
  needed = true,
) {
  const error = new ApiError(body.message ?? "", status, body);
  return otpStateAfter(error, { quoteId: "quote-1", needed, last, nowMs: NOW });
}

describe("a refused confirmation", () => {
  test("that asks for an OTP says where it went and when another may be asked for", () => {
    const data = { pause_s: 30, inbox_url: "http://127.0.0.1:8079/__sim/inbox" };
    expect(stateAfterError(409, { code: "otp_required", message: TEXT, data })).toEqual({
      kind: "asked",
      otp: {
        quoteId: "quote-1",
        text: TEXT,
        againMs: NOW + 30_000,
        inboxUrl: "http://127.0.0.1:8079/__sim/inbox",
      },
    });
  });

  test("that comes too early opens the step for the OTP that was sent before", () => {
    const body = { message: "Please wait 12 s.", retry_after_s: 12 };
    expect(stateAfterError(429, body, LAST)).toEqual({
      kind: "early",
      otp: { ...LAST, againMs: NOW + 12_000 },
    });
    for (const last of [null, { ...LAST, quoteId: "another" }]) {
      expect(stateAfterError(429, body, last)).toMatchObject({
        kind: "early",
        otp: { text: bookingMessages.otpSentBefore, quoteId: "quote-1", againMs: NOW + 12_000 },
      });
    }
  });

  test("of a courier that wants no OTP has no news of one", () => {
    expect(stateAfterError(429, { retry_after_s: 12 }, null, false)).toEqual({ kind: "none" });
    expect(stateAfterError(409, { code: "quote_changed" })).toEqual({ kind: "none" });
    expect(
      otpStateAfter(new Error("?"), { quoteId: "", needed: true, last: null, nowMs: 0 }),
    ).toEqual({
      kind: "none",
    });
  });

  test("of a wrong OTP says so beside the field", () => {
    const message = "This OTP is not right. You have 5 tries left.";
    expect(stateAfterError(400, { message, errors: [{ path: "otp", message }] })).toEqual({
      kind: "wrong",
      text: message,
    });
    expect(stateAfterError(400, { errors: [{ path: "weight", message: "?" }] })).toEqual({
      kind: "none",
    });
  });
});

test("an OTP is for one quote", () => {
  expect(isForQuote(LAST, "quote-1")).toBe(true);
  expect(isForQuote(LAST, "quote-2")).toBe(false);
  expect(isForQuote(null, undefined)).toBe(false);
});

test("the wait is counted in whole seconds, and in minutes when it is long", () => {
  expect(secondsUntil(NOW + 29_001, NOW)).toBe(30);
  expect(secondsUntil(NOW, NOW + 5)).toBe(0);
  expect(englishWords(waitText(30))).toBe("30 s");
  expect(englishWords(waitText(2_040))).toBe("34 min");
});

test("six digits are an OTP, however they are grouped", () => {
  expect(parseOtp(" 482 913 ")).toBe("482913");
  expect(parseOtp("482-913")).toBe("482913");
  expect(parseOtp("\u202a४८२ ९१३\u202c")).toBe("482913");
  for (const typed of ["", "48291", "4829131", "48291a", "४८२९१"])
    expect(parseOtp(typed)).toBeNull();
});
