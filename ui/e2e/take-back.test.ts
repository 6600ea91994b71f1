import { expect } from "vitest";
import { look } from "./harness/audit";
import { registerConfirmed, signIn, type Customer } from "./harness/customer";
import { withFingerprint } from "./harness/fingerprint";
import { readActionLink, readLetters, readLink } from "./harness/inbox";
import { journeyOn } from "./harness/journey";
import { eventually } from "./harness/patience";
import { changesPassword, logsIn, sendsLogin } from "./harness/steps";
import { codeOf } from "./harness/totp";
import { PHONE, SCRIPTS, type Visitor } from "./harness/visitor";

/** Browsers make no passkeys for an address without a name. */
const journey = journeyOn({}, "localhost");

const ANOTHER = "tea-at-noon";

/** Changes the email address in an open session, as a thief does who knows the password. */
async function movesTo(visitor: Visitor, { password }: Customer, email: string) {
  const { page, server } = visitor;
  await page.goto("/account");
  const profile = page.locator("form[action='/account']");
  await profile.getByLabel("Email").fill(email);
  await profile.getByLabel("Current password").fill(password);
  await visitor.presses("Save");
  await visitor.sees(/We sent a link to your new email address/);
  await page.goto(await readLink(server, email, "confirm"));
  await visitor.sees("Your email address is confirmed.");
}

async function undoes(visitor: Visitor, link: string) {
  await visitor.page.goto(link);
  await visitor.presses("Use this address again");
  await visitor.sees(/Your email address is the earlier one again/);
}

/** Chooses a password by a link to the old address, and logs in with it alone. */
async function returns(visitor: Visitor, customer: Customer) {
  const { page, server } = visitor;
  await page.goto("/forgot-password");
  await visitor.fills({ "Username or email address": customer.email });
  await visitor.presses("Send the link");
  await visitor.sees("Check your email");
  const link = await eventually("a link to choose a password", async () => {
    const letters = await readLetters(server, customer);
    const letter = letters.find(({ subject }) => subject === "Choose a new password for Dakiya");
    return /https?:\S+\/reset-password\?token=\S+/.exec(letter?.text ?? "")?.[0];
  });
  await page.goto(link);
  const keep = page.getByLabel(/^Keep my passkeys, codes and confirmed phone number/);
  await expect.poll(() => keep.isChecked()).toBe(false);
  await look(visitor, "take-back-reset");
  await changesPassword(visitor, ANOTHER);
  await visitor.sees("Your password was changed. Please log in with the new one.");
  await logsIn(visitor, { ...customer, password: ANOTHER });
  const told = await eventually("the letter about it", async () =>
    (await readLetters(server, customer)).find(
      ({ subject }) => subject === "Your Dakiya password was changed",
    ),
  );
  expect(told.text).toContain("Passkeys that remain: 0");
  expect(told.text).toContain("Two-step login: off");
}

for (const { how, script } of SCRIPTS) {
  const view = { viewport: PHONE, javaScriptEnabled: script };

  journey(
    `${how} JavaScript the oldest address wins although a thief took the account back first`,
    async ({ visit, server }) => {
      const customer = await registerConfirmed(server);
      const [asha, thief] = [await visit(view), await visit(view)];
      await signIn(thief, customer);
      const [den, hole] = [`den.${customer.email}`, `hole.${customer.email}`];
      await movesTo(thief, customer, den);
      const right = await readActionLink(server, customer);
      await movesTo(thief, customer, hole);
      const wrong = await readLink(server, den, "token");
      await undoes(thief, wrong);
      await undoes(asha, right);
      await returns(asha, customer);

      thief.expect(/404/);
      await thief.page.goto(wrong);
      await thief.sees("This link was used already, is too old, or is not complete.");
      thief.expect(/^401: POST|status of 401/);
      await thief.page.goto("/login");
      await sendsLogin(thief, customer);
      await thief.sees("Wrong username or password.");
      await asha.page.goto("/account");
      await asha.sees("Where you are logged in");
    },
  );

  journey(
    `${how} JavaScript a thief’s ${script ? "passkey" : "app"} ends when the address is taken back`,
    async ({ visit, server }) => {
      const customer = await registerConfirmed(server);
      const [asha, thief] = [await visit(view), await visit(view)];
      const { page } = thief;
      await signIn(thief, customer);
      await movesTo(thief, customer, `den.${customer.email}`);
      if (script) {
        await withFingerprint(thief);
        await page.goto("/account/passkeys");
        await thief.fills({ Name: "thief", "Current password": customer.password });
        await thief.presses("Add a passkey");
        await thief.sees("Your passkey was added. You can log in with it from now on.");
      } else {
        await page.goto("/account/two-step");
        await thief.fills({ "Current password": customer.password });
        await thief.presses("Continue");
        await thief.fills({ Code: codeOf(await page.locator("code.secret").innerText(), 0) });
        await thief.presses("Switch on");
        await thief.sees("Your recovery codes");
      }
      const undo = await eventually("the link that undoes it", async () => {
        const letters = await readLetters(server, customer);
        const texts = letters.map(
          ({ text }) => /https?:\S+\/undo-email\?token=\S+/.exec(text)?.[0],
        );
        return texts.find((link) => link !== undefined);
      });
      await undoes(asha, undo);
      await returns(asha, customer);

      thief.expect(/^401: POST|status of 401/);
      await page.goto("/login");
      if (script) {
        await thief.presses("Log in with a passkey");
        await thief.sees("This passkey does not log in to Dakiya. Please use your password.");
      } else {
        await sendsLogin(thief, customer);
        await thief.sees("Wrong username or password.");
      }
    },
  );
}
