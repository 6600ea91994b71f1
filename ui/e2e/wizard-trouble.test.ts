import { expect } from "vitest";
import { look } from "./harness/audit";
import { waitForDraftValue } from "./harness/checks";
import { account, signInNewCustomer, signIn } from "./harness/customer";
import { signInWithMoney } from "./harness/setup";
import { journey } from "./harness/journey";
import { answerCalls, cutOffCalls, holdCalls } from "./harness/network";
import * as steps from "./harness/steps";
import { LAPTOP, PHONE, type Visitor } from "./harness/visitor";

async function openDetails(visitor: Visitor) {
  const customer = await signInNewCustomer(visitor, "/courier");
  await steps.choosesService(visitor);
  return { customer, reader: await account(visitor.server, customer) };
}

journey(
  "a session that ends in the wizard leads back there after the login, with all that was typed",
  async ({ asha, page }) => {
    const { customer, reader } = await openDetails(asha);
    await steps.fillsDetails(asha);
    await waitForDraftValue(reader, "invoice_value", "2500");
    asha.expect(/\b401\b/);
    await asha.context.clearCookies();
    await page.locator("[name=remark]").fill("Fragile");
    await asha.presses("Calculate Rate & Review");
    await asha.sees("Session expired. Please log in again.");
    await asha.isAt("/login?next=/courier");
    await steps.logsIn(asha, customer, "/courier");
    await asha.sees("Step 2 of 4");
    await expect.poll(() => steps.valueOf(asha, "remark")).toBe("Fragile");
    await expect.poll(() => steps.valueOf(asha, "consignee_name")).toBe("Ravi Kumar");
    await waitForDraftValue(reader, "remark", "Fragile");
  },
);

journey(
  "while two versions wait for a choice, what is typed is safe on the device",
  async ({ visit }) => {
    const asha = await visit({ viewport: PHONE });
    const { page } = asha;
    const { customer, reader } = await openDetails(asha);
    await waitForDraftValue(reader, "shipment_type", "1");
    const other = await visit();
    await signIn(other, customer, "/courier");
    await steps.opensFolds(other);
    await other.page.locator("[name=remark]").fill("From elsewhere");
    await waitForDraftValue(reader, "remark", "From elsewhere");

    asha.expect(/\b409\b.*draft/);
    await page.locator("[name=consignee_name]").fill("Ravi");
    await asha.sees("Your changes are kept on this device until you choose.");
    await steps.opensFolds(asha);
    await page.locator("[name=customer_reference]").fill("PO 12");
    // The choice stays in sight where the customer types.
    const box = await page.locator(".wizard-conflict").boundingBox();
    expect(box?.y ?? -1).toBeGreaterThanOrEqual(0);
    expect(box?.y ?? 9_999).toBeLessThan(PHONE.height);
    await look(asha, "draft-2-conflict-typing");
    await asha.losesTab();
    await asha.page.goto("/courier");
    await asha.sees("On this device there is a version of a booking that was not saved.");
    await expect.poll(() => steps.valueOf(asha, "remark")).toBe("From elsewhere");
    // Meanwhile the version that is shown goes on to the server.
    await steps.opensFolds(asha);
    await asha.page.locator("[name=consignee_company]").fill("Kumar & Sons");
    await waitForDraftValue(reader, "consignee_company", "Kumar & Sons");
    await asha.presses("Show the other version");
    await expect.poll(() => steps.valueOf(asha, "customer_reference")).toBe("PO 12");
    await expect.poll(() => steps.valueOf(asha, "consignee_name")).toBe("Ravi");
    await waitForDraftValue(reader, "customer_reference", "PO 12");
  },
);

for (const viewport of [PHONE, LAPTOP]) {
  journey(
    `at ${viewport.width} px a Confirm without an answer says what became of the money`,
    async ({ visit }) => {
      const asha = await visit({ viewport });
      const reader = await signInWithMoney(asha);
      await steps.fillsWizard(asha);
      asha.expect(/ERR_INTERNET_DISCONNECTED/);
      const back = await cutOffCalls(asha.page, "shipping/create-booking/");
      await asha.presses("Confirm & Book Now");
      await asha.sees("Network error. Please check your connection.");
      await asha.sees("you are charged only once");
      await asha.page.locator(".notice-top .notice").waitFor({ state: "detached" });
      const line = asha.page.getByText("you are charged only once");
      const box = await line.boundingBox();
      expect(box?.y ?? -1, "in sight").toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
      await look(asha, "wizard-3-review-unanswered");
      await back();
      await steps.books(asha);
      expect(await reader.history()).toMatchObject({ count: 1 });
    },
  );
}

