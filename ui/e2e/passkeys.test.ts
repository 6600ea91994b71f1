import { expect } from "vitest";
import { look, observe } from "./harness/audit";
import { registerConfirmed, signIn } from "./harness/customer";
import { withFingerprint } from "./harness/fingerprint";
import { readLetters } from "./harness/inbox";
import { journeyOn } from "./harness/journey";
import { sendsLogin } from "./harness/steps";
import { DEVICES, PHONE } from "./harness/visitor";

/** Browsers make no passkeys for an address without a name. */
const journey = journeyOn({}, "localhost");

for (const [device, { viewport }] of DEVICES) {
  journey(
    `on ${device} a customer adds a passkey, signs in with it, confirms with it and removes it`,
    async ({ visit, server }) => {
      const customer = await registerConfirmed(server);
      const asha = await visit({ viewport });
      const { page } = asha;
      await observe(page);
      const finger = await withFingerprint(asha);
      await signIn(asha, customer, "/account");
      await asha.sees("Log in with your fingerprint, face or screen lock instead of a password.");
      await page.getByRole("link", { name: "Set up Passkeys" }).click();
      await asha.isAt("/account/passkeys");
      await asha.sees("You have no passkey yet.");
      await look(asha, "passkeys-1-none");
      asha.expect(/^400: POST|status of 400/);
      await asha.fills({ Name: "my phone", "Current password": "not-her-password" });
      await asha.presses("Add a passkey");
      await asha.sees("This is not your current password.");
      await asha.fills({ "Current password": customer.password });
      await asha.presses("Add a passkey");
      await asha.sees("Your passkey was added. You can log in with it from now on.");
      await asha.sees("my phone");
      await look(asha, "passkeys-2-added");
      expect(await finger.keys()).toBe(1);
      const [told] = await readLetters(server, customer);
      expect(told?.subject).toBe("A passkey was added to your Dakiya account");

      await asha.logsOut();
      await asha.isAt("/login");
      await page.goto("/login?next=/recharge");
      await look(asha, "passkeys-3-login");
      // A finger that the reader does not know.
      await finger.knows(false);
      await asha.presses("Log in with a passkey");
      await asha.sees("No passkey was used. Please try again, or use your password.");
      await finger.knows(true);
      await asha.presses("Log in with a passkey");
      await asha.isAt("/recharge");

      await page.goto("/account/passkeys");
      await asha.sees(/last used/);
      const remove = page.locator("form[action='/account/passkeys/remove']");
      await remove.getByRole("button", { name: "Use a passkey instead" }).click();
      await asha.sees("Confirmed with your passkey.");
      await look(asha, "passkeys-4-confirmed");
      await remove.getByRole("button", { name: "Remove" }).click();
      await asha.sees("The passkey was removed. Nobody can log in with it any more.");
      await asha.sees("You have no passkey yet.");

      asha.expect(/^401: POST|status of 401/);
      await asha.logsOut();
      await asha.isAt("/login");
      await asha.presses("Log in with a passkey");
      await asha.sees("This passkey does not log in to Dakiya. Please use your password.");
      await look(asha, "passkeys-5-refused");
    },
  );
}

journey(
  "without script nothing asks for a passkey, and the password logs in",
  async ({ visit, server }) => {
    const customer = await registerConfirmed(server);
    const asha = await visit({ viewport: PHONE, javaScriptEnabled: false });
    const { page } = asha;
    await page.goto("/login");
    const button = page.getByRole("button", { name: "Log in with a passkey" });
    await expect.poll(() => button.isVisible()).toBe(false);
    await asha.photograph("360/passkeys-6-no-script");
    await sendsLogin(asha, customer);
    await page.goto("/account/passkeys");
    await asha.sees("Adding a passkey needs JavaScript.");
  },
);
