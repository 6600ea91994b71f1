import { expect } from "vitest";
import { look } from "./harness/audit";
import { signInWithMoney } from "./harness/setup";
import { journey } from "./harness/journey";
import * as steps from "./harness/steps";
import type { Visitor } from "./harness/visitor";

/** Pastes into an emptied field, which must take and keep the whole text. */
async function pastes({ page }: Visitor, selector: string, text: string) {
  const field = page.locator(selector);
  await field.fill("");
  await field.focus();
  await page.keyboard.insertText(text);
  await expect.poll(() => field.inputValue(), { message: selector }).toBe(text);
}

/** Turns the wheel over a field and presses an arrow key in it. */
async function turnsTheWheel({ page }: Visitor, selector: string) {
  const field = page.locator(selector);
  const before = await field.inputValue();
  await field.scrollIntoViewIfNeeded();
  await field.focus();
  await field.hover();
  await page.mouse.wheel(0, -40);
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => field.inputValue(), { message: selector }).toBe(before);
}

journey("numbers are taken as people paste them, and the wheel changes none", async ({ asha }) => {
  const reader = await signInWithMoney(asha);
  await asha.follows("Courier");
  await asha.sees("New Courier Booking");
  await steps.calculates(asha);
  await asha.sees("Select a Service");
  await pastes(asha, "[name=origin_pincode]", "110 001");
  await pastes(asha, "[name=destination_pincode]", "\u202a560-001\u202c");
  await asha.sees(/^Bengaluru/);
  await pastes(asha, "[name=weight]", "२,५ kg");
  await pastes(asha, "[name=length]", "300 mm");
  for (const name of ["weight", "length", "quantity"]) {
    await turnsTheWheel(asha, `[name=${name}]`);
  }
  await look(asha, "pasted-1-rates");
  await asha.presses("Calculate Rate");
  await asha.sees("Select a Service");
  await steps.proceeds(asha);
  await steps.fillsDetails(asha);
  await pastes(asha, "[name=consigner_mobile]", "\u202a+91 98765\u00a043210\u202c");
  await pastes(asha, "[name=consignee_mobile]", "091234 56780");
  await pastes(asha, "[name=consigner_gst_number]", "07 AAACD 1234E-1ZB");
  await pastes(asha, "[name=weight]", "2.5 kg");
  await pastes(asha, "[name=invoice_value]", "₹12,500/-");
  for (const name of ["weight", "invoice_value"]) await turnsTheWheel(asha, `[name=${name}]`);
  await look(asha, "pasted-2-details");
  await steps.reviews(asha);
  const awb = await steps.books(asha);
  const { results } = await reader.history();
  expect(results).toMatchObject([{ awb_number: awb, weight: 2.5 }]);
});

journey("an amount is recharged as it was written, and too little says so", async ({ asha }) => {
  await signInWithMoney(asha);
  await asha.page.goto("/recharge");
  const amount = asha.page.getByLabel(/enter an amount/);
  for (const written of ["1,000", "₹1,000", "Rs. 1000/-", "१०००", "\u202a1000.00\u202c"]) {
    await pastes(asha, "[name=amount][inputmode]", written);
    await asha.page.getByRole("button", { name: "Recharge ₹1,000" }).waitFor();
  }
  await amount.fill("₹5");
  await amount.blur();
  await asha.sees("Minimum recharge amount is ₹10");
  await look(asha, "pasted-3-too-little");
});
