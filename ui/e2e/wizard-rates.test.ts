import { expect } from "vitest";
import type { Rates } from "../src/wire";
import { look } from "./harness/audit";
import { waitForDraftValue } from "./harness/checks";
import { account, signInNewCustomer, signInAndSettle } from "./harness/customer";
import { journey } from "./harness/journey";
import * as steps from "./harness/steps";
import { DEVICES, SCRIPTS, type Visitor } from "./harness/visitor";

const proceed = ({ page }: Visitor) =>
  page.getByRole("button", { name: "Proceed to Booking Details" });

journey(
  "whatever changes in step 1, the old rates and the choice go until it is priced again",
  async ({ asha, page }) => {
    await signInAndSettle(asha, "/courier");
    const changes: [string, () => Promise<unknown>][] = [
      ["the weight", () => page.getByLabel("Weight (kg)").fill("9")],
      ["a side", () => page.getByLabel("Height (cm)").fill("60")],
      ["a place", () => page.getByLabel("To Pincode").fill("400001")],
      ["the contents", () => page.getByLabel("Shipment Type").selectOption("2")],
      ["the kind", () => page.getByLabel("Booking Type").selectOption("1")],
    ];
    for (const [what, change] of changes) {
      await steps.findsServices(asha);
      await page.getByRole("radio").first().check();
      await proceed(asha).waitFor();
      await change();
      await proceed(asha).waitFor({ state: "detached" });
      await expect
        .poll(() => page.getByText("Select a Service").count(), { message: what })
        .toBe(0);
    }
    // A refused form brings none of them back.
    await asha.presses("Calculate Rate");
    await asha.sees("Choose the destination country");
    await expect.poll(() => page.getByText("Select a Service").count()).toBe(0);
  },
);

journey("the calculator's old rates go with what they were for", async ({ asha, page }) => {
  await signInNewCustomer(asha, "/calculate");
  await steps.calculates(asha);
  await asha.sees("Estimated Rates");
  await steps.changesShipment(asha);
  await page.getByLabel("Booking Type").selectOption("1");
  await page.getByText("Estimated Rates").waitFor({ state: "detached" });
  await asha.presses("Calculate Rate");
  await asha.sees("Choose the destination country");
  await steps.choosesCountry(asha, "Germany");
  await page.getByText("Choose the destination country").waitFor({ state: "detached" });
});

journey("the price that was compared is the price to pay", async ({ asha, page }) => {
  await signInAndSettle(asha, "/courier");
  await steps.calculates(asha);
  for (const side of ["Max Length (cm)", "Width (cm)", "Height (cm)"]) {
    await page.getByLabel(side).fill("60");
  }
  await asha.presses("Calculate Rate");
  await asha.sees("Select a Service");
  await page.getByRole("radio").first().check();
  const price = await page.locator(".action-bar strong").innerText();
  await asha.presses("Proceed to Booking Details");
  await asha.sees("Step 2 of 4");
  for (const name of ["length", "breadth", "height"]) {
    await expect.poll(() => steps.valueOf(asha, name), { message: name }).toBe("60");
  }
  await steps.fillsDetails(asha, ["length", "breadth", "height"]);
  await steps.reviews(asha);
  await expect
    .poll(() => page.locator(".price div").last().innerText())
    .toContain(price.replace("₹", ""));
  await expect.poll(() => page.getByText("The price changed").count()).toBe(0);
});

for (const [device, options] of DEVICES) {
  journey(
    `on ${device} the way on stands beside the service that was chosen`,
    async ({ visit }) => {
      const asha = await visit(options);
      const { page } = asha;
      await signInAndSettle(asha, "/courier");
      await steps.findsServices(asha);
      const first = page.getByRole("radio").first();
      await first.scrollIntoViewIfNeeded();
      const before = await page.evaluate(() => window.scrollY);
      await first.check();
      const box = await proceed(asha).boundingBox();
      expect(box).not.toBeNull();
      const { height } = options.viewport;
      expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
      await expect
        .poll(() => page.evaluate(() => window.scrollY), { message: "nothing moves" })
        .toBe(before);
      await asha.sees(await page.locator(".action-bar p").innerText());
      // The cursor is never under it.
      for (let tabs = 0; tabs < 8; tabs += 1) {
        await page.keyboard.press("Tab");
        const seen = await page.evaluate(() => {
          const at = document.activeElement?.getBoundingClientRect();
          if (at === undefined || at.height === 0) return true;
          const top = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
          return (
            top === null ||
            !top.closest(".action-bar") ||
            document.activeElement?.closest(".action-bar") !== null
          );
        });
        expect(seen, `after ${tabs + 1} tabs`).toBe(true);
      }
      await look(asha, "wizard-1-chosen");
      await proceed(asha).focus();
      await page.keyboard.press("Enter");
      await asha.sees("Step 2 of 4");
    },
  );
}

