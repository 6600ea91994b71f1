import { expect } from "vitest";
import type { Transactions } from "../src/wire";
import { look, lookOn } from "./harness/audit";
import { account, signInNewCustomer } from "./harness/customer";
import { bankPays, setCallbacks } from "./harness/gateway";
import { journey } from "./harness/journey";
import { downloads } from "./harness/pdf";
import { scaleMs } from "./harness/patience";
import { goesToPay, orderOf, paysAtGateway, recharges } from "./harness/steps";
import { LAPTOP, PHONE, type Visitor } from "./harness/visitor";

/** Somebody with an empty wallet on the recharge screen. */
async function atRecharge(visitor: Visitor) {
  return account(visitor.server, await signInNewCustomer(visitor, "/recharge"));
}

journey("a payment is told, receipted and counted", async ({ visit }) => {
  const asha = await visit({ viewport: PHONE });
  const reader = await atRecharge(asha);
  await recharges(asha, "₹1,000");
  await asha.isAt("/recharge");
  const { results } = await reader.get<Transactions>("wallet/transactions/");
  for (const viewport of [PHONE, LAPTOP]) {
    await asha.page.setViewportSize(viewport);
    await asha.page.goto(results[0]?.link ?? "");
    await asha.sees("Recharge Successful!");
    await asha.sees("Card");
    await look(asha, "recharge-4-success");
  }
  const receipt = await downloads(asha, "Download receipt (PDF)");
  expect(receipt.name).toMatch(/^dakiya-receipt-DKR[\w-]+\.pdf$/);
});

journey("a payment that the bank refuses adds nothing and says why", async ({ asha, server }) => {
  const reader = await atRecharge(asha);
  await goesToPay(asha, "₹1,000");
  await asha.presses("Decline");
  await asha.sees("Payment Failed");
  await asha.sees(/^Payment failed\. ./);
  await expect.poll(() => asha.page.title()).toBe("Payment failed · Dakiya");
  await lookOn([LAPTOP, PHONE], asha, "recharge-3-failed");
  expect(await reader.get("wallet/balance/")).toEqual({ balance: 0 });
  expect(await reader.get("wallet/transactions/")).toMatchObject({ count: 0 });

  const again = asha.page.getByRole("link", { name: "Try again with ₹1,000" });
  await expect.poll(() => again.getAttribute("href")).toBe("/recharge?amount=1000");

  await bankPays(server, orderOf(asha));
  // Less than three seconds after the last question the gateway is not asked again.
  await asha.page.waitForTimeout(3_100);
  await asha.presses("Retry");
  await asha.sees("Payment Successful!");
  expect(await reader.get("wallet/balance/")).toEqual({ balance: 1000 });
});

journey("from a failed payment one goes home", async ({ asha }) => {
  await atRecharge(asha);
  await goesToPay(asha, "₹500");
  await asha.presses("Decline");
  await asha.sees("Payment Failed");
  await asha.follows("Go Home");
  await asha.isAt("/dashboard");
  await asha.sees("Total Bookings");
});

journey("a payment that is pending is checked until the bank decides", async ({ asha, server }) => {
  await atRecharge(asha);
  await goesToPay(asha, "₹500");
  await asha.presses("Leave pending");
  await asha.sees("Processing Payment");
  await bankPays(server, orderOf(asha));
  await asha.sees("Payment Successful!");
  await asha.isAt("/recharge");
  await asha.sees("₹500.00");
});

journey("a payment left at the gateway is listed, continued and checked", async ({ asha }) => {
  await atRecharge(asha);
  await goesToPay(asha, "₹500");
  await asha.page.goto("/dashboard");
  // By a navigation, not by a page load: the list comes from the API.
  await asha.follows("Recharge");
  await asha.sees("Payments still pending");
  await lookOn([LAPTOP, PHONE], asha, "recharge-5-pending");
  await asha.follows("Continue payment");
  await paysAtGateway(asha);
  await asha.sees("Payment Successful!");
  await asha.isAt("/recharge");
  await expect.poll(() => asha.page.getByText("Payments still pending").count()).toBe(0);
});

