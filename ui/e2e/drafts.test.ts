import type { Route } from "playwright-core";
import { expect } from "vitest";
import type { KeptDraft } from "../src/wire";
import { look } from "./harness/audit";
import { expectBookedOnce, waitForDraftValue } from "./harness/checks";
import { account, signInNewCustomer, signIn, type Account } from "./harness/customer";
import { signInWithMoney, signInWithBooking } from "./harness/setup";
import { journey } from "./harness/journey";
import { opensWithoutScripts } from "./harness/network";
import * as steps from "./harness/steps";
import { LAPTOP, PHONE, SCRIPTS, TOUCHED, type Visitor } from "./harness/visitor";

/** Someone new whose empty details the server has. */
async function startDetails(visitor: Visitor): Promise<Account> {
  const customer = await signInNewCustomer(visitor, "/courier");
  await steps.choosesService(visitor);
  const reader = await account(visitor.server, customer);
  await waitForDraftValue(reader, "shipment_type", "1");
  return reader;
}

/** Types into an empty field where there is no connection; then the tab is killed. */
async function losesTheTab(visitor: Visitor, field: string, value: string, state: string) {
  visitor.expect(/ERR_INTERNET_DISCONNECTED/);
  await visitor.context.setOffline(true);
  await visitor.page.locator(`form [name="${field}"]`).fill(value);
  await visitor.sees("No connection: what you enter is kept on this device");
  await look(visitor, state);
  await visitor.losesTab();
  await visitor.context.setOffline(false);
}

/** Another device of somebody new begins a booking. */
async function beginsElsewhere(visitor: Visitor): Promise<{ revision: number }> {
  await signInNewCustomer(visitor, "/dashboard");
  const rate = {
    booking_type: "2",
    shipment_type: "1",
    origin_pincode: steps.PARCEL.from,
    destination_pincode: steps.PARCEL.to,
  };
  const content = { step: "rate", rate, details: { consignee_name: "Ravi Kumar" } };
  const answer = await visitor.request.put("/api/v1/booking/draft/", {
    data: { revision: 0, content },
    headers: { Origin: visitor.server.url },
  });
  return (await answer.json()) as { revision: number };
}

/** A draft that only the device had is shown, goes to the server, and leaves the device. */
async function findsAgain(visitor: Visitor, reader: Account, field: string, value: string) {
  await visitor.page.goto("/courier");
  await visitor.sees("Step 2 of 4");
  await expect.poll(() => steps.valueOf(visitor, field)).toBe(value);
  await waitForDraftValue(reader, field, value);
  const onDevice = () => visitor.page.evaluate(() => localStorage.getItem("booking_draft"));
  await expect.poll(onDevice).toBeNull();
}

journey(
  "a draft begun on a laptop is continued and booked in another browser",
  async ({ visit }) => {
    const laptop = await visit({ viewport: LAPTOP });
    const { customer, ...reader } = await signInWithMoney(laptop, 1_000);
    await laptop.page.goto("/courier");
    await steps.choosesService(laptop);
    await steps.fillsDetails(laptop);
    await waitForDraftValue(reader, "invoice_value", "2500");

    const still = await visit({ javaScriptEnabled: false });
    await signIn(still, customer, "/courier");
    await still.sees("Step 2 of 4");
    await expect
      .poll(() => steps.valueOf(still, "consignee_name"), { message: "without any script" })
      .toBe("Ravi Kumar");

    const phone = await visit(TOUCHED);
    await signIn(phone, customer, "/courier");
    await phone.sees("Step 2 of 4");
    await expect.poll(() => steps.valueOf(phone, "consignee_name")).toBe("Ravi Kumar");
    await look(phone, "draft-1-resumed");
    await steps.opensFolds(phone);
    await phone.page.locator("[name=remark]").fill("Fragile");
    await waitForDraftValue(reader, "remark", "Fragile");

    // The laptop does not know of that: it is told, and loses nothing.
    laptop.expect(/\b409\b.*draft/);
    await laptop.page.locator("[name=remark]").fill("Handle with care");
    await laptop.sees("This booking was changed in another window or on another device.");
    await expect.poll(() => steps.valueOf(laptop, "remark")).toBe("Handle with care");
    await look(laptop, "draft-2-conflict");
    await laptop.presses("Show the other version");
    await laptop.page
      .getByRole("button", { name: "Keep this version" })
      .waitFor({ state: "hidden" });
    await expect.poll(() => steps.valueOf(laptop, "remark")).toBe("Fragile");

    await steps.reviews(phone);
    const awb = await steps.books(phone);
    await expect.poll(reader.draft).toBeNull();
    await expectBookedOnce(reader, awb);
    await laptop.page.goto("/courier");
    await laptop.sees("Step 1 of 4");
  },
);