journey(
  "a country without postal codes needs none, and keeps what is typed instead",
  async ({ asha, page, server }) => {
    const reader = await account(server, await signInAndSettle(asha, "/courier"));
    await steps.choosesCountry(asha, "united arab emirates");
    await page.getByLabel("From Pincode").fill(steps.PARCEL.from);
    await page.getByLabel("To City").fill("Dubai");
    await asha.presses("Calculate Rate");
    await asha.sees("Select a Service");
    await steps.proceeds(asha);
    await steps.fillsDetails(asha);
    await look(asha, "wizard-2-no-postal-code");
    await asha.presses("Calculate Rate & Review");
    await asha.sees("KYC Document Upload Required");
    await asha.presses("Back to Booking Details");
    await page.locator("[name=consignee_pincode]").fill("00000");
    await asha.presses("Back");
    await asha.presses("Calculate Rate");
    await steps.proceeds(asha);
    await expect.poll(() => steps.valueOf(asha, "consignee_pincode")).toBe("00000");
    await expect.poll(() => steps.valueOf(asha, "consignee_city")).toBe("Dubai");
    await waitForDraftValue(reader, "consignee_pincode", "00000");
  },
);

journey("a place nobody serves is told beside its field, and stays", async ({ asha, page }) => {
  await signInAndSettle(asha, "/courier");
  await steps.findsServices(asha);
  await page.getByLabel("To Pincode").fill("999998");
  asha.expect(/404/);
  await asha.presses("Calculate Rate");
  const error = page.locator("#rate-destination_pincode-error");
  await error.waitFor();
  await expect.poll(() => error.innerText()).toBe("Destination pincode is not serviceable.");
  await page.locator(".notice-top .notice").waitFor({ state: "detached" });
  await expect.poll(() => error.isVisible()).toBe(true);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("name")))
    .toBe("destination_pincode");
  await page.getByLabel("To Pincode").fill("560001");
  await error.waitFor({ state: "detached" });
});

journey("rates and steps are told to who does not see them", async ({ asha, page }) => {
  await signInAndSettle(asha, "/courier");
  const found = page.locator("main [role=status]").filter({ hasText: "Select a Service" });
  await expect.poll(() => found.count()).toBe(0);
  await steps.calculates(asha);
  await found.waitFor();
  await expect.poll(() => found.innerText()).toMatch(/^Select a Service: \d+$/);
  const stepper = page.locator(".stepper-text");
  await expect.poll(() => stepper.getAttribute("aria-live")).toBe("polite");
  await steps.proceeds(asha);
  await expect
    .poll(() => stepper.textContent())
    .toBe("Step 2 of 4 · Details: Enter Booking Details");
});

journey(
  "the steps are counted right from the start, as a booking abroad is preselected",
  async ({ asha }) => {
    await signInAndSettle(asha, "/courier");
    await asha.sees("Step 1 of 5");
    await asha.page.getByLabel("Booking Type").selectOption("2");
    await asha.sees("Step 1 of 4");
    await asha.page.getByLabel("Booking Type").selectOption("1");
    await asha.sees("Step 1 of 5");
  },
);

for (const { how, script } of SCRIPTS) {
  journey(
    `${how} JavaScript a service that was calculated is booked by its own button`,
    async ({ visit }) => {
      const asha = await visit({ javaScriptEnabled: script });
      const { page } = asha;
      await signInNewCustomer(asha);
      const { from, to, kilograms, centimetres } = steps.PARCEL;
      const shipment = { origin_pincode: from, destination_pincode: to, weight: kilograms };
      const kind = { booking_type: "2", shipment_type: "1", quantity: "1" };
      const query = new URLSearchParams({ ...kind, ...shipment, ...centimetres });
      await page.goto(`/calculate?${query.toString()}`);
      await asha.sees("Estimated Rates");
      await asha.presses("Book Dakiya Air");
      await asha.isAt("/courier");
      await asha.sees("Step 2 of 4");
      await expect.poll(() => page.locator(".action-bar").innerText()).toContain("Dakiya Air");
      await expect.poll(() => steps.valueOf(asha, "weight")).toBe(kilograms);
      await expect.poll(() => steps.valueOf(asha, "breadth")).toBe(centimetres.width);
    },
  );
}

journey("a service whose delivery time nobody knows says so", async ({ asha }) => {
  await signInAndSettle(asha, "/courier");
  await asha.page.route("**/shipping/calculate-rate/", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as Rates;
    for (const rate of body.data) rate.tat_days = null;
    await route.fulfill({ response: answer, json: body });
  });
  await steps.findsServices(asha);
  await asha.sees("Estimated delivery: N/A");
});
