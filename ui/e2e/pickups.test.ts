import { expect } from "vitest";
import { look, widthFaults } from "./harness/audit";
import { signInWithBooking } from "./harness/setup";
import { journey } from "./harness/journey";
import { PHONE, SCRIPTS } from "./harness/visitor";

for (const { how, script } of SCRIPTS) {
  journey(
    `a parcel’s pickup is scheduled, moved and cancelled ${how} JavaScript`,
    async ({ visit }) => {
      const asha = await visit({ viewport: PHONE, javaScriptEnabled: script });
      const { page } = asha;

      // From the list, as for several.
      const { awb } = await signInWithBooking(asha, "/bookings");
      await page.getByLabel(`Choose ${awb}`).check();
      await asha.presses("Pickup");
      await asha.sees("Free pickup: choose a day and time.");
      await look(asha, "pickups-0-asked");
      const first = page.getByLabel("Day and time");
      const time = (await first.locator("option").nth(2).textContent()) ?? "";
      await first.selectOption({ label: time });
      await asha.presses("Schedule pickup");
      await asha.sees(`Dakiya comes ${time}.`);
      await look(asha, "pickups-1-confirmed");
      await asha.follows("Back to bookings");
      await asha.sees(`Pickup ${time}`);
      await look(asha, "pickups-2-list");
      expect(await widthFaults(page)).toEqual([]);

      await asha.follows(awb);
      await asha.sees(`Dakiya comes ${time}.`);
      await expect.poll(() => page.getByText(`Dakiya comes ${time}.`).count()).toBe(1);
      await page.getByText("Reschedule", { exact: true }).click();
      const other = page.getByLabel("Day and time");
      const later = (await other.locator("option").nth(4).textContent()) ?? "";
      await other.selectOption({ label: later });
      await look(asha, "pickups-3-moving");
      await asha.presses("Reschedule pickup");
      await asha.sees(`Dakiya comes ${later}.`);

      // Whoever knows the number sees when, and not where.
      const receiver = await visit({ viewport: PHONE, javaScriptEnabled: script });
      await receiver.page.goto(`/track/${awb}`);
      await receiver.sees(later);
      await look(receiver, "pickups-4-track");

      await page.getByText("Cancel this pickup", { exact: true }).click();
      await asha.presses("Cancel pickup");
      await page.getByRole("button", { name: "Schedule pickup" }).waitFor();
      await look(asha, "pickups-5-cancelled");
    },
  );
}
