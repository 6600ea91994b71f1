import { expect } from "vitest";
import {
  account,
  signInNewCustomer,
  registerConfirmed,
  newCustomer,
  registerCustomer,
  signIn,
} from "./harness/customer";
import { bankPays } from "./harness/gateway";
import { rechargeWallet, bookParcel, signInWithBooking } from "./harness/setup";
import { journey } from "./harness/journey";
import { changesPassword, fillsRegistration, logsIn, orderOf, sendsLogin } from "./harness/steps";
import { readActionLink } from "./harness/inbox";
import { PHONE } from "./harness/visitor";

/** A browser that runs no script at all, as one does until the script has arrived. */
const plain = { javaScriptEnabled: false };

journey("without JavaScript a customer registers, logs in and logs out", async ({ visit }) => {
  const asha = await visit(plain);
  const customer = newCustomer();
  await asha.page.goto("/register");
  await fillsRegistration(asha, customer);
  await asha.presses("Sign up");
  await asha.isAt(`/login?registered=1&username=${customer.username}`);
  await expect.poll(() => asha.page.getByLabel("Username").inputValue()).toBe(customer.username);
  await asha.sees("Registration successful! Please login with your credentials.");

  await logsIn(asha, customer);
  await asha.sees("Asha Rao");
  await asha.sees("Balance: ₹0.00");
  await asha.sees("No bookings found");

  await asha.logsOut();
  await asha.isAt("/login");
});

journey("without JavaScript a forgotten password is replaced", async ({ visit, server }) => {
  const asha = await visit(plain);
  const customer = await registerConfirmed(server);
  await asha.page.goto("/login");
  await asha.follows("Forgot password?");
  await asha.fills({ "Username or email address": customer.username });
  await asha.presses("Send the link");
  await asha.isAt("/forgot-password?sent=1");
  await asha.sees("Check your email");
  await asha.page.goto(await readActionLink(server, customer));
  asha.expect(/400/);
  await changesPassword(asha, "monsoon", "moonsoon");
  await asha.sees("Passwords do not match");
  await changesPassword(asha, "tea-at-noon");
  await asha.isAt("/login?changed=1");
  await asha.sees("Your password was changed. Please log in with the new one.");
  await logsIn(asha, { ...customer, password: "tea-at-noon" });
});

journey(
  "without JavaScript a wrong form comes back with what was typed and what is wrong",
  async ({ visit, server }) => {
    const asha = await visit(plain);
    const customer = await registerCustomer(server);
    asha.expect(/^40\d: POST|status of 40\d/);
    await asha.page.goto("/login");
    await sendsLogin(asha, { ...customer, password: "not-her-password" });
    await asha.page.getByRole("alert").first().waitFor();
    await expect.poll(() => asha.page.getByLabel("Username").inputValue()).toBe(customer.username);
    await expect.poll(() => asha.page.getByLabel("Password").inputValue()).toBe("");

    await asha.page.goto("/register");
    await fillsRegistration(asha, { ...customer, email: "other@example.com" });
    await asha.presses("Sign up");
    const username = asha.page.getByLabel("Username");
    await expect.poll(() => username.inputValue()).toBe(customer.username);
    await expect.poll(() => username.getAttribute("aria-invalid")).toBe("true");
  },
);

journey(
  "without JavaScript the wallet is recharged, from the form to the new balance",
  async ({ visit, server }) => {
    const asha = await visit({ ...plain, viewport: PHONE });
    const customer = await signInNewCustomer(asha, "/recharge");
    await asha.page.getByLabel("Amount", { exact: false }).last().fill("750");
    await asha.page.getByRole("button", { name: /^Recharge/ }).click();
    await asha.page.waitForURL(`${server.sandboxUrl}/**`);
    await asha.presses("Leave pending");
    await asha.sees("Processing Payment");
    await asha.photograph("360/no-script-processing");
    // Paid while nobody presses anything: the page asks again, then goes on, by itself.
    await bankPays(server, orderOf(asha));
    await asha.sees("Payment Successful!");
    await asha.sees("₹750.00");
    await asha.isAt("/recharge");
    await asha.sees("₹750.00");
    const wallet = await (await account(server, customer)).get("wallet/balance/");
    expect(wallet).toEqual({ balance: 750 });
  },
);

