import { describe, expect, test } from "vitest";
import type { VerifyResult } from "../page";
import { awbOf, localPath, screenAt, screens } from "../screens";
import { queryOf } from "../query";
import { outcomeOf } from "./recharge-callback";
import { newPasswordErrors } from "../forms";

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
  ...changes,
});

describe("a payment", () => {
  const failed = (changes: Partial<VerifyResult>) =>
    outcomeOf(result({ payment_status: "FAILED", ...changes }));

  test("is done, or still on its way", () => {
    expect(outcomeOf(result({}))).toEqual({ kind: "done", amount: 500, next: "/recharge" });
    expect(outcomeOf(result({ payment_status: "PENDING" }))).toEqual({ kind: "processing" });
  });

  test("leads back to where the customer was, and to no other site", () => {
    const next = (to: string) => outcomeOf(result({ next: to }));
    expect(next("/courier?resume=1")).toMatchObject({ next: "/courier?resume=1" });
    expect(next("//evil.example")).toMatchObject({ next: "/recharge" });
  });

  test("failed says why: the description, else the error, else what to do", () => {
    const description = { description: "Declined by the bank." };
    expect(failed({ error_context: description, error: "E" })).toMatchObject({
      text: "Payment failed. Declined by the bank.",
    });
    expect(failed({ error: "E" })).toMatchObject({ text: "Payment failed. E" });
    expect(failed({})).toMatchObject({
      text: "Payment failed. Please try again or contact support.",
    });
  });

  test("with an answer nobody knows sends the customer to support", () => {
    const odd = result({ payment_status: "ODD" as "FAILED" });
    expect(outcomeOf(odd)).toMatchObject({
      text: "Payment verification failed. Please contact support.",
    });
  });
});

test("passwords must match and be long enough", () => {
  const sentences = (one: string, two: string) =>
    newPasswordErrors({ password: one, password_confirm: two }).map((error) => error.message);
  expect(sentences("secret1", "secret2")).toEqual(["Passwords do not match"]);
  expect(sentences("short", "short")).toEqual(["Password must be at least 6 characters long"]);
  expect(sentences("secret", "secret")).toEqual([]);
});

describe("addresses", () => {
  test("lead to their screens", () => {
    for (const entry of screens) {
      if (entry.path !== "*") expect(screenAt(entry.path).screen).toBe(entry.screen);
    }
    expect(screenAt("/").screen).toBe("dashboard");
    expect(screenAt("/dashboard/").screen).toBe("dashboard");
    expect(screenAt("/track/DK1").screen).toBe("track");
    expect(screenAt("/track/DK1/more").screen).toBe("not-found");
    expect(screenAt("/nowhere").screen).toBe("not-found");
  });

  test("carry the air waybill number", () => {
    expect(awbOf("/track")).toBe("");
    expect(awbOf("/track/DK%2F1")).toBe("DK/1");
    expect(awbOf("/track/%E0%A4%A")).toBe("%E0%A4%A");
  });

  test("after login stay on this site", () => {
    expect(localPath("/courier?a=1")).toBe("/courier?a=1");
    for (const elsewhere of [
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "",
      null,
    ]) {
      expect(localPath(elsewhere)).toBeNull();
    }
  });

  test("have a query, read without the browser's help", () => {
    expect(queryOf("?tab=bookings&page=2&next=%2Fcourier&q=a+b&x&bad=%E0")).toEqual({
      tab: "bookings",
      page: "2",
      next: "/courier",
      q: "a b",
      x: "",
      bad: "%E0",
    });
    expect(queryOf("")).toEqual({});
  });
});
