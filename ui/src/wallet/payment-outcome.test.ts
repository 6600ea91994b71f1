import { describe, expect, test } from "vitest";
import type { VerifyResult } from "../wire";
import { englishWords } from "../words/words";
import { paymentOutcome } from "./payment-outcome";

const result = (changes: Partial<VerifyResult>): VerifyResult => ({
  success: true,
  payment_status: "COMPLETED",
  status: "COMPLETED",
  amount: 500,
  merchant_order_id: "M1",
  next: null,
  error: null,
  error_context: null,
  message: "",
  created_at: 1,
  expires_at: 2,
  continue_url: null,
  completed_at: null,
  method: null,
  ...changes,
});

describe("a payment", () => {
  const failed = (changes: Partial<VerifyResult>) =>
    paymentOutcome(englishWords, result({ payment_status: "FAILED", ...changes }));

  test("is done, or still on its way", () => {
    const done = { kind: "done", amount: 500, next: "/recharge" };
    expect(paymentOutcome(englishWords, result({}))).toMatchObject(done);
    const pending = paymentOutcome(englishWords, result({ payment_status: "PENDING" }));
    expect(pending).toMatchObject({ kind: "processing", result: { amount: 500 } });
  });

  test("leads back to where the customer was, and to no other site", () => {
    const next = (to: string) => paymentOutcome(englishWords, result({ next: to }));
    expect(next("/courier?resume=1")).toMatchObject({ next: "/courier?resume=1" });
    expect(next("//evil.example")).toMatchObject({ next: "/recharge" });
  });

  test("failed says why: the description, else the error, else what to do", () => {
    const sentence = (changes: Partial<VerifyResult>) => {
      const outcome = failed(changes);
      return outcome.kind === "failed" ? englishWords(outcome.text) : "";
    };
    const description = { description: "Declined by the bank." };
    expect(sentence({ error_context: description, error: "E" })).toBe(
      "Payment failed. Declined by the bank.",
    );
    expect(sentence({ error: "E" })).toBe("Payment failed. E");
    expect(sentence({})).toBe("Payment failed. Please try again or contact support.");
  });

  test("that is not the customer's is missing, and not a failure of theirs", () => {
    expect(failed({})).toMatchObject({ missing: false });
    expect(failed({ created_at: null })).toMatchObject({ missing: true });
  });

  test("with an answer nobody knows sends the customer to support", () => {
    const odd = result({ payment_status: "ODD" as "FAILED" });
    expect(paymentOutcome(englishWords, odd)).toMatchObject({
      text: "Payment verification failed. Please contact support.",
    });
  });
});