journey(
  "without JavaScript tabs and pages of the dashboard are links",
  async ({ visit, server }) => {
    const { customer, reader, awb } = await bookParcel(server);
    for (let turn = 0; turn < 4; turn += 1) await rechargeWallet(server, reader, 1_000);

    const asha = await visit(plain);
    await signIn(asha, customer, "/dashboard");
    await asha.follows("Bookings");
    await asha.sees(awb);
    await asha.presses("Refresh");
    await asha.sees("Page 1 of 1");
    await asha.follows("Transactions");
    await asha.sees("Page 1 of 2");
    await asha.follows("Next");
    await asha.isAt("/dashboard?tab=transactions&page=2");
    await asha.sees("Page 2 of 2");
    await expect.poll(() => asha.page.locator("main table tbody tr").count()).toBe(1);
    await asha.logsOut();
    await asha.isAt("/login");
    await asha.page.goto("/dashboard");
    await asha.isAt("/login?next=/dashboard");
  },
);

journey("without JavaScript the statement is filtered", async ({ visit }) => {
  const asha = await visit(plain);
  await signInWithBooking(asha, "/dashboard?tab=transactions");
  await asha.page.getByLabel("Type").selectOption({ label: "Bookings" });
  await asha.presses("Show");
  await asha.sees(/^Courier booking DK/);
  await expect.poll(() => asha.page.locator("tbody tr").count()).toBe(1);
  await asha.presses("Refresh");
  await expect.poll(() => asha.page.locator("tbody tr").count()).toBe(1);
});

journey(
  "without JavaScript a shipment is tracked and a rate calculated",
  async ({ visit, server }) => {
    const { customer, awb } = await bookParcel(server);
    const receiver = await visit({ ...plain, viewport: PHONE });
    await receiver.page.goto("/track");
    await receiver.page.getByLabel("AWB Number").fill(awb);
    await receiver.presses("Track");
    await receiver.isAt(`/track/${awb}`);
    await receiver.sees("Tracking History");
    await expect.poll(() => receiver.page.locator(".timeline li").count()).toBeGreaterThan(0);

    receiver.expect(/404/);
    await receiver.page.goto("/track/DK0000000000000");
    await receiver.page.getByRole("alert").first().waitFor();

    const asha = await visit(plain);
    await signIn(asha, customer);
    await asha.page.goto(
      "/calculate?booking_type=2&shipment_type=1&origin_pincode=110001" +
        "&destination_pincode=560001&weight=1&length=10&quantity=1",
    );
    await asha.sees("Estimated Rates");
  },
);

journey("without JavaScript a customer edits their account", async ({ visit }) => {
  const asha = await visit({ ...plain, viewport: PHONE });
  const customer = await signInNewCustomer(asha, "/dashboard");
  await asha.opensAccount();
  await asha.follows("Your account");
  await asha.isAt("/account");
  asha.expect(/400/);
  const gstin = asha.page.getByLabel("GSTIN");
  await gstin.fill("29AAACR5055K1Z4");
  await asha.presses("Save");
  await asha.sees("Check the GSTIN");
  await expect.poll(() => gstin.getAttribute("aria-invalid")).toBe("true");
  await gstin.fill("29AAACR5055K1Z3");
  await asha.presses("Save");
  await asha.isAt("/account?saved=profile");
  await asha.sees("Your profile was saved.");

  const elsewhere = await visit();
  await signIn(elsewhere, customer);
  await asha.page.goto("/account");
  const ending = asha.page.locator("form[action='/account/sessions/end']");
  await asha.page.locator("summary", { hasText: "Log out other devices" }).click();
  await ending.getByLabel("Where").selectOption({ index: 1 });
  await ending.getByLabel("Current password").fill(customer.password);
  await asha.presses("Log out");
  await asha.sees("That session was ended.");
  await elsewhere.page.goto("/dashboard");
  await elsewhere.isAt(/^\/login\?next=/);

  const present = asha.page.locator("#password-current_password");
  await present.fill("not-her-password");
  await changesPassword(asha, "tea-at-noon");
  await asha.sees("This is not your current password.");
  await present.fill(customer.password);
  await changesPassword(asha, "tea-at-noon");
  await asha.sees("You were logged out everywhere else.");
});
