import type { Page } from "playwright-core";
import { expect } from "vitest";
import { signInWithMoney } from "./harness/setup";
import { journey } from "./harness/journey";
import { untilHydrated } from "./harness/network";
import * as steps from "./harness/steps";

/**
 * Replaces each text by elements, as Chrome does when it translates a page, but for what says that
 * it is not to be translated. It goes on doing so with whatever comes later.
 */
async function translates(page: Page) {
  await untilHydrated(page);
  await page.evaluate(() => {
    const translate = (node: Node) => {
      if (node instanceof Text) {
        const { parentElement, data } = node;
        if (data.trim() === "" || parentElement === null) return;
        if (parentElement.closest("[translate=no], font, noscript, script, option") !== null)
          return;
        const outer = document.createElement("font");
        const inner = document.createElement("font");
        inner.textContent = data;
        outer.append(inner);
        node.replaceWith(outer);
      } else [...node.childNodes].forEach(translate);
    };
    const root = document.getElementById("root");
    if (root === null) return;
    translate(root);
    new MutationObserver((records) => {
      for (const record of records) {
        if (record.type === "characterData") translate(record.target);
        record.addedNodes.forEach((node) => node.isConnected && translate(node));
      }
    }).observe(root, { childList: true, subtree: true, characterData: true });
  });
}

journey("a translated recharge says the amount that is charged", async ({ asha, page }) => {
  await signInWithMoney(asha);
  await page.goto("/recharge");
  await translates(page);
  for (const amount of ["₹5,000", "₹10,000", "₹500"]) {
    await asha.presses(amount);
    await page.getByRole("button", { name: `Recharge ${amount}`, exact: true }).waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: /^Recharge/ }).innerText())
      .toContain(amount);
  }
});

journey("every screen goes on working after it was translated", async ({ asha, page }) => {
  await signInWithMoney(asha);
  await translates(page);
  const tabs = page.getByRole("navigation", { name: "Dashboard" });
  for (const tab of ["Bookings", "Transactions", "Overview"]) {
    await tabs.getByRole("link", { name: tab }).click();
    await tabs.locator("[aria-current=page]", { hasText: tab }).waitFor();
    await page.waitForLoadState("networkidle");
  }
  const navigation = page.getByRole("navigation", { name: "Main" });
  for (const [entry, heading] of [
    ["Calculate", "Calculate Shipping Rate"],
    ["Track", "Track Shipment"],
    ["Recharge", "Recharge Wallet"],
    ["Address book", "Address Book"],
    ["All bookings", "Bookings"],
    ["Dashboard", "Dashboard"],
  ] as const) {
    await navigation.getByRole("link", { name: entry, exact: true }).click();
    await page.locator("main h1", { hasText: heading }).waitFor();
    await page.waitForLoadState("networkidle");
  }
  await page.goBack();
  await page.locator("main h1", { hasText: "Bookings" }).waitFor();
});

journey("a translated wizard books, and says the right numbers", async ({ asha, page }) => {
  await signInWithMoney(asha);
  await translates(page);
  await steps.fillsWizard(asha);
  const price = await page.locator(".action-bar strong").innerText();
  const awb = await steps.books(asha);
  expect(awb).toMatch(/^DK\d+$/);
  const paid = Number(price.replace(/[₹,]/g, ""));
  const balance = page.locator(".account-balance");
  await expect.poll(() => balance.innerText()).toContain(steps.rupees(5_000 - paid));
});
