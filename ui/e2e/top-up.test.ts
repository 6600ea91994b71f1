import { expect } from "vitest";
import { lookOn } from "./harness/audit";
import { account, signInNewCustomer } from "./harness/customer";
import { journey } from "./harness/journey";
import { books, fillsWizard, paysAtGateway } from "./harness/steps";
import { LAPTOP, PHONE } from "./harness/visitor";

journey(
  "a review that the wallet does not cover leads to exactly what is missing, and back",
  async ({ asha, server }) => {
    const customer = await signInNewCustomer(asha, "/dashboard");
    await fillsWizard(asha);
    await lookOn([PHONE, LAPTOP], asha, "wizard-3-review-short");
    const add = asha.page.getByRole("link", { name: /^Add ₹/ });
    await asha.page.evaluate(() => window.scrollTo(0, 0));
    const box = await add.boundingBox();
    const height = asha.page.viewportSize()?.height ?? 0;
    expect((box?.y ?? height) + (box?.height ?? 0), "in sight").toBeLessThanOrEqual(height);
    const review = await asha.page.locator("main").innerText();
    const short = Number(/Short by ₹([\d,.]+\d)/.exec(review)?.[1]?.replaceAll(",", ""));
    const amount = Math.max(10, Math.ceil(short));
    await expect
      .poll(() => asha.page.getByRole("button", { name: /^Confirm/ }).isDisabled())
      .toBe(true);

    await asha.follows(`Add ₹${amount}`);
    await asha.sees(`Short by ₹${short.toFixed(2)}.`);
    await expect.poll(() => asha.page.getByLabel(/amount/).inputValue()).toBe(String(amount));
    await lookOn([PHONE, LAPTOP], asha, "recharge-1-short");
    await asha.presses(`Recharge ₹${amount}`);
    await paysAtGateway(asha);
    await asha.sees("Redirecting to your booking...");
    await asha.isAt("/courier");
    await asha.sees("Review Booking");
    await asha.sees("Ravi Kumar, 22 MG Road");
    await books(asha);
    const reader = await account(server, customer);
    expect(await reader.balance()).toBeCloseTo(amount - short, 2);

    // A booked form is not kept.
    await asha.page.goto("/courier");
    await asha.sees("Step 1 of 4");
    await expect
      .poll(() => asha.page.evaluate(() => localStorage.getItem("booking_draft")))
      .toBeNull();
  },
);
