import { expect } from "vitest";
import { look } from "./harness/audit";
import {
  account,
  signInNewCustomer,
  registerCustomer,
  signInAndSettle,
  signIn,
} from "./harness/customer";
import { bankPays } from "./harness/gateway";
import { journey } from "./harness/journey";
import { scaleMs } from "./harness/patience";
import { goesToPay, orderOf, recharges } from "./harness/steps";
import { PHONE, type Visitor } from "./harness/visitor";

/** Up to the gateway's page and back with this button of it. */
async function leavesGateway(visitor: Visitor, button: string) {
  await goesToPay(visitor, "₹500");
  await visitor.presses(button);
  await visitor.isAt(/^\/recharge\/callback\?/);
  return orderOf(visitor);
}

const successOf = (order: string) =>
  `/recharge/success?merchantTransactionId=${order}&amount=99999`;

async function showsNoSuccess({ page }: Visitor) {
  const shown = await page.locator("main").innerText();
  expect(shown).not.toMatch(/Recharge Successful|99,999/);
}

journey(
  "the success page shows the server's word, whatever its address says",
  async ({ asha, visit, server }) => {
    await signInAndSettle(asha, "/recharge");
    await asha.page.goto(successOf("NOPE"));
    await asha.sees("Payment not found");
    await showsNoSuccess(asha);
    await look(asha, "success-1-missing");

    const failed = await leavesFrom(asha, "Decline");
    await asha.page.goto(successOf(failed));
    await asha.sees("Payment Failed");
    await asha.sees("₹500.00");
    await asha.sees(failed);
    await showsNoSuccess(asha);

    const pending = await leavesFrom(asha, "Leave pending");
    await asha.page.goto(successOf(pending));
    await asha.sees("Processing Payment");
    await asha.sees("₹500.00");
    await showsNoSuccess(asha);
    await look(asha, "success-2-pending");
    // Paid meanwhile: the page finds out by itself and stays.
    await bankPays(server, pending);
    await asha.sees("Recharge Successful!");
    await asha.sees("₹500.00");
    await asha.isAt(successOf(pending));

    const ravi = await visit();
    await signInAndSettle(ravi, "/recharge");
    await ravi.page.goto(successOf(pending));
    await ravi.sees("Payment not found");
    await showsNoSuccess(ravi);
  },
);

async function leavesFrom(visitor: Visitor, button: string) {
  await visitor.page.goto("/recharge");
  await visitor.page.waitForLoadState("networkidle");
  return leavesGateway(visitor, button);
}

journey("what a browser remembers of a payment is a question, not a fact", async ({ asha }) => {
  await signInAndSettle(asha, "/recharge");
  await recharges(asha, "₹500");
  await asha.sees("Balance: ₹500.00");
  const paid = orderOf(asha);
  await asha.isAt("/recharge");
  await asha.page.evaluate((order) => {
    localStorage.setItem("recharge_transaction_id", order);
    localStorage.setItem("recharge_amount", "750");
  }, paid);
  await asha.page.goto("/recharge/success");
  await asha.sees("Recharge Successful!");
  await asha.sees("₹500.00");
  await asha.sees("Card");
  const shown = await asha.page.locator("main").innerText();
  expect(shown).toMatch(/Date & Time\s+\d+ \w+ \d{4}, \d+:\d\d [ap]m/);
  expect(shown).not.toMatch(/750|N\/A/);
  const left = await asha.page.evaluate(() => Object.keys(localStorage).sort());
  expect(left).toEqual(["session", "user"]);

  await asha.page.evaluate(() => localStorage.setItem("merchant_order_id", "DKR-nobody"));
  asha.expect(/404/);
  await asha.page.goto("/recharge/success");
  await asha.sees("Payment not found");
});

