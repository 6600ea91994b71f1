import { expect } from "vitest";
import { look } from "./harness/audit";
import { registerConfirmed, signIn } from "./harness/customer";
import { readLetters, readActionLink } from "./harness/inbox";
import { journey } from "./harness/journey";
import { changesPassword, logsIn } from "./harness/steps";
import { LAPTOP, PHONE } from "./harness/visitor";

const ANOTHER = "tea-at-noon";

for (const viewport of [LAPTOP, PHONE]) {
  journey(
    `at ${viewport.width} px a forgotten password is replaced through the link in an email`,
    async ({ visit, server }) => {
      const customer = await registerConfirmed(server);
      const elsewhere = await visit();
      await signIn(elsewhere, customer);
      const asha = await visit({ viewport });
      const { page } = asha;
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      await page.goto("/login");
      await look(asha, "password-0-login");
      await asha.follows("Forgot password?");
      await asha.isAt("/forgot-password");
      await asha.fills({ "Username or email address": customer.email });
      await look(asha, "password-1-forgot");
      await asha.presses("Send the link");
      await asha.sees("Check your email");
      await expect.poll(focused).toBe("Check your email");
      await look(asha, "password-2-sent");
      const inbox = page.getByRole("link", { name: "read the message in a new tab" });
      await expect.poll(() => inbox.getAttribute("href")).toMatch(server.sandboxUrl);

      const link = await readActionLink(server, customer);
      await page.goto(link);
      asha.expect(/400/);
      await changesPassword(asha, "tea");
      await asha.sees("Password must be at least 6 characters long");
      await look(asha, "password-3-short");
      await changesPassword(asha, "password");
      await asha.sees("This password is too common");
      await changesPassword(asha, ANOTHER);
      await asha.sees("Your password was changed. Please log in with the new one.");
      await look(asha, "password-4-changed");
      await logsIn(asha, { ...customer, password: ANOTHER });

      await elsewhere.page.goto("/dashboard");
      await elsewhere.isAt(/^\/login\?next=/);
      const [told] = await readLetters(server, customer);
      expect(told?.subject).toBe("Your Dakiya password was changed");
      asha.expect(/404/);
      await page.goto(link);
      await asha.sees("This link was used already");
      await look(asha, "password-5-used");
    },
  );
}
