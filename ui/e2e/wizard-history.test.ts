import { expect } from "vitest";
import { account, registered, signIn, type Account } from "./harness/customer";
import { hasMoney } from "./harness/given";
import { journey } from "./harness/journey";
import type { Server } from "./harness/server";
import * as steps from "./harness/steps";
import type { Visitor } from "./harness/visitor";

type Kept = { content: { step: string; details: Record<string, string> | null } | null };

const kept = async (reader: Account) => (await reader.get<Kept>("booking/draft/")).content;

const valueOf = (visitor: Visitor, field: string) =>
  visitor.page.locator(`[name="${field}"]`).inputValue();

/** Someone new, through the dashboard to the details. */
async function atDetails(visitor: Visitor, server: Server): Promise<Account> {
  const customer = await registered(server);
  await signIn(visitor, server, customer);
  await visitor.page.goto("/dashboard");
  await visitor.follows("Courier");
  await steps.choosesService(visitor);
  return account(server, customer);
}

journey(
  "leaving with Back while the cursor is in a field loses nothing of a draft",
  async ({ visit, server }) => {
    const asha = await visit();
    const reader = await atDetails(asha, server);
    await asha.page.locator("[name=consigneeAddress1]").fill("22 MG Road");
    await expect
      .poll(async () => (await kept(reader))?.details?.["consigneeAddress1"])
      .toBe("22 MG Road");
    await asha.page.locator("[name=consigneeName]").fill("Ravi Kumar");
    expect(await asha.page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe(
      "consigneeName",
    );
    for (let entries = 0; !asha.page.url().endsWith("/dashboard"); entries += 1) {
      expect(entries).toBeLessThan(3);
      await asha.page.goBack();
      await asha.page.waitForTimeout(300);
    }
    await asha.sees("Wallet Balance");
    await expect
      .poll(async () => (await kept(reader))?.details?.["consigneeName"])
      .toBe("Ravi Kumar");
    expect((await kept(reader))?.details?.["consigneeAddress1"]).toBe("22 MG Road");
    await asha.follows("Courier");
    await asha.sees(/Step [12] of 4/);
    if ((await asha.page.getByText("Step 1 of 4").count()) > 0) await steps.choosesService(asha);
    expect(await valueOf(asha, "consigneeName")).toBe("Ravi Kumar");
    await asha.page.reload();
    expect(await valueOf(asha, "consigneeName")).toBe("Ravi Kumar");
    expect(await valueOf(asha, "consigneeAddress1")).toBe("22 MG Road");
  },
);

journey("every step is an entry of the browser's history", async ({ visit, server }) => {
  const asha = await visit();
  const { page } = asha;
  // A reload may overtake the change that the page before it sent: the next one meets it there.
  asha.expect(/\b409\b.*draft/);
  await atDetails(asha, server);
  expect(await page.title()).toBe("Enter Booking Details · Dakiya");
  await steps.fillsDetails(asha);
  await asha.presses("Calculate Rate & Review");
  await asha.sees("Review Booking");
  expect(await page.title()).toBe("Review & Confirm · Dakiya");

  await page.goBack();
  await asha.sees("Step 2 of 4");
  expect(await valueOf(asha, "consigneeName")).toBe("Ravi Kumar");
  await page.goBack();
  await asha.sees("Step 1 of 4");
  await asha.sees("Select a Service");
  expect(await page.getByRole("radio").first().isChecked()).toBe(true);
  await page.goForward();
  await asha.sees("Step 2 of 4");
  expect(await valueOf(asha, "invoiceValue")).toBe("2500");
  await page.reload();
  await asha.sees("Step 2 of 4");
  await page.goForward();
  await asha.sees("Review Booking");
  await page.reload();
  await asha.sees("Review Booking");

  // What was typed since is not what was priced.
  await page.goBack();
  await steps.opensFolds(asha);
  await page.locator("[name=packageWeight]").fill("7");
  await page.goForward();
  await asha.sees("Step 2 of 4");
  expect(await valueOf(asha, "packageWeight")).toBe("7");
  await asha.presses("Back");
  await asha.sees("Step 1 of 4");
  await page.goBack();
  await asha.sees("Step 2 of 4");
});

journey("Back out of a booking that was made does not book again", async ({ visit, server }) => {
  const asha = await visit();
  const reader = await hasMoney(asha, server);
  await steps.fillsWizard(asha);
  await asha.presses("Confirm & Book Now");
  const awb = await steps.awbOf(asha);
  await asha.page.goBack();
  await asha.sees(awb);
  await asha.page.goBack();
  await asha.sees(awb);
  expect(await reader.get("shipping/history/?page=1&limit=20")).toMatchObject({ count: 1 });
});
