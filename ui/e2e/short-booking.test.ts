import { expect } from "vitest";
import { look } from "./harness/audit";
import { signInWithMoney } from "./harness/setup";
import { journey } from "./harness/journey";
import * as steps from "./harness/steps";
import { PHONE, type Visitor } from "./harness/visitor";

/** The names of the fields in sight, folds closed. */
async function fieldsInSight({ page }: Visitor): Promise<string[]> {
  const fields = await page.locator("#details").locator("input, select").all();
  const names: string[] = [];
  for (const field of fields) {
    const type = await field.getAttribute("type");
    if (type === "checkbox" || type === "hidden" || !(await field.isVisible())) continue;
    names.push((await field.getAttribute("name")) ?? "");
  }
  return names;
}

journey(
  "a second booking to a saved receiver takes seven taps and no key on a phone",
  async ({ visit }) => {
    const asha = await visit({ viewport: PHONE });
    const { page } = asha;
    await signInWithMoney(asha);
    await page.goto("/courier");
    await steps.choosesService(asha);
    await steps.fillsDetails(asha);
    await page.getByLabel("Save this receiver in my address book").check();
    await steps.reviews(asha);
    await steps.books(asha);
    await page.goto("/dashboard");

    let taps = 0;
    const tap = async (what: ReturnType<typeof page.locator>) => {
      taps += 1;
      await what.click();
    };
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const choose = async (label: string) => {
      // One to open the list, one to choose.
      taps += 2;
      const list = page.getByLabel(label);
      await list.selectOption(await list.locator("option").nth(1).getAttribute("value"));
    };
    await tap(page.getByRole("link", { name: "New booking" }).first());
    await asha.sees("Step 1 of 4");
    await expect
      .poll(() => page.locator("[name=origin_pincode]").inputValue())
      .toBe(steps.PARCEL.from);
    await asha.sees("New Delhi, Delhi");
    await choose("Saved Receiver");
    // The rest is as it was the last time, and the cheapest service is chosen.
    await asha.sees("Select a Service");
    await expect.poll(() => steps.valueOf(asha, "weight")).toBe(steps.PARCEL.kilograms);
    const sender = page.getByLabel("Saved Sender").locator("option:checked");
    await expect.poll(() => sender.innerText()).toBe("Asha Rao, New Delhi");
    await look(asha, "short-2-services");
    await tap(button("Proceed to Booking Details"));
    await asha.sees("Step 2 of 4");
    expect(await fieldsInSight(asha)).toEqual([
      "description",
      "invoice_value",
      "pickup_required",
      "pickup_location",
    ]);
    await asha.sees(/Asha Rao, 14 Janpath, New Delhi, 110001/);
    await asha.sees(/Ravi Kumar, 22 MG Road, Bengaluru, 560001/);
    await look(asha, "short-3-details");
    await expect.poll(() => steps.valueOf(asha, "description")).toBe(steps.LAMPS.description);
    await expect.poll(() => steps.valueOf(asha, "invoice_value")).toBe("2500");
    await tap(button("Calculate Rate & Review"));
    await asha.sees("Review Booking");
    await look(asha, "short-4-review");
    await tap(button("Confirm & Book Now"));
    await steps.awbOf(asha);
    expect(taps).toBeLessThanOrEqual(7);
  },
);

journey("what is wrong in a closed part opens it", async ({ asha, page }) => {
  await signInWithMoney(asha);
  await page.goto("/courier");
  await steps.choosesService(asha);
  await steps.fillsDetails(asha);
  const height = page.locator("[name=height]");
  await height.fill("0");
  const fold = page.locator("summary").filter({ hasText: "Weight and size" });
  await fold.click();
  await expect.poll(() => height.isVisible()).toBe(false);
  await asha.presses("Calculate Rate & Review");
  await height.waitFor({ state: "visible" });
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("details-height");
});

journey("services are sorted by price or by time", async ({ asha, page }) => {
  await signInWithMoney(asha);
  await page.goto("/courier");
  await steps.findsServices(asha);
  const names = () => page.locator(".service .service-name").allInnerTexts();
  const cheapest = await names();
  expect(cheapest[0]).toContain("Cheapest");
  await asha.presses("Fastest first");
  const fastest = await names();
  expect(fastest[0]).toContain("Fastest");
  expect([...fastest].sort()).toEqual([...cheapest].sort());
  await steps.proceeds(asha);
  await asha.sees("Step 2 of 4");
  const name = (fastest[0] ?? "").replace(" Fastest", "");
  await expect.poll(() => page.locator(".action-bar").innerText()).toContain(name);
});

for (const width of [320, 360]) {
  journey(`at ${width} px the wizard gives the screen to its form`, async ({ visit }) => {
    const asha = await visit({ viewport: { width, height: 740 } });
    const { page } = asha;
    await signInWithMoney(asha);
    await page.goto("/courier");
    await steps.choosesService(asha);
    await expect.poll(() => page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false);
    const head = page.locator(".wizard-head");
    expect((await head.boundingBox())?.height ?? 999, "one line").toBeLessThan(60);
    const line = head.locator(".stepper-text");
    await expect.poll(() => line.innerText()).toContain("Step 2 of 4 · Details");
    await expect
      .poll(() => line.evaluate((it) => it.scrollWidth <= it.clientWidth), { message: "whole" })
      .toBe(true);
    const first = page.locator("#details").locator("input:visible, select:visible").first();
    expect((await first.boundingBox())?.y ?? 999).toBeLessThan(340);
    await head.getByRole("link", { name: "Close" }).waitFor();
    await look(asha, `short-5-head-${width}`);
  });
}