journey(
  "two windows that confirm one draft book it once, and the second says as what",
  async ({ asha, visit }) => {
    const { customer, ...reader } = await signInWithMoney(asha, 1_000);
    await steps.fillsWizard(asha);
    await expect.poll(async () => (await reader.draft())?.step).toBe("review");
    const phone = await visit(TOUCHED);
    await signIn(phone, customer, "/courier");
    await phone.sees("Review Booking");
    // Each window has a price of its own.
    await phone.presses("Back to Edit");
    await steps.reviews(phone);
    await expect.poll(async () => (await reader.draft())?.step).toBe("review");

    asha.expect(/\b409\b.*draft/);
    const awb = await steps.books(asha);
    const conflict = asha.page.getByText("changed in another window");
    await expect.poll(reader.draft).toBeNull();
    await expect.poll(() => conflict.count(), { message: "on the success page" }).toBe(0);

    phone.expect(/\b409\b/);
    await phone.presses("Confirm & Book Now");
    await phone.sees(`This draft is booked already as ${awb}.`);
    await look(phone, "draft-5-booked-before");
    await expectBookedOnce(reader, awb);
    await phone.presses("Book another");
    await phone.sees("Step 1 of");
    await expect.poll(() => steps.valueOf(phone, "destination_pincode")).toBe("");
  },
);

journey(
  "a review is opened in another browser, and priced again when its quote has expired",
  async ({ asha, visit, server }) => {
    const { customer, ...reader } = await signInWithMoney(asha, 1_000);
    await steps.fillsWizard(asha);
    await expect.poll(async () => (await reader.draft())?.step).toBe("review");

    // As if it had expired: a quote that the server does not know.
    const { revision, content } = await reader.get<KeptDraft>("booking/draft/");
    const answer = await asha.request.put("/api/v1/booking/draft/", {
      data: { revision, content: { ...content, quote: { ...content?.quote, quote_id: "gone" } } },
      headers: { Origin: server.url },
    });
    expect(answer.status()).toBe(200);
    const other = await visit();
    await signIn(other, customer, "/courier");
    await other.sees("Review Booking");
    await other.sees("The price was calculated again, as the earlier one had expired.");
    await steps.books(other);
  },
);

journey("without a connection and a tab, what was typed is still there", async ({ visit }) => {
  const asha = await visit({ viewport: PHONE });
  const reader = await startDetails(asha);
  await losesTheTab(asha, "consignee_name", "Meera Iyer", "draft-3-offline");
  await findsAgain(asha, reader, "consignee_name", "Meera Iyer");
});

journey(
  "what was saved without the answer arriving is not taken for somebody else's",
  async ({ visit }) => {
    const asha = await visit({ viewport: PHONE });
    const reader = await startDetails(asha);
    const answersAreLost = async (route: Route) => {
      if (route.request().method() === "PUT") await route.fetch();
      await route.abort("internetdisconnected");
    };
    await asha.page.route("**/booking/draft/", answersAreLost);
    await asha.page.locator("[name=consignee_name]").fill("Meera Iyer");
    await waitForDraftValue(reader, "consignee_name", "Meera Iyer");
    await steps.opensFolds(asha);
    await losesTheTab(asha, "remark", "Fragile", "draft-3-offline-answer-lost");
    await asha.page.unroute("**/booking/draft/", answersAreLost);
    await findsAgain(asha, reader, "remark", "Fragile");
    await expect.poll(() => steps.valueOf(asha, "consignee_name")).toBe("Meera Iyer");
  },
);

