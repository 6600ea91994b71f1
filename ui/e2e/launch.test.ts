import { expect } from "vitest";
import { look } from "./harness/audit";
import { account, signInNewCustomer } from "./harness/customer";
import { journeyOn } from "./harness/journey";
import { paysAtGateway, recharges } from "./harness/steps";
import { LAPTOP, PHONE } from "./harness/visitor";

/** With PhonePe's pages opened by its script, which our own page loads. */
const journey = journeyOn({ DAKIYA_PHONEPE_LAUNCH: "page" });

journey("the launch page opens the gateway by its script", async ({ asha, server }) => {
  const customer = await signInNewCustomer(asha, "/recharge");
  await recharges(asha, "₹500");
  const reader = await account(server, customer);
  expect(await reader.get("wallet/balance/")).toEqual({ balance: 500 });
});

journey("without a script the launch page is a link", async ({ visit }) => {
  const asha = await visit({ javaScriptEnabled: false });
  await signInNewCustomer(asha, "/recharge");
  await asha.page.getByLabel(/amount/).fill("750");
  await asha.page.getByRole("button", { name: /^Recharge/ }).click();
  await asha.isAt(/^\/recharge\/launch\/DKR/);
  for (const viewport of [PHONE, LAPTOP]) {
    await asha.page.setViewportSize(viewport);
    await asha.photograph(`${viewport.width}/recharge-launch`);
  }
  await asha.follows("Open the payment page");
  await paysAtGateway(asha);
  await asha.sees("Payment Successful!");
});

journey("a gateway script that does not load leaves the link", async ({ visit }) => {
  const asha = await visit({ viewport: PHONE });
  await signInNewCustomer(asha);
  asha.expect(/checkout\.js/);
  await asha.page.route("**/checkout.js", (route) => route.abort());
  await asha.page.goto("/recharge");
  await asha.presses("₹500");
  await asha.presses("Recharge ₹500");
  await asha.isAt(/^\/recharge\/launch\/DKR/);
  await asha.sees("Open the payment page");
  await look(asha, "recharge-launch-link");
  await asha.follows("Open the payment page");
  await paysAtGateway(asha);
  await asha.sees("Payment Successful!");
});