journey("a Confirm refused for its fields is told once, where they are", async ({ visit }) => {
  const asha = await visit({ viewport: PHONE });
  const { page } = asha;
  await signInWithMoney(asha);
  await steps.fillsWizard(asha);
  asha.expect(/\b422\b.*create-booking/);
  const message = "The courier does not collect at this address. Nothing was charged.";
  const sentence = "Please enter another address.";
  const wrong = (path: string) => ({ path, message: sentence });
  const end = await answerCalls(page, "shipping/create-booking/", 422, {
    code: "validation",
    message,
    errors: [wrong("consigner_address_1")],
  });
  await asha.presses("Confirm & Book Now");
  await asha.sees("Step 2 of 4");
  await asha.sees(message);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("name"));
  await expect.poll(focused).toBe("consigner_address_1");
  await expect.poll(() => page.getByText(message).count()).toBe(1);
  await expect.poll(() => page.locator(".notice-top .notice").count()).toBe(0);
  await page.getByRole("link", { name: "Address Line 1: Please enter another" }).waitFor();
  await look(asha, "wizard-3-fields-refused");
  await end();
  await steps.reviews(asha);
  // A message that is a field's own sentence goes with it.
  const endAgain = await answerCalls(page, "shipping/create-booking/", 422, {
    code: "validation",
    message: sentence,
    errors: [wrong("consigner_address_1")],
  });
  await asha.presses("Confirm & Book Now");
  await asha.sees("Step 2 of 4");
  await page.getByText(sentence).first().waitFor();
  await page.locator("[name=consigner_address_1]").fill("12 Janpath Lane");
  await expect.poll(() => page.getByText(sentence).count()).toBe(0);
  await endAgain();
  await steps.reviews(asha);
  await steps.books(asha);
});

journey("after a top-up Back does not lead to the payment again", async ({ asha, page }) => {
  await signInNewCustomer(asha, "/dashboard");
  await steps.fillsWizard(asha);
  await page.getByRole("link", { name: /^Add ₹/ }).click();
  await page.getByRole("button", { name: /^Recharge ₹/ }).click();
  await steps.paysAtGateway(asha);
  await asha.isAt("/courier");
  await asha.sees("Review Booking");
  const addresses: string[] = [];
  page.on("framenavigated", (frame) => addresses.push(frame.url()));
  await page.goBack();
  await page.waitForTimeout(500);
  expect(addresses.filter((address) => address.includes("/recharge/callback"))).toEqual([]);
});

journey("an address book that takes nothing says so", async ({ asha }) => {
  await openDetails(asha);
  await steps.fillsDetails(asha);
  asha.expect(/\b500\b.*presets/);
  await answerCalls(asha.page, "booking/presets/", 500, {});
  await asha.presses("Calculate Rate & Review");
  await asha.sees("The address book could not be changed. Please try again.");
  await expect.poll(() => asha.page.locator(".notice-corner .notice").count()).toBe(0);
});

journey(
  "what was kept while the page was drawn again for a reload is shown after it",
  async ({ asha }) => {
    await openDetails(asha);
    const kept = asha.page.waitForResponse(
      (answer) => answer.ok() && (answer.request().postData() ?? "").includes("Ravi Kumar"),
    );
    // The server reads the draft for the next page; then it keeps the change and says so; and only
    // then does the page arrive.
    const letGo = await holdCalls(asha.page, "booking/draft/");
    await asha.page.route("**/courier", async (route) => {
      const response = await route.fetch();
      letGo();
      await kept;
      await asha.page.waitForTimeout(300);
      await route.fulfill({ response });
    });
    await asha.fills({ "Consignee Name": "Ravi Kumar" });
    await asha.page.evaluate(() => window.location.reload());
    await asha.page.waitForEvent("domcontentloaded");
    await asha.sees("Step 2 of 4");
    const name = asha.page.getByLabel("Consignee Name");
    await expect.poll(() => name.inputValue()).toBe("Ravi Kumar");
  },
);
