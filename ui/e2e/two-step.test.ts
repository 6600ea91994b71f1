import { createHmac } from "node:crypto";
import { expect } from "vitest";
import { look } from "./harness/audit";
import { registerConfirmed, signIn, type Customer } from "./harness/customer";
import { readLetters } from "./harness/inbox";
import { journey } from "./harness/journey";
import { logsIn } from "./harness/steps";
import { LAPTOP, PHONE, type Visitor } from "./harness/visitor";

for (const [name, view] of [
  ["on a laptop with script", { viewport: LAPTOP }],
  ["on a phone with script", { viewport: PHONE }],
  ["on a phone without script", { viewport: PHONE, javaScriptEnabled: false }],
] as const) {
  journey(
    `${name} a customer switches two-step login on, uses it and switches it off`,
    async ({ visit, server }) => {
      const customer = await registerConfirmed(server);
      const asha = await visit(view);
      asha.expect(/^400: POST|status of 400/);
      const { page } = asha;
      await signIn(asha, customer, "/account");
      await asha.sees("Off. Protect your wallet: let a login ask for a code from your phone");
      await look(asha, "two-step-1-off");
      await page.getByRole("link", { name: "Set up Two-step login" }).click();
      await asha.isAt("/account/two-step");
      await look(asha, "two-step-2-begin");
      await asha.fills({ "Current password": "not-her-password" });
      await asha.presses("Continue");
      await asha.sees("This is not your current password.");
      await asha.fills({ "Current password": customer.password });
      await asha.presses("Continue");
      await asha.sees("Add Dakiya to your app");
      const secret = await page.locator("code.secret").innerText();
      expect(secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
      const app = page.getByRole("link", { name: "Open in my authenticator app" });
      const key = secret.replaceAll(" ", "");
      await expect
        .poll(() => app.getAttribute("href"))
        .toBe(`otpauth://totp/Dakiya:${customer.username}?secret=${key}&issuer=Dakiya`);
      await expect
        .poll(() => page.getByRole("button", { name: "Copy the key" }).count())
        .toBe(asha.hasScript ? 1 : 0);
      await look(asha, "two-step-3-app");
      await asha.fills({ Code: "000000" });
      await asha.presses("Switch on");
      await asha.sees("This code is not right, or was used already. Wait for the next one.");
      await asha.fills({ Code: codeOf(secret, 0) });
      await asha.presses("Switch on");
      await asha.sees("Your recovery codes");
      const codes = await page.locator(".recovery-codes code").allInnerTexts();
      expect(codes).toHaveLength(10);
      await look(asha, "two-step-4-codes");
      await asha.follows("I have saved them");
      await asha.isAt("/account");
      await asha.sees("A login asks for a code from your phone as well.");
      const [told] = await readLetters(server, customer);
      expect(told?.subject).toBe("Two-step login is on for your Dakiya account");

      await asha.logsOut();
      await asha.isAt("/login");
      await toCode(asha, customer);
      await look(asha, "two-step-5-code");
      await asha.fills({ Code: "000 000" });
      await asha.presses("Log In");
      await asha.sees("This code is not right, or was used already. Wait for the next one.");
      await look(asha, "two-step-6-wrong");
      // The next one: that of now switched it on.
      await asha.fills({ Code: codeOf(secret, 1) });
      await asha.presses("Log In");
      await asha.isAt("/recharge");

      await page.goto("/account/two-step");
      await asha.sees("Recovery codes left: 10");
      await look(asha, "two-step-7-on");
      const off = page.locator("form[action='/account/two-step/off']");
      await off.getByLabel("Current password").fill(customer.password);
      await off.getByLabel("Code").fill(codes[0] ?? "");
      await off.getByRole("button", { name: "Switch off" }).click();
      await asha.sees("Two-step login is off. You were logged out everywhere else.");
      await asha.isAt(asha.hasScript ? "/account" : "/account?saved=two-step-off");
    },
  );
}

/** The first step of a login that leads to the recharge page. */
async function toCode(asha: Visitor, customer: Customer) {
  await asha.page.goto("/login?next=/recharge");
  await logsIn(asha, customer, "/login/code?next=/recharge");
  await asha.sees("Enter your code");
}

/** The code that the app shows, so many steps of 30 seconds from now (RFC 6238). */
function codeOf(secret: string, steps: number): string {
  const bits = [...secret.replaceAll(" ", "")]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter))
    .map((value) => value.toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const hash = createHmac("sha1", Buffer.from(bytes)).update(counter).digest();
  const at = (hash.at(-1) ?? 0) & 0xf;
  const code = (hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000;
  return String(code).padStart(6, "0");
}
