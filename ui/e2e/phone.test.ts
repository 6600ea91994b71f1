import { expect } from "vitest";
import { look } from "./harness/audit";
import { confirmed, signIn, type Customer } from "./harness/customer";
import { journey } from "./harness/journey";
import type { Server } from "./harness/server";
import { LAPTOP, PHONE } from "./harness/visitor";

const WAYS = [
  { name: "on a laptop with script", view: { viewport: LAPTOP }, script: true },
  {
    name: "on a phone without script",
    view: { viewport: PHONE, javaScriptEnabled: false },
    script: false,
  },
];

for (const { name, view, script } of WAYS) {
  journey(`${name} a customer confirms the phone by an OTP`, async ({ visit, server }) => {
    const customer = { ...(await confirmed(server)) };
    const asha = await visit(view);
    if (!script) asha.expect(/^csp: GET .*\.js$/);
    asha.expect(/^400: POST|status of 400/);
    const { page } = asha;
    const looks = async (at: string) => {
      if (script) await look(asha, at);
    };
    await signIn(asha, server, customer);
    await page.goto("/account");
    await asha.sees("Confirm your phone");
    await looks("phone-1-unconfirmed");
    await asha.presses("Send OTP");
    await asha.sees("We sent an OTP to your phone. It is valid for 10 minutes.");
    await asha.fills({ OTP: "12345" });
    await asha.presses("Confirm");
    await asha.sees("Please enter the 6 digits of the OTP.");
    await looks("phone-2-refused");
    await asha.fills({ OTP: await codeTo(server, customer) });
    await asha.presses("Confirm");
    await asha.sees("Your phone number is confirmed.");
    await looks("phone-3-confirmed");
    expect(await page.getByText("Confirmed", { exact: true }).count()).toBe(1);
  });
}

/** The code in the newest SMS to a customer. */
async function codeTo(server: Server, { phone }: Customer): Promise<string> {
  const answer = await fetch(`${server.sandboxUrl}/__sim/inbox?format=json`);
  const kept = (await answer.json()) as { channel: string; to: string; text: string }[];
  const sms = kept.find(({ channel, to }) => channel === "sms" && to.endsWith(phone));
  return sms?.text.slice(0, 6) ?? "";
}
