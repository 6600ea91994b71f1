import { expect } from "vitest";
import { look } from "./harness/audit";
import { account, registerCustomer, signIn } from "./harness/customer";
import { journey } from "./harness/journey";
import { sendsLogin } from "./harness/steps";
import { PHONE, SCRIPTS, type Visitor } from "./harness/visitor";

/** Somebody whose session ends while they type, and who logs in again when it is asked for. */
async function typist(visitor: Visitor) {
  visitor.expect(/\b401\b/);
  const customer = await registerCustomer(visitor.server);
  await signIn(visitor, customer);
  return {
    customer,
    reader: await account(visitor.server, customer),
    sendsTooLate: async (button: string) => {
      await visitor.context.clearCookies();
      await visitor.presses(button);
      await visitor.sees("Your session has ended. What you entered is kept: please log in again.");
    },
    logsIn: () => sendsLogin(visitor, customer),
  };
}

for (const { how, script } of SCRIPTS) {
  journey(
    `a profile that was sent when the session had ended is saved by the login, ${how} JavaScript`,
    async ({ visit }) => {
      const asha = await visit({ javaScriptEnabled: script, viewport: PHONE });
      const { customer, reader, sendsTooLate, logsIn } = await typist(asha);
      const profile = asha.page.locator("form[action='/account']");
      const field = (label: string) => profile.getByLabel(label);
      await asha.page.goto("/account");
      await field("Company").fill("Rao & Sons");
      await field("Current password").fill("nobody should see this");
      await sendsTooLate("Save");
      expect(await asha.page.content()).not.toContain("nobody should see this");
      await look(asha, "session-ended");
      await logsIn();
      await asha.sees("Your profile was saved.");
      await expect.poll(() => field("Company").inputValue()).toBe("Rao & Sons");
      expect(await reader.get("auth/profile/")).toMatchObject({ company_name: "Rao & Sons" });

      asha.expect(/\b400\b/);
      await field("Company").fill("Rao Handicrafts");
      await field("Email").fill(`new.${customer.email}`);
      await sendsTooLate("Save");
      await logsIn();
      await asha.sees("Please enter your password to change your email address.");
      await expect.poll(() => field("Company").inputValue()).toBe("Rao Handicrafts");
      if (script) await asha.isAt("/account");
      await field("Current password").fill(customer.password);
      await asha.presses("Save");
      await asha.sees(/We sent a link to your new email address/);
      expect(await reader.get("auth/profile/")).toMatchObject({
        company_name: "Rao Handicrafts",
        email: customer.email,
      });
    },
  );

  journey(
    `a recharge that was begun when the session had ended goes on after the login, ${how} script`,
    async ({ visit, server }) => {
      const asha = await visit({ javaScriptEnabled: script, viewport: PHONE });
      const { sendsTooLate, logsIn } = await typist(asha);
      await asha.page.goto("/recharge");
      await asha.page.locator("input[name=amount]").fill("750");
      await sendsTooLate(script ? "Recharge ₹750" : "Recharge");
      await logsIn();
      await asha.page.waitForURL(`${server.sandboxUrl}/**`);
      await asha.sees(/750/);
    },
  );
}
