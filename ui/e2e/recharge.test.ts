import { expect } from "vitest";
import { account, registered, signIn } from "./harness/customer";
import { journey } from "./harness/journey";
import { orderOf, paysAtGateway, recharges } from "./harness/steps";

journey("a payment that the bank refuses adds nothing and says why", async ({ visit, server }) => {
  const asha = await visit();
  const customer = await registered(server);
  await signIn(asha, server, customer);
  await asha.page.goto("/recharge");
  await asha.presses("₹1,000");
  await asha.presses("Recharge ₹1,000");
  await asha.page.waitForURL(`${server.sandboxUrl}/**`);
  await asha.presses("Decline");
  await asha.sees("Payment Failed");
  await asha.sees(/^Payment failed\. ./);
  const reader = await account(server, customer);
  expect(await reader.get("wallet/balance/")).toEqual({ balance: 0 });
  expect(await reader.get("wallet/transactions/")).toMatchObject({ count: 0 });
});

journey(
  "a payment that is pending is checked until the bank decides",
  async ({ visit, server }) => {
    const asha = await visit();
    const customer = await registered(server);
    await signIn(asha, server, customer);
    await asha.page.goto("/recharge");
    await asha.presses("₹500");
    await asha.presses("Recharge ₹500");
    await asha.page.waitForURL(`${server.sandboxUrl}/**`);
    await asha.presses("Leave pending");
    await asha.sees("Processing Payment");
    const act = `${server.sandboxUrl}/__sim/orders/${orderOf(asha)}/act`;
    const body = JSON.stringify({ action: "pay", method: "CARD" });
    const headers = { "Content-Type": "application/json" };
    expect((await fetch(act, { method: "POST", headers, body })).status).toBe(200);
    await asha.sees("Payment Successful!");
    await asha.isAt("/recharge");
    await asha.sees("₹500.00");
  },
);

journey("opening the return address again credits nothing more", async ({ visit, server }) => {
  const asha = await visit();
  const customer = await registered(server);
  await signIn(asha, server, customer);
  await asha.page.goto("/dashboard");
  await recharges(asha, server, "₹1,000");
  const order = orderOf(asha);
  await asha.page.goto(`/recharge/callback?merchantTransactionId=${order}`);
  await asha.sees("Payment Successful!");
  const reader = await account(server, customer);
  expect(await reader.get("wallet/balance/")).toEqual({ balance: 1000 });
});

journey("nobody is credited with somebody else's payment", async ({ visit, server }) => {
  const ravi = await visit();
  await signIn(ravi, server, await registered(server));
  await ravi.page.goto("/recharge");
  await ravi.presses("₹1,000");
  await ravi.presses("Recharge ₹1,000");
  await paysAtGateway(ravi, server);

  const asha = await visit();
  const customer = await registered(server);
  await signIn(asha, server, customer);
  asha.expect(/404/);
  await asha.page.goto(`/recharge/callback?merchantTransactionId=${orderOf(ravi)}`);
  await asha.sees("Payment Failed");
  const reader = await account(server, customer);
  expect(await reader.get("wallet/balance/")).toEqual({ balance: 0 });
});

journey("an amount below ₹10 cannot be sent", async ({ visit, server }) => {
  const asha = await visit();
  await signIn(asha, server, await registered(server));
  await asha.page.goto("/recharge");
  await asha.page.getByLabel(/amount/).fill("9");
  expect(await asha.page.getByRole("button", { name: "Recharge ₹9" }).isDisabled()).toBe(true);
  await asha.page.getByLabel(/amount/).fill("1a0");
  expect(await asha.page.getByLabel(/amount/).inputValue()).toBe("10");
  expect(await asha.page.getByRole("button", { name: "Recharge ₹10" }).isEnabled()).toBe(true);
});
