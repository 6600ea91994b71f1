import { expect } from "vitest";
import { signInNewCustomer, registerCustomer } from "./harness/customer";
import { journey } from "./harness/journey";
import { opensWithoutScripts, untilHydrated } from "./harness/network";
import * as steps from "./harness/steps";
import { PHONE } from "./harness/visitor";

journey("the login answers before its script, and keeps what was typed", async ({ visit }) => {
  const asha = await visit({ viewport: PHONE });
  const { page } = asha;
  const arrive = await opensWithoutScripts(page, "/login");
  await asha.fills({ Username: "asha" });
  await page.getByLabel("Password", { exact: true }).focus();
  arrive();
  await untilHydrated(page);
  await expect.poll(() => steps.valueOf(asha, "username")).toBe("asha");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("login-password");
});

journey(
  "a button pressed while the script takes the page over acts once",
  async ({ asha, page, server }) => {
    const customer = await registerCustomer(server);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().includes("login")) sent.push(request.url());
    });
    const arrive = await opensWithoutScripts(page, "/login");
    await asha.fills({ Username: customer.username, Password: customer.password });
    arrive();
    await asha.presses("Log In");
    await asha.isAt("/dashboard");
    await asha.sees("Asha Rao");
    expect(sent).toHaveLength(1);
  },
);

journey("what was ticked, chosen and opened before the script is kept", async ({ asha, page }) => {
  await signInNewCustomer(asha, "/dashboard");
  await untilHydrated(page);
  const arrive = await opensWithoutScripts(page, "/account");
  await page.locator("#letters input[type=checkbox]").first().uncheck();
  await page.locator("[name=company_name]").fill("Rao Handicrafts");
  await page.locator("#phone details summary").click();
  arrive();
  await untilHydrated(page);
  await expect
    .poll(() => page.locator("#letters input[type=checkbox]").first().isChecked())
    .toBe(false);
  await expect.poll(() => steps.valueOf(asha, "company_name")).toBe("Rao Handicrafts");
  await expect.poll(() => page.locator("#phone details").getAttribute("open")).not.toBeNull();
});

journey("the country and the service chosen before the script are kept", async ({ asha, page }) => {
  await signInNewCustomer(asha);
  let arrive = await opensWithoutScripts(page, "/courier");
  await page.locator("[name=destination_country]").fill("Japan");
  await page.getByLabel("Weight (kg)").fill("3");
  arrive();
  await untilHydrated(page);
  await expect.poll(() => page.locator("input[role=combobox]").inputValue()).toBe("Japan");
  await expect.poll(() => steps.valueOf(asha, "weight")).toBe("3");

  await steps.findsServices(asha);
  await asha.page.waitForLoadState("networkidle");
  arrive = await opensWithoutScripts(page, "/courier?rates=1");
  await page.getByRole("radio").first().check();
  arrive();
  await untilHydrated(page);
  await asha.presses("Proceed to Booking Details");
  await asha.sees("Step 2 of 4");
});

journey("an amount of the recharge is chosen before the script", async ({ asha, page }) => {
  await signInNewCustomer(asha);
  const arrive = await opensWithoutScripts(page, "/recharge?next=/courier");
  await asha.presses("₹1,000");
  // A page whose scripts are on their way is not loaded yet.
  await page.waitForURL(/amount=1000/, { waitUntil: "commit" });
  await expect.poll(() => page.locator("input[name=amount]").inputValue()).toBe("1000");
  const chosen = page.getByRole("button", { name: "₹1,000", exact: true });
  await expect.poll(() => chosen.getAttribute("aria-pressed")).toBe("true");
  arrive();
  await untilHydrated(page);
  await page.getByRole("button", { name: "Recharge ₹1,000" }).waitFor();
});
