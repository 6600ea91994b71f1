import { expect } from "vitest";
import { look } from "./harness/audit";
import { expectBookedOnce } from "./harness/checks";
import { signInWithMoney } from "./harness/setup";
import { journey } from "./harness/journey";
import * as steps from "./harness/steps";
import { TOUCHED, type Visitor } from "./harness/visitor";

/** The booking form as it is sent, once somebody confirms. */
function readSentBooking({ page }: Visitor): Promise<Record<string, unknown>> {
  const isConfirmation = (url: string) => url.endsWith("/shipping/create-booking/");
  return page
    .waitForRequest((request) => isConfirmation(request.url()))
    .then((request) => JSON.parse(request.postData() ?? "{}") as Record<string, unknown>);
}

journey(
  "a small enterprise sends from another place: MSME ID and pickup address are asked and sent",
  async ({ visit }) => {
    const asha = await visit(TOUCHED);
    const { page } = asha;
    const reader = await signInWithMoney(asha);
    await asha.follows("Courier");
    await steps.calculates(asha);
    await steps.proceeds(asha);
    await steps.fillsDetails(asha);
    await expect.poll(() => page.getByLabel("MSME ID").isVisible()).toBe(false);
    await expect.poll(() => page.getByLabel("Pickup Name").isVisible()).toBe(false);
    await page.getByLabel("Shipper Type").selectOption({ label: "MSME" });
    await page.getByLabel("Pickup Required").selectOption({ label: "Yes" });
    // Nothing of what is chosen is cut.
    const location = page.getByLabel("Pickup Location");
    const isWhole = await location.evaluate((select: HTMLSelectElement) => {
      const { paddingLeft, paddingRight, font } = getComputedStyle(select);
      const drawing = document.createElement("canvas").getContext("2d");
      if (drawing === null) return false;
      drawing.font = font;
      const text = drawing.measureText(select.selectedOptions[0]?.text ?? "").width;
      return text + parseFloat(paddingLeft) + parseFloat(paddingRight) <= select.clientWidth;
    });
    expect(isWhole).toBe(true);
    await location.selectOption({ label: "Different" });
    await asha.presses("Calculate Rate & Review");
    await asha.sees(/Please fill in the following required fields: Pickup Name, Pickup Pincode/);
    await expect
      .poll(() => page.locator(".notice-top .notice").count(), { message: "nothing lies over it" })
      .toBe(0);
    await look(asha, "form-1-elsewhere");
    const list = page.locator("#details .box-error");
    await list.getByRole("link", { name: "Pickup City" }).click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id))
      .toBe("details-pickup_city");
    for (const [name, value] of Object.entries({
      pickup_name: "Meera Rao",
      pickup_pincode: "110002",
      pickup_city: "New Delhi",
      pickup_state: "Delhi",
      pickup_address_1: "3 Asaf Ali Road",
      pickup_ready_start_time: "10:00",
      pickup_ready_end_time: "19:00",
      msme_id: "UDYAM-DL-01-0000001",
    })) {
      await page.locator(`form [name="${name}"]`).fill(value);
    }
    const time = page.getByLabel("Day and time");
    const when = await time.locator("option").nth(2).getAttribute("value");
    await time.selectOption(when);
    await steps.reviews(asha);
    const form = readSentBooking(asha);
    const awb = await steps.books(asha);
    await asha.sees(/^Dakiya comes /);
    expect(await form, "only one courier wants to know").not.toHaveProperty("shipper_type");
    expect(await form).toMatchObject({
      msme_id: "UDYAM-DL-01-0000001",
      pickup_required: "1",
      pickup_location: "2",
      pickup_when: when,
      pickup_name: "Meera Rao",
      pickup_pincode: "110002",
      pickup_address_1: "3 Asaf Ali Road",
      pickup_ready_start_time: "10:00",
    });
    await expectBookedOnce(reader, awb);
  },
);

journey("a document is sent within India, as one piece", async ({ asha, page }) => {
  const reader = await signInWithMoney(asha);
  await asha.follows("Courier");
  await page.getByLabel("Booking Type").selectOption({ label: "Domestic" });
  await page.getByLabel("Shipment Type").selectOption({ label: "Document" });
  await page.getByLabel("From Pincode").fill(steps.PARCEL.from);
  await page.getByLabel("To Pincode").fill(steps.PARCEL.to);
  await page.getByLabel("Weight (kg)").fill("0.4");
  await expect.poll(() => page.getByLabel("Quantity").count()).toBe(0);
  await asha.presses("Calculate Rate");
  await asha.sees("Select a Service");
  await steps.proceeds(asha);
  await expect.poll(() => page.locator("[name=quantity]").count()).toBe(0);
  await steps.fillsDetails(asha, ["quantity", "weight"]);
  await look(asha, "form-2-document");
  await steps.reviews(asha);
  const review = await page.locator("main").innerText();
  const form = readSentBooking(asha);
  const awb = await steps.books(asha);
  const details = await form;
  expect(details).toMatchObject({ shipment_type: 2, weight: "0.4" });
  expect(details).not.toHaveProperty("shipment_dimensions");
  const { results } = await reader.history();
  expect(results).toMatchObject([{ awb_number: awb, weight: 0.4 }]);
  expect(review).toContain(`₹${results[0]?.amount.toFixed(2)}`);
});
