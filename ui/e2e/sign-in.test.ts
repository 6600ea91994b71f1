import { expect } from "vitest";
import { look } from "./harness/audit";
import {
  signInNewCustomer,
  newCustomer,
  registerConfirmed,
  registerCustomer,
} from "./harness/customer";
import { journey } from "./harness/journey";
import { readLetters } from "./harness/inbox";
import { eventually } from "./harness/patience";
import { fillsRegistration, logsIn, registers, sendsLogin } from "./harness/steps";
import { PHONE } from "./harness/visitor";

const WRONG = "Wrong username or password.";

journey("a wrong login is told beside the form until it is mended", async ({ visit, server }) => {
  const asha = await visit({ viewport: PHONE });
  asha.expect(/401/);
  const customer = await registerConfirmed(server);
  await asha.page.goto("/login");
  await asha.page.clock.install();
  await sendsLogin(asha, { username: customer.email, password: "not-her-password" });
  const box = asha.page.locator("main .box-error");
  await box.getByText(WRONG).waitFor();
  await look(asha, "login-1-wrong");
  await asha.page.clock.runFor(60_000);
  await expect
    .poll(() => asha.page.locator(".notice-top .notice").count(), { message: "said once" })
    .toBe(0);
  await expect.poll(() => box.isVisible()).toBe(true);
  // Right this time, and by the email address.
  await asha.fills({ Password: customer.password });
  await asha.presses("Log In");
  await asha.isAt("/dashboard");
});

journey("a password is shown and hidden again", async ({ guest }) => {
  const { page } = guest;
  await page.goto("/login");
  await guest.fills({ Password: "tea-at-noon" });
  const type = () => page.locator("#login-password").getAttribute("type");
  await guest.presses("Show password");
  await expect.poll(type).toBe("text");
  await look(guest, "login-2-shown");
  await guest.presses("Hide password");
  await expect.poll(type).toBe("password");
  await expect
    .poll(() => page.getByLabel("Password", { exact: true }).inputValue())
    .toBe("tea-at-noon");
});

journey(
  "who has an account already and registers again is told so by email alone",
  async ({ visit, server }) => {
    const asha = await visit({ viewport: PHONE });
    const first = await registerConfirmed(server);
    await registers(asha, { ...newCustomer(), email: first.email });
    const subject = "Somebody tried to register with your email address";
    const letter = await eventually("the letter", async () =>
      (await readLetters(server, first)).find((it) => it.subject === subject),
    );
    expect(letter.text).toContain("There is a Dakiya account with this email address already.");
    expect(letter.text).toMatch(/:\/\/\S+\/login\b/);
    await asha.page.goto("/login");
    await logsIn(asha, { username: first.email, password: first.password });
  },
);

journey("the login has its own button in the header too", async ({ guest }) => {
  await guest.page.goto("/login");
  await guest.page.getByRole("banner").getByRole("link", { name: "Login" }).waitFor();
});

journey(
  "a registration's errors are told in one round, each until it is mended",
  async ({ visit, server }) => {
    const asha = await visit({ viewport: PHONE });
    asha.expect(/400/);
    const taken = await registerCustomer(server);
    const customer = newCustomer();
    await asha.page.goto("/register");
    await fillsRegistration(asha, { ...customer, username: taken.username, phone: "12" });
    await asha.fills({ "First name": "", Email: "asha", "Confirm password": "another" });
    await asha.presses("Sign up");
    const wrong = ["First name", "Username", "Email", "Phone", "Confirm password"];
    for (const label of wrong) {
      const field = asha.page.getByLabel(label, { exact: true });
      await expect.poll(() => field.getAttribute("aria-invalid"), { message: label }).toBe("true");
    }
    const list = asha.page.locator("main .box-error");
    await expect.poll(() => list.count(), { message: "one list of all" }).toBe(1);
    const hasFocus = () => list.evaluate((box) => box === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    const listed = async () =>
      (await list.getByRole("link").allInnerTexts()).map((text) => text.replace(/:.*/s, ""));
    await expect.poll(listed, { message: "in the form's order" }).toEqual(wrong);
    await expect
      .poll(() => asha.page.locator(".notice-top .notice").count(), { message: "no second one" })
      .toBe(0);
    await look(asha, "register-1-wrong");
    await list.getByRole("link", { name: /^Username: / }).click();
    await expect
      .poll(() => asha.page.evaluate(() => document.activeElement?.id))
      .toBe("register-username");
    await asha.fills({ Phone: customer.phone });
    const phone = asha.page.getByLabel("Phone");
    await expect.poll(() => phone.getAttribute("aria-invalid")).toBeNull();
    const username = asha.page.getByLabel("Username", { exact: true });
    await expect.poll(() => username.getAttribute("aria-invalid")).toBe("true");

    await fillsRegistration(asha, customer);
    await asha.presses("Sign up");
    await asha.isAt("/login");
    await expect.poll(() => asha.page.getByLabel("Username").inputValue()).toBe(customer.username);
    await logsIn(asha, customer);
  },
);

journey("what an address says once is not said again by a reload", async ({ asha }) => {
  await asha.page.goto("/login?next=%2Frecharge&changed=1");
  await asha.sees("Your password was changed. Please log in with the new one.");
  await asha.isAt("/login?next=/recharge");
  await signInNewCustomer(asha, "/dashboard?tab=bookings&cancelled=1");
  const said = "The booking was cancelled. The money is back in your wallet.";
  await asha.sees(said);
  await asha.isAt("/dashboard?tab=bookings");
  await asha.page.reload();
  await asha.sees("No bookings found");
  await expect.poll(() => asha.page.getByText(said).count()).toBe(0);
});
