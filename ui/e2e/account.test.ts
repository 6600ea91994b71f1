import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { dayInWords } from "../src/lib/format";
import { POLICY_VERSION } from "../src/parts/policy";
import { englishWords } from "../src/words/words";
import { look } from "./harness/audit";
import { account, registerConfirmed, signIn } from "./harness/customer";
import { readLetters, readActionLink, readLink } from "./harness/inbox";
import { signInWithMoney } from "./harness/setup";
import { journey } from "./harness/journey";
import { downloads, pdfText } from "./harness/pdf";
import * as steps from "./harness/steps";
import { LAPTOP, PHONE, SCRIPTS } from "./harness/visitor";

const GSTIN = "29AAACR5055K1Z3";
const PASSWORD = "tea-at-noon";

for (const viewport of [LAPTOP, PHONE]) {
  journey(
    `at ${viewport.width} px one sees and changes one’s account`,
    async ({ visit, server }) => {
      const customer = await registerConfirmed(server);
      const asha = await visit({ viewport });
      await signIn(asha, customer);
      const reader = await account(server, customer);
      const { page } = asha;
      await page.goto("/dashboard");
      await asha.opensAccount();
      await asha.follows("Your account");
      await asha.isAt("/account");
      await asha.sees("Where you are logged in");
      await look(asha, "account-1");
      const profile = page.locator("form[action='/account']");
      const field = (label: string) => profile.getByLabel(label);
      const hasFocus = (label: string) => () =>
        field(label).evaluate((element) => element === document.activeElement);

      asha.expect(/400/);
      await field("Company").fill("Rao Handicrafts");
      await field("GSTIN").fill("29AAACR5055K1Z4");
      await asha.presses("Save");
      await asha.sees("Check the GSTIN");
      await expect.poll(hasFocus("GSTIN")).toBe(true);
      await look(asha, "account-2-wrong");
      await field("GSTIN").fill("29 aaacr 5055k 1z3");
      await field("First name").fill("Asha Devi");
      await asha.presses("Save");
      await asha.sees("Your profile was saved.");
      await asha.sees("Asha Devi Rao");
      await expect.poll(() => field("GSTIN").inputValue()).toBe(GSTIN);
      expect(await reader.get("auth/profile/")).toMatchObject({
        first_name: "Asha Devi",
        company_name: "Rao Handicrafts",
        gstin: GSTIN,
      });

      await field("Email").fill(`new.${customer.email}`);
      await asha.presses("Save");
      await asha.sees("Please enter your password to change your email address.");
      await field("Current password").fill(customer.password);
      await asha.presses("Save");
      await asha.sees("We sent a link to your new email address");
      await expect.poll(() => field("Current password").inputValue()).toBe("");
      const to = `new.${customer.email}`;
      await asha.sees(`Confirm your email: open the link that we sent to ${to}.`);
      await look(asha, "account-5-confirm");
      await page.goto("/dashboard");
      await asha.follows("Confirm your email");
      await asha.isAt("/account");
      await asha.presses("Send again");
      await asha.sees("We sent you a link. Open it, and log in if you are asked to.");
      await page.goto(await readLink(server, to, "confirm"));
      await asha.sees("Your email address is confirmed.");
      await expect.poll(() => field("Email").inputValue()).toBe(to);
      await asha.sees("Your email address was changed.");

      const undo = await readActionLink(server, customer);
      await page.goto(undo);
      await asha.sees(`Use ${customer.email} for your account again?`);
      await look(asha, "account-6-undo");
      await asha.presses("Use this address again");
      await asha.sees("Your email address is the earlier one again");
      asha.expect(/404/);
      await page.goto(undo);
      await asha.sees("This link was used already, is too old, or is not complete.");
    },
  );
}

