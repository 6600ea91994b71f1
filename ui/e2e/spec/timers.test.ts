import type { Request } from "playwright-core";
import { expect } from "vitest";
import { newCustomer, signInNewCustomer, signInAndSettle } from "../harness/customer";
import { journey } from "../harness/journey";
import { answerCalls, holdCalls, untilHydrated } from "../harness/network";
import * as steps from "../harness/steps";
import type { Visitor } from "../harness/visitor";

/** The browser's clock stands still from now on, until it is told how much time passes. */
async function stopsTheClock({ page }: Visitor) {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

journey("an alert goes by itself after five seconds and not before", async ({ guest }) => {
  await guest.page.goto("/register");
  await steps.fillsRegistration(guest, newCustomer());
  await stopsTheClock(guest);
  await guest.presses("Sign up");
  const alert = guest.page.locator(".notice-top p");
  await alert.waitFor();
  await guest.page.clock.runFor(4_900);
  await expect.poll(() => alert.isVisible()).toBe(true);
  await guest.page.clock.runFor(200);
  await alert.waitFor({ state: "detached" });
});

journey("a tracking error goes by itself after five seconds and not before", async ({ asha }) => {
  asha.expect(/404/);
  await signInAndSettle(asha, "/track");
  await stopsTheClock(asha);
  await asha.fills({ "AWB Number": "DK1719216000123" });
  await asha.presses("Track");
  const error = asha.page.locator("main .box-error");
  await error.waitFor();
  const colour = await error.evaluate((box) => getComputedStyle(box).color);
  expect(colour).toBe("rgb(163, 22, 31)");
  await asha.page.clock.runFor(4_900);
  await expect.poll(() => error.isVisible()).toBe(true);
  await asha.page.clock.runFor(200);
  await error.waitFor({ state: "detached" });
});

journey("a toast of what went well can be closed, and goes by itself", async ({ asha }) => {
  await signInNewCustomer(asha, "/dashboard");
  await steps.reachesKyc(asha);
  await steps.choosesDocuments(asha);
  // Time passes in a moment: the draft's request seems lost, and is sent again.
  asha.expect(/booking\/draft/);
  await stopsTheClock(asha);
  await asha.presses("Upload Documents");
  const toast = asha.page.locator(".notice-corner .notice-success");
  await toast.waitFor();
  await asha.page.clock.runFor(4_900);
  const { x, y, width } = (await toast.boundingBox()) ?? { x: 0, y: 0, width: 0 };
  expect(x + width).toBeGreaterThan(1280 - 64);
  expect(y).toBeLessThan(160);
  await toast.getByRole("button", { name: "Close" }).click();
  await toast.waitFor({ state: "detached" });
  await asha.page.goBack();
  await asha.sees("KYC Document Upload Required");
  await steps.choosesDocuments(asha);
  await asha.presses("Upload Documents");
  await toast.waitFor();
  await asha.page.clock.runFor(5_100);
  await toast.waitFor({ state: "detached" });
});

journey("an upload ends after 30 seconds in which nothing moves", async ({ asha }) => {
  await signInNewCustomer(asha, "/dashboard");
  await steps.reachesKyc(asha);
  await steps.choosesDocuments(asha);
  asha.expect(/booking\/(draft|kyc-upload)/);
  const release = await holdCalls(asha.page, "booking/kyc-upload");
  await stopsTheClock(asha);
  await asha.presses("Upload Documents");
  await asha.sees("Uploading:");
  await asha.page.clock.runFor(29_000);
  await expect
    .poll(() => asha.page.getByRole("button", { name: "Uploading..." }).isVisible())
    .toBe(true);
  await asha.page.clock.runFor(1_500);
  await asha.sees("Request timeout. Please try again.");
  release();
});

journey("the event force-logout logs out, says so and leads to the login", async ({ asha }) => {
  await signInAndSettle(asha, "/dashboard");
  await stopsTheClock(asha);
  await asha.page.evaluate(() => window.dispatchEvent(new Event("force-logout")));
  await asha.page.clock.runFor(100);
  expect(new URL(asha.page.url()).pathname).toBe("/dashboard");
  await asha.page.clock.runFor(100);
  await asha.isAt(/^\/login/);
  await asha.sees("Session expired. Please log in again.");
  const stored = await asha.page.evaluate(() => ({ ...localStorage }));
  expect(stored).not.toHaveProperty("user");
});

journey("a paid recharge leads back after three seconds", async ({ asha }) => {
  await signInAndSettle(asha, "/recharge");
  await steps.goesToPay(asha, "₹500");
  await stopsTheClock(asha);
  await steps.paysAtGateway(asha);
  await asha.sees("Redirecting to recharge page...");
  await asha.page.clock.runFor(2_900);
  expect(new URL(asha.page.url()).pathname).toBe("/recharge/callback");
  await asha.page.clock.runFor(200);
  await asha.isAt("/recharge");
});

journey("a pending payment is asked about every five seconds", async ({ asha }) => {
  await signInAndSettle(asha, "/recharge");
  await asha.page.evaluate(() => localStorage.setItem("merchant_order_id", "DKR-somebody"));
  await answerCalls(asha.page, "payment/phonepe/verify/", 200, { payment_status: "PENDING" });
  const asked: string[] = [];
  const answered: string[] = [];
  const verify = (seen: string[]) => (request: Request) => {
    if (request.url().endsWith("/verify/")) seen.push(request.url());
  };
  asha.page.on("request", verify(asked)).on("requestfinished", verify(answered));
  await stopsTheClock(asha);
  await asha.page.goto("/recharge/callback");
  await asha.sees("Processing Payment");
  await untilHydrated(asha.page);
  await asha.page.clock.runFor(10);
  await expect.poll(() => answered.length).toBe(1);
  for (const turn of [2, 3]) {
    // The next wait begins once the page has read the answer, and it reads them in their order.
    await asha.page.evaluate(async () => (await fetch("/favicon.svg")).text());
    await asha.page.clock.runFor(4_900);
    expect(asked.length).toBe(turn - 1);
    await asha.page.clock.runFor(200);
    await expect.poll(() => answered.length).toBe(turn);
  }
});