journey(
  "a payment that was left is continued or put away, in every browser",
  async ({ visit, server }) => {
    const asha = await visit({ viewport: PHONE });
    const customer = await signInAndSettle(asha, "/recharge");
    const order = await leavesGateway(asha, "Leave pending");
    await asha.sees("Processing Payment");
    await asha.sees("₹500.00");
    await asha.sees(order);
    await asha.sees(/^You can pay until /);
    await expect.poll(() => asha.page.locator("main .spinner").count()).toBe(0);
    await look(asha, "payment-1-processing");
    await asha.follows("Continue payment");
    await asha.page.waitForURL(`${server.sandboxUrl}/**`);
    await asha.presses("Leave pending");
    await asha.sees("Processing Payment");

    const elsewhere = await visit();
    await signIn(elsewhere, customer, "/recharge");
    await elsewhere.sees(`Reference: ${order}`);
    await look(elsewhere, "payment-2-listed");
    await elsewhere.presses("Remove from list");
    await elsewhere.sees(/^The payment was removed from this list/);
    // Said once: loading the page again says nothing again.
    await elsewhere.isAt("/recharge");
    await elsewhere.page.reload();
    await elsewhere.sees("Current Balance");
    await expect.poll(() => elsewhere.page.getByText(/removed from this list/).count()).toBe(0);
    await asha.page.goto("/recharge");
    await asha.sees("Current Balance");
    await expect.poll(() => asha.page.getByText("Payments still pending").count()).toBe(0);

    // Only the list forgot it: what is paid after all is credited.
    await bankPays(server, order);
    const reader = await account(server, customer);
    await expect
      .poll(() => reader.get("wallet/balance/"), { timeout: scaleMs(90_000), interval: 1_000 })
      .toEqual({ balance: 500 });
  },
);

journey("without JavaScript a pending payment is put away", async ({ visit, server }) => {
  const asha = await visit({ javaScriptEnabled: false });
  await signInNewCustomer(asha, "/recharge");
  await asha.page.getByLabel(/enter an amount/).fill("500");
  await asha.page.getByRole("button", { name: /^Recharge/ }).click();
  await asha.page.waitForURL(`${server.sandboxUrl}/**`);
  await asha.presses("Leave pending");
  await asha.presses("Remove from list");
  await asha.sees(/^The payment was removed from this list/);
  await expect.poll(() => asha.page.getByText("Payments still pending").count()).toBe(0);
});

const REFUSED = ["12.50", "-50", "1e3", "100.50", "1,00", "5 00"];
const WHOLE = "Please enter an amount in whole rupees.";

journey("an amount that is not in whole rupees is refused beside the field", async ({ asha }) => {
  await signInAndSettle(asha, "/recharge");
  const amount = asha.page.getByLabel(/enter an amount/);
  const button = asha.page.getByRole("button", { name: /^Recharge/ });
  for (const typed of REFUSED) {
    await amount.fill(typed);
    await expect.poll(() => amount.inputValue()).toBe(typed);
    await asha.sees(WHOLE);
    await expect.poll(() => amount.getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => button.isDisabled(), { message: typed }).toBe(true);
  }
  await look(asha, "recharge-6-not-whole");
  await amount.fill("500");
  await expect.poll(() => asha.page.getByText(WHOLE).count()).toBe(0);
  await asha.page.getByRole("button", { name: "Recharge ₹500" }).waitFor();
});

journey("without JavaScript the server refuses the same amounts", async ({ visit, server }) => {
  const asha = await visit({ javaScriptEnabled: false });
  asha.expect(/^400: POST|status of 400/);
  const customer = await registerCustomer(server);
  await signIn(asha, customer);
  for (const typed of REFUSED) {
    await asha.page.goto("/recharge");
    const amount = asha.page.getByLabel(/enter an amount/);
    await amount.fill(typed);
    await asha.page.getByRole("button", { name: /^Recharge/ }).click();
    await asha.sees(WHOLE);
    await expect.poll(() => amount.inputValue()).toBe(typed);
    await expect.poll(() => amount.getAttribute("aria-invalid")).toBe("true");
  }
  const reader = await account(server, customer);
  expect(await reader.get("wallet/transactions/")).toMatchObject({ count: 0 });
});