journey(
  "a customer ends one other session, then all, and changes the password",
  async ({ visit, server }) => {
    const customer = await registerConfirmed(server);
    const asha = await visit({ viewport: LAPTOP });
    const others = [await visit(), await visit(), await visit()];
    for (const visitor of [asha, ...others]) await signIn(visitor, customer);
    const { page } = asha;
    await page.goto("/account");
    await look(asha, "account-3-sessions");
    await asha.follows("Where you are logged in");
    await asha.isAt("/account");
    const top = () => page.locator("#sessions").evaluate((card) => card.getBoundingClientRect().y);
    await expect.poll(top, { message: "the card is below the header" }).toBeLessThan(200);
    const list = page.getByRole("listitem").filter({ hasText: "last used" });
    await expect.poll(() => list.count()).toBe(4);
    await expect.poll(() => list.first().innerText()).toContain("This device");
    const ending = page.locator("form[action='/account/sessions/end']");
    await page.locator("summary", { hasText: "Log out other devices" }).click();
    await ending.getByLabel("Where").selectOption({ index: 1 });
    await ending.getByLabel("Current password").fill(customer.password);
    await asha.presses("Log out");
    await asha.sees("That session was ended.");
    await expect.poll(() => list.count()).toBe(3);
    const heading = page.getByRole("heading", { name: "Where you are logged in" });
    await expect
      .poll(() => heading.evaluate((element) => element === document.activeElement))
      .toBe(true);
    await look(asha, "account-3-sessions-ended");
    await ending.getByLabel("Current password").fill(customer.password);
    await asha.presses("Log out");
    await asha.sees("You are logged out everywhere else.");
    await expect.poll(() => list.count()).toBe(1);
    for (const other of others) {
      await other.page.goto("/dashboard");
      await other.isAt(/^\/login\?next=/);
    }

    const [other] = others;
    if (other !== undefined) await signIn(other, customer);
    const form = page.locator("form[action='/account/password']");
    asha.expect(/400/);
    const change = async (present: string, confirmed: string) => {
      await form.getByLabel("Current password").fill(present);
      await form.getByLabel("New password", { exact: true }).fill(PASSWORD);
      await form.getByLabel("Confirm new password").fill(confirmed);
      await asha.presses("Change password");
    };
    await change(customer.password, "tea");
    await asha.sees("Passwords do not match");
    await change("not-her-password", PASSWORD);
    await asha.sees("This is not your current password.");
    await look(asha, "account-4-password");
    await change(customer.password, PASSWORD);
    await asha.sees("Your password was changed. You were logged out everywhere else.");
    await other?.page.goto("/dashboard");
    await other?.isAt(/^\/login\?next=/);
    await page.goto("/dashboard");
    await asha.sees("Total Bookings");
    const [told] = await readLetters(server, customer);
    expect(told?.subject).toBe("Your Dakiya password was changed");
  },
);

journey(
  "the profile’s company and GSTIN stand in the booking and on its invoice",
  async ({ visit }) => {
    const asha = await visit({ viewport: LAPTOP });
    await signInWithMoney(asha);
    const { page } = asha;
    await page.goto("/account");
    await page.getByLabel("Company").fill("Rao & Sons");
    await page.getByLabel("GSTIN").fill(GSTIN);
    await asha.presses("Save");
    await asha.sees("Your profile was saved.");
    await asha.follows("Courier");
    await steps.calculates(asha);
    await steps.proceeds(asha);
    await expect.poll(() => steps.valueOf(asha, "consigner_company")).toBe("Rao & Sons");
    await expect.poll(() => steps.valueOf(asha, "consigner_gst_number")).toBe(GSTIN);
    await steps.fillsDetails(asha, ["consigner_gst_number"]);
    await steps.reviews(asha);
    await asha.sees(/^IGST/);
    await steps.books(asha);
    const printed = pdfText((await downloads(asha, "Invoice")).path);
    for (const part of ["Rao & Sons", GSTIN, "Karnataka (29)"]) expect(printed).toContain(part);
  },
);

for (const { how, script } of SCRIPTS) {
  journey(`${how} JavaScript one takes one’s data and leaves`, async ({ visit, server }) => {
    const customer = await registerConfirmed(server);
    const asha = await visit({ viewport: PHONE, javaScriptEnabled: script });
    await signIn(asha, customer, "/account");
    await asha.sees(
      `you agreed to our privacy policy of ${englishWords(dayInWords(POLICY_VERSION.day))}`,
    );
    const passwordOf = (action: string) =>
      asha.page.locator(`form[action='${action}']`).getByLabel("Current password");
    asha.expect(/^400: POST|status of 400/);
    await passwordOf("/account/export").fill("not-her-password");
    await asha.presses("Download my data");
    await asha.sees("This is not your current password.");
    await look(asha, "account-8-data");
    await passwordOf("/account/export").fill(customer.password);
    const downloading = asha.page.waitForEvent("download");
    await asha.presses("Download my data");
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^dakiya-\d{4}-\d\d-\d\d\.json$/);
    const told = JSON.parse(readFileSync(await file.path(), "utf8"));
    expect(told.account.email).toBe(customer.email);

    const letters = async () => (await readLetters(server, customer)).map(({ subject }) => subject);
    await expect.poll(letters).toContain("All data of your Dakiya account was downloaded");

    await asha.page.goto("/account");
    const password = passwordOf("/account/close");
    await password.fill("not-her-password");
    await asha.presses("Close my account");
    await asha.sees("This is not your current password.");
    await look(asha, "account-7-close");
    await password.fill(customer.password);
    await asha.presses("Close my account");
    await asha.isAt("/privacy-policy?closed=1");
    await asha.sees("Your account is closed.");
    // A script that remembers the session logs it out.
    asha.expect(/\b401\b/);
    await asha.page.goto("/account");
    await asha.isAt(/^\/login\?next=/);
  });
}