journey("what is typed before the script arrives is kept", async ({ asha }) => {
  const reader = await startDetails(asha);

  const arrive = await opensWithoutScripts(asha.page, "/courier");
  await asha.page.locator("[name=consignee_name]").fill("Meera Iyer");
  await steps.opensFolds(asha);
  await asha.page.locator("[name=shipper_type]").selectOption("2");
  arrive();
  await asha.page.getByLabel("MSME ID").fill("UDYAM-DL-01-0000001");
  await expect.poll(() => steps.valueOf(asha, "consignee_name")).toBe("Meera Iyer");
  await waitForDraftValue(reader, "consignee_name", "Meera Iyer");
  await waitForDraftValue(reader, "msme_id", "UDYAM-DL-01-0000001");
});

journey("a booking that was begun is discarded only when asked twice", async ({ visit }) => {
  const asha = await visit({ viewport: PHONE });
  const reader = await startDetails(asha);
  await asha.page.getByText("Start over", { exact: true }).click();
  await asha.sees("This deletes what you entered.");
  await look(asha, "draft-4-discard");
  await asha.presses("Delete and start over");
  await asha.sees("Step 1 of 5");
  await expect.poll(() => steps.valueOf(asha, "origin_pincode")).toBe("");
  await expect.poll(reader.draft).toBeNull();
});

for (const { how, script } of SCRIPTS) {
  journey(
    `a booking that was begun is offered ${how} JavaScript before a new one`,
    async ({ visit }) => {
      const asha = await visit({ javaScriptEnabled: script });
      const { revision } = await beginsElsewhere(asha);
      expect(revision).toBe(1);
      await asha.page.goto("/dashboard");
      await asha.sees(/^Unfinished booking to Ravi Kumar, /);
      await look(asha, "dashboard-6-unfinished");
      await asha.follows("New booking");
      await asha.sees(/^Unfinished booking to Ravi Kumar, /);
      await look(asha, "draft-6-waiting");
      await asha.follows("Continue");
      await asha.sees("Step 1 of 4");
      await expect.poll(() => steps.valueOf(asha, "destination_pincode")).toBe(steps.PARCEL.to);
      await asha.page.goto("/courier?new=1");
      await asha.presses("Delete it and start new");
      await asha.isAt("/courier");
      await expect.poll(() => steps.valueOf(asha, "destination_pincode")).toBe("");
    },
  );

  journey(`book again begins ${how} JavaScript where a booking ended`, async ({ visit }) => {
    const asha = await visit({ javaScriptEnabled: script });
    const { reader, awb } = await signInWithBooking(asha, "/dashboard?tab=bookings");
    await asha.follows(`Book again like ${awb}`);
    await asha.sees("Step 1 of 4");
    await expect.poll(() => steps.valueOf(asha, "origin_pincode")).toBe(steps.PARCEL.from);
    await expect.poll(() => steps.valueOf(asha, "destination_pincode")).toBe(steps.PARCEL.to);
    await expect.poll(() => steps.valueOf(asha, "weight")).toBe(steps.PARCEL.kilograms);
    if (!script) return;

    await look(asha, "again-1-rates");
    await asha.presses("Calculate Rate");
    await asha.sees("Select a Service");
    await steps.proceeds(asha);
    await expect.poll(() => steps.valueOf(asha, "consignee_address_1")).toBe("22 MG Road");
    await expect.poll(() => steps.valueOf(asha, "breadth")).toBe(steps.PARCEL.centimetres.width);
    await asha.presses("Calculate Rate & Review");
    await asha.sees("Ravi Kumar, 22 MG Road");
    expect(new URL(asha.page.url()).search, "a reload goes on with it").toBe("");
    const second = await steps.books(asha);
    expect(second).not.toBe(awb);
    expect(await reader.history()).toMatchObject({ count: 2 });
    await look(asha, "again-2-booked");
    await asha.follows("Book again");
    await asha.sees("Filled in from your earlier booking.");
    await expect.poll(() => steps.valueOf(asha, "destination_pincode")).toBe(steps.PARCEL.to);

    // Another one that was begun is not lost to a look.
    await asha.page.goto("/courier");
    await steps.choosesService(asha);
    await expect.poll(async () => (await reader.draft())?.step).toBe("details");
    await asha.page.goto("/dashboard?tab=bookings");
    await asha.follows(`Book again like ${awb}`);
    await asha.sees("You have an unfinished booking.");
    await look(asha, "again-3-replaces");
    await asha.follows("Continue that one?");
    await asha.sees("Step 2 of 4");
  });
}
