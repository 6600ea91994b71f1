import { expect } from "vitest";
import { look } from "./harness/audit";
import { signInNewCustomer } from "./harness/customer";
import { tellsSandbox } from "./harness/gateway";
import { signInWithMoney } from "./harness/setup";
import { journeyOn } from "./harness/journey";
import type { Server } from "./harness/server";
import * as steps from "./harness/steps";
import { DEVICES, PHONE } from "./harness/visitor";

const journey = journeyOn({ DAKIYA_COURIERS: "house,karrio,shiprocket" });

/** Tells the pretend Shiprocket what to do with the next requests of a kind. */
function shiprocket(server: Server, fault: object) {
  return tellsSandbox(server, "POST", "shiprocket/faults", fault);
}

for (const [device, options] of DEVICES) {
  journey(
    `on ${device} a partner that is down costs only its own lines`,
    async ({ visit, server }) => {
      const asha = await visit(options);
      await signInNewCustomer(asha, "/calculate");
      const rows = () => asha.page.locator("main table tbody tr").allInnerTexts();
      const weight = asha.page.getByLabel("Weight (kg)");

      await steps.calculates(asha);
      await asha.sees("Estimated Rates");
      const all = await rows();
      expect(all.filter((row) => row.includes("Dakiya")).length).toBeGreaterThan(0);
      expect(all.filter((row) => !row.includes("Dakiya")).length).toBeGreaterThan(1);
      await look(asha, "rates-5-partners");

      // As long as it takes, ours are there before.
      await shiprocket(server, { operation: "rates", kind: "slow", delay_ms: 600_000 });
      await steps.changesShipment(asha);
      await weight.fill(device === "a phone" ? "3.1" : "3.2");
      await asha.presses("Calculate Rate");
      await asha.sees("No answer from our domestic partners.");
      const ours = await rows();
      expect(ours.length).toBeGreaterThan(0);
      expect(ours.every((row) => row.includes("Dakiya"))).toBe(true);
      await look(asha, "rates-6-partner-down");
    },
  );
}

journey("a partner carries a parcel that was booked here", async ({ asha, server }) => {
  const reader = await signInWithMoney(asha);
  await steps.fillsWizard(asha, undefined, /^(?!Dakiya).*Surface/);
  await shiprocket(server, { operation: "assign", kind: "drop", when: "after_work" });
  await asha.presses("Confirm & Book Now");
  await asha.sees("Booking Successful!");
  const { results } = await reader.history();
  const [booking] = results;
  expect(results.length).toBe(1);
  expect(booking?.product_name).not.toContain("Dakiya");
  await asha.sees(booking?.awb_number ?? "?");
  expect(await reader.balance()).toBe((500_000 - Math.round((booking?.amount ?? NaN) * 100)) / 100);
});

journey("a partner that refuses leaves the money where it was", async ({ asha, server }) => {
  asha.expect(/409.*create-booking/);
  const reader = await signInWithMoney(asha);
  await steps.fillsWizard(asha, undefined, /^(?!Dakiya).*Surface/);
  await shiprocket(server, { operation: "assign", kind: "reject" });
  await asha.presses("Confirm & Book Now");
  await asha.sees("The courier did not take this booking, and nothing was charged.");
  expect(await reader.balance()).toBe(5000);
  // It stays beside the button, when the alert has gone.
  const note = asha.page.locator(".action-note");
  await expect.poll(() => note.innerText()).toContain("The courier did not take this booking");
  await look(asha, "wizard-5-refused");
  // The next press shows the price of the day, and the one after it books.
  await asha.presses("Confirm & Book Now");
  await asha.sees("Please check the new price and confirm again.");
  await asha.presses("Confirm & Book Now");
  await asha.sees("Booking Successful!");
});

journey(
  "a courier that does not answer a cancellation is asked again",
  async ({ visit, server }) => {
    const asha = await visit({ viewport: PHONE });
    const reader = await signInWithMoney(asha);
    await steps.fillsWizard(asha, undefined, /^(?!Dakiya).*Surface/);
    await asha.presses("Confirm & Book Now");
    await asha.sees("Booking Successful!");
    const charged = await reader.balance();
    await shiprocket(server, { operation: "cancel", kind: "drop" });
    await asha.page.goto("/dashboard?tab=bookings");
    const offered = asha.page.locator("summary", { hasText: "Cancel" });
    await offered.click();
    await asha.page.getByRole("button", { name: "Cancel booking" }).click();
    await asha.sees("The courier has not answered yet. We keep asking");
    await asha.page.locator(".badge", { hasText: "Cancelling" }).waitFor();
    await expect.poll(() => offered.count()).toBe(0);
    expect(await reader.balance()).toBe(charged);
    await look(asha, "dashboard-6-cancelling");
  },
);
