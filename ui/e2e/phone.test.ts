import { expect } from "vitest";
import { look } from "./harness/audit";
import { registerConfirmed, signIn } from "./harness/customer";
import { readSmsCode } from "./harness/inbox";
import { journey } from "./harness/journey";
import { LAPTOP, PHONE } from "./harness/visitor";

for (const [name, view] of [
  ["on a laptop with script", { viewport: LAPTOP }],
  ["on a phone without script", { viewport: PHONE, javaScriptEnabled: false }],
] as const) {
  journey(`${name} a customer confirms the phone by an OTP`, async ({ visit, server }) => {
    const customer = await registerConfirmed(server);
    const asha = await visit(view);
    asha.expect(/^400: POST|status of 400/);
    const { page } = asha;
    await signIn(asha, customer, "/account");
    await asha.sees("Confirm your phone");
    await look(asha, "phone-1-unconfirmed");
    await asha.presses("Send OTP");
    await asha.sees("We sent an OTP to your phone. It is valid for 10 minutes.");
    const form = page.locator("form[action='/account/phone/confirm']");
    const password = form.getByLabel("Current password");
    await asha.fills({ OTP: "12345" });
    await password.fill(customer.password);
    await asha.presses("Confirm");
    await asha.sees("Please enter the 6 digits of the OTP.");
    await look(asha, "phone-2-refused");
    await asha.fills({ OTP: await readSmsCode(server, customer) });
    await password.fill("not-her-password");
    await asha.presses("Confirm");
    await asha.sees("This is not your current password.");
    await asha.fills({ OTP: await readSmsCode(server, customer) });
    await password.fill(customer.password);
    await asha.presses("Confirm");
    await asha.sees("Your phone number is confirmed.");
    await look(asha, "phone-3-confirmed");
    await expect.poll(() => page.getByText("Confirmed", { exact: true }).count()).toBe(1);
  });
}