journey("an open recharge page tells of a payment that arrives", async ({ visit, server }) => {
  const asha = await visit({ viewport: PHONE });
  await atRecharge(asha);
  await goesToPay(asha, "₹500");
  await asha.presses("Leave pending");
  await asha.sees("Processing Payment");
  const order = orderOf(asha);
  await asha.page.goto("/recharge");
  const cards = asha.page.locator("main .card h2, main legend").first();
  await expect.poll(() => cards.innerText()).toBe("Payments still pending");
  await bankPays(server, order);
  await asha.sees("₹500 arrived");
  await asha.sees("Balance: ₹500.00");
  await expect.poll(() => asha.page.locator(".balance dd").innerText()).toBe("₹500.00");
  await expect.poll(() => asha.page.getByText("Payments still pending").count()).toBe(0);
  const receipt = await downloads(asha, "Download receipt (PDF)");
  expect(receipt.name).toContain(order);
});

journey("a button whose way was stopped takes another press", async ({ asha, server }) => {
  await atRecharge(asha);
  // The way to the gateway is stopped after a while, as by Esc.
  await asha.page.route(`${server.sandboxUrl}/**`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.abort("aborted");
  });
  const button = asha.page.getByRole("button", { name: "Recharge ₹500" });
  const leaves = async () => {
    await asha.presses("Recharge ₹500");
    await asha.sees("Processing...");
  };
  await asha.presses("₹500");
  await leaves();
  await button.waitFor();
  const stopped = asha.page.waitForEvent("requestfailed");
  await leaves();
  await stopped;
  await asha.page.evaluate(() => window.dispatchEvent(new Event("pageshow")));
  await button.waitFor({ timeout: scaleMs(3_000) });
});

journey(
  "a payment whose tab was closed reaches the wallet by the sweep",
  async ({ asha, server }) => {
    await setCallbacks(server, "never");
    const reader = await atRecharge(asha);
    await goesToPay(asha, "₹500");
    const order = /DKR[\w-]+/.exec(await asha.page.locator("main").innerText())?.[0] ?? "";
    await asha.page.close();
    await bankPays(server, order);
    await expect
      .poll(() => reader.get("wallet/balance/"), { timeout: scaleMs(90_000), interval: 1_000 })
      .toEqual({ balance: 500 });
    await setCallbacks(server, "after_redirect");
  },
);

journey("opening the return address again credits nothing more", async ({ asha }) => {
  const reader = await atRecharge(asha);
  await recharges(asha, "₹1,000");
  const order = orderOf(asha);
  await asha.page.goto(`/recharge/callback?merchantTransactionId=${order}`);
  await asha.sees("Payment Successful!");
  expect(await reader.get("wallet/balance/")).toEqual({ balance: 1000 });
});

journey("nobody is credited with somebody else's payment", async ({ asha, visit }) => {
  const ravi = await visit();
  await atRecharge(ravi);
  await goesToPay(ravi, "₹1,000");
  await paysAtGateway(ravi);

  const reader = await atRecharge(asha);
  asha.expect(/404/);
  await asha.page.goto(`/recharge/callback?merchantTransactionId=${orderOf(ravi)}`);
  await asha.sees("Payment Failed");
  expect(await reader.get("wallet/balance/")).toEqual({ balance: 0 });
});

journey("an amount below ₹10 cannot be sent", async ({ asha }) => {
  await atRecharge(asha);
  await asha.page.getByLabel(/amount/).fill("9");
  await expect
    .poll(() => asha.page.getByRole("button", { name: "Recharge ₹9" }).isDisabled())
    .toBe(true);
  await asha.page.getByLabel(/amount/).fill("10");
  await expect
    .poll(() => asha.page.getByRole("button", { name: "Recharge ₹10" }).isEnabled())
    .toBe(true);
});
