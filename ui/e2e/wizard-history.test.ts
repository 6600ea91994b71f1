import { expect } from "vitest";
import { waitForDraftValue } from "./harness/checks";
import { account, signInNewCustomer, type Account } from "./harness/customer";
import { signInWithMoney } from "./harness/setup";
import { journey } from "./harness/journey";
import * as steps from "./harness/steps";
import type { Visitor } from "./harness/visitor";

/** Someone new, through the dashboard to the details. */
async function openDetails(visitor: Visitor): Promise<Account> {
  const customer = await signInNewCustomer(visitor, "/dashboard");
  await visitor.follows("Courier");
  await steps.choosesService(visitor);
  return account(visitor.server, customer);
}

journey(
  "leaving with Back while the cursor is in a field loses nothing of a draft",
  async ({ asha }) => {
    const reader = await openDetails(asha);
    await asha.page.locator("[name=consignee_address_1]").fill("22 MG Road");
    await waitForDraftValue(reader, "consignee_address_1", "22 MG Road");
    await asha.page.locator("[name=consignee_name]").fill("Ravi Kumar");
    await expect
      .poll(() => asha.page.evaluate(() => document.activeElement?.getAttribute("name")))
      .toBe("consignee_name");
    for (let entries = 0; !asha.page.url().endsWith("/dashboard"); entries += 1) {
      expect(entries).toBeLessThan(3);
      await asha.page.goBack();
      await asha.page.waitForTimeout(300);
    }
    await asha.sees("Wallet Balance");
    await waitForDraftValue(reader, "consignee_name", "Ravi Kumar");
    expect((await reader.draft())?.details?.["consignee_address_1"]).toBe("22 MG Road");
    await asha.follows("Courier");
    await asha.sees(/Step [12] of 4/);
    if ((await asha.page.getByText("Step 1 of 4").count()) > 0) await steps.choosesService(asha);
    await expect.poll(() => steps.valueOf(asha, "consignee_name")).toBe("Ravi Kumar");
    // A reload may overtake the change that the page before it sent.
    await expect.poll(async () => (await reader.draft())?.step).toBe("details");
    await asha.page.reload();
    await expect.poll(() => steps.valueOf(asha, "consignee_name")).toBe("Ravi Kumar");
    await expect.poll(() => steps.valueOf(asha, "consignee_address_1")).toBe("22 MG Road");
  },
);

journey("every step is an entry of the browser's history", async ({ asha, page }) => {
  // A reload may overtake the change that the page before it sent: the next one meets it there.
  asha.expect(/\b409\b.*draft/);
  await openDetails(asha);
  await expect.poll(() => page.title()).toBe("Enter Booking Details · Dakiya");
  await steps.fillsDetails(asha);
  await steps.reviews(asha);
  await expect.poll(() => page.title()).toBe("Review & Confirm · Dakiya");

  await page.goBack();
  await asha.sees("Step 2 of 4");
  await expect.poll(() => steps.valueOf(asha, "consignee_name")).toBe("Ravi Kumar");
  await page.goBack();
  await asha.sees("Step 1 of 4");
  await asha.sees("Select a Service");
  await expect.poll(() => page.getByRole("radio").first().isChecked()).toBe(true);
  await page.goForward();
  await asha.sees("Step 2 of 4");
  await expect.poll(() => steps.valueOf(asha, "invoice_value")).toBe("2500");
  await page.reload();
  await asha.sees("Step 2 of 4");
  await page.goForward();
  await asha.sees("Review Booking");
  await page.reload();
  await asha.sees("Review Booking");

  // A change since then was not priced.
  await page.goBack();
  await steps.opensFolds(asha);
  await page.locator("[name=weight]").fill("7");
  await page.goForward();
  await asha.sees("Step 2 of 4");
  await expect.poll(() => steps.valueOf(asha, "weight")).toBe("7");
  await asha.presses("Back");
  await asha.sees("Step 1 of 4");
  await page.goBack();
  await asha.sees("Step 2 of 4");
});

journey("Back out of a booking that was made does not book again", async ({ asha }) => {
  const reader = await signInWithMoney(asha);
  await steps.fillsWizard(asha);
  const awb = await steps.books(asha);
  await asha.page.goBack();
  await asha.sees(awb);
  await asha.page.goBack();
  await asha.sees(awb);
  expect(await reader.history()).toMatchObject({ count: 1 });
});
