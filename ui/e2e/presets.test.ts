import { expect } from "vitest";
import type { Presets } from "../src/wire";
import { look, lookOn } from "./harness/audit";
import {
  account,
  signInNewCustomer,
  registerCustomer,
  signIn,
  type Account,
} from "./harness/customer";
import { journey } from "./harness/journey";
import * as steps from "./harness/steps";
import { DEVICES, LAPTOP, PHONE, SCRIPTS, type Visitor } from "./harness/visitor";

const presetsOf = (reader: Account) => reader.get<Presets>("booking/presets/");

const RAVI = {
  destination_country_id: "97",
  consignee_name: "Ravi Kumar",
  consignee_mobile: "9123456780",
  consignee_address_1: "22 MG Road",
  consignee_pincode: steps.PARCEL.to,
  consignee_city: "Bengaluru",
};

/** Somebody new, through step 1 to the details. */
async function startDetails(visitor: Visitor): Promise<Account> {
  const customer = await signInNewCustomer(visitor, "/courier");
  await proceeds(visitor, steps.PARCEL.to);
  return account(visitor.server, customer);
}

async function proceeds(visitor: Visitor, to: string) {
  const { page } = visitor;
  await steps.findsServices(visitor);
  await page.getByLabel("To Pincode").fill(to);
  await visitor.presses("Calculate Rate");
  await steps.proceeds(visitor);
  await visitor.sees("Step 2 of 4");
}

async function startsAfresh(visitor: Visitor) {
  await visitor.page.getByText("Start over", { exact: true }).click();
  await visitor.presses("Delete and start over");
  await visitor.sees("Step 1 of 5");
}

for (const [device, { viewport }] of DEVICES) {
  journey(`on ${device} whom and what was sent once is chosen the next time`, async ({ visit }) => {
    const asha = await visit({ viewport });
    const { page } = asha;
    const at = (name: string) => look(asha, name);
    const reader = await startDetails(asha);
    await steps.fillsDetails(asha);
    const receiver = page.getByLabel("Save this receiver in my address book");
    await expect.poll(() => receiver.isChecked()).toBe(false);
    await expect
      .poll(() => page.getByLabel("Save this sender in my address book").isChecked())
      .toBe(true);
    await receiver.check();
    await page.getByLabel("Save this package in my address book").check();
    await at("presets-1-ticks");
    await steps.reviews(asha);
    await expect
      .poll(async () => (await presetsOf(reader)).results.map(({ name }) => name))
      .toEqual(["Asha Rao, New Delhi", "Brass lamps", "Ravi Kumar, Bengaluru"]);

    await startsAfresh(asha);
    await page.getByLabel("Saved Receiver").selectOption({ label: "Ravi Kumar, Bengaluru" });
    await expect.poll(() => steps.valueOf(asha, "booking_type")).toBe("2");
    await expect.poll(() => steps.valueOf(asha, "destination_pincode")).toBe(steps.PARCEL.to);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id))
      .toBe("rate-preset-consignee");
    await page.getByLabel("Saved Sender").selectOption({ label: "Asha Rao, New Delhi" });
    await page.getByLabel("Saved Package").selectOption({ label: "Brass lamps" });
    await expect.poll(() => steps.valueOf(asha, "origin_pincode")).toBe(steps.PARCEL.from);
    await expect.poll(() => steps.valueOf(asha, "weight")).toBe(steps.PARCEL.kilograms);
    await expect.poll(() => steps.valueOf(asha, "destination_pincode")).toBe(steps.PARCEL.to);
    const chosen = page.getByLabel("Saved Receiver").locator("option:checked");
    await expect.poll(() => chosen.innerText()).toBe("Ravi Kumar, Bengaluru");
    await at("presets-2-chosen");
    await asha.presses("Calculate Rate");
    await steps.proceeds(asha);
    await expect.poll(() => steps.valueOf(asha, "consignee_address_1")).toBe("22 MG Road");
    await expect.poll(() => steps.valueOf(asha, "consigner_doc_number")).toBe("07AAACD1234E1ZB");
    await expect.poll(() => steps.valueOf(asha, "height")).toBe(steps.PARCEL.centimetres.height);
    await page.locator("[name=invoice_value]").fill("100");
    await asha.presses("Calculate Rate & Review");
    await asha.sees("Ravi Kumar, 22 MG Road");
    expect((await presetsOf(reader)).results, "none is kept twice").toHaveLength(3);
  });
}

journey(
  "in step 2 presets for this route fill their section, and others say where to choose them",
  async ({ asha, page }) => {
    const reader = await startDetails(asha);
    await steps.fillsDetails(asha);
    await page.getByLabel("Save this receiver in my address book").check();
    await steps.reviews(asha);
    await expect.poll(async () => (await presetsOf(reader)).results.length).toBe(2);
    await startsAfresh(asha);
    await proceeds(asha, "400001");
    const option = page.getByLabel("Saved Receiver").locator("option").last();
    await expect
      .poll(() => option.innerText())
      .toBe("Ravi Kumar, Bengaluru (for 560001: change it in step 1)");
    await expect.poll(() => option.isDisabled()).toBe(true);

    await startsAfresh(asha);
    await proceeds(asha, steps.PARCEL.to);
    await steps.opensFolds(asha);
    await page.locator("[name=remark]").fill("Fragile");
    await page.getByLabel("Saved Receiver").selectOption({ label: "Ravi Kumar, Bengaluru" });
    await expect.poll(() => steps.valueOf(asha, "consignee_name")).toBe("Ravi Kumar");
    await expect
      .poll(() => page.getByLabel("Saved Receiver").isVisible(), { message: "a closed card" })
      .toBe(false);
    await asha.sees(/^Ravi Kumar, 22 MG Road, Bengaluru/);
    await expect
      .poll(() => steps.valueOf(asha, "remark"), { message: "what was typed elsewhere stays" })
      .toBe("Fragile");
    await look(asha, "presets-3-details");
  },
);

for (const { how, script } of SCRIPTS) {
  journey(`the address book is kept in order ${how} JavaScript`, async ({ visit, server }) => {
    const asha = await visit({ javaScriptEnabled: script });
    const customer = await registerCustomer(server);
    const reader = await account(server, customer);
    await reader.post("booking/presets/", { kind: "consignee", fields: RAVI });
    await signIn(asha, customer, "/courier");
    await asha.follows("Address book");
    await asha.isAt("/addresses");
    await asha.sees("Ravi Kumar, 22 MG Road");
    await asha.page.getByText("Change Ravi Kumar, Bengaluru").click();
    if (script) await lookOn([PHONE, LAPTOP], asha, "addresses-change");
    await asha.fills({ "Name of the entry": "Ravi at the office" });
    await asha.presses("Rename");
    await asha.sees("The entry has its new name.");
    await asha.page.getByRole("link", { name: "91234 56780" }).waitFor();

    asha.expect(/^400: POST|status of 400/);
    await asha.page.getByText("Change Ravi at the office").click();
    const address = asha.page.locator("form[action='/addresses/save']").first();
    await address.getByLabel("Pincode").fill("110001");
    await address.getByLabel("Address Line 1").fill("");
    await address.evaluate((form) => ((form as HTMLFormElement).noValidate = true));
    await address.getByRole("button", { name: "Save address" }).click();
    await asha.sees("This field is required.");
    await expect.poll(() => address.getByLabel("Pincode").inputValue()).toBe("110001");
    await address.getByLabel("Address Line 1").fill("4 Janpath");
    await address.getByRole("button", { name: "Save address" }).click();
    await asha.sees("The address was saved.");
    await asha.sees("Ravi Kumar, 4 Janpath, New Delhi, 110001");
    const search = asha.page.getByLabel("Search your addresses");
    const looksFor = async (text: string) => {
      await search.fill(text);
      if (!script) await asha.presses("Search");
    };
    await looksFor("nobody");
    await expect.poll(() => asha.page.getByText("4 Janpath").count()).toBe(0);
    await looksFor("912345");
    await asha.sees("Ravi Kumar, 4 Janpath");
    await asha.presses("Book to this address");
    await asha.isAt("/courier");
    await expect.poll(() => steps.valueOf(asha, "destination_pincode")).toBe("110001");
    await asha.page.goto("/addresses");

    await asha.page.getByText("Change Ravi at the office").click();
    await asha.presses("Delete");
    await asha.sees("The entry was deleted.");
    expect((await presetsOf(reader)).results).toEqual([]);
  });

  journey(`a package is added and corrected in the book ${how} JavaScript`, async ({ visit }) => {
    const asha = await visit({ javaScriptEnabled: script, viewport: PHONE });
    const customer = await signInNewCustomer(asha, "/addresses");
    await asha.page.getByText("Add a package", { exact: true }).click();
    const adding = asha.page.locator("form[action='/addresses/save']").last();
    await adding.getByLabel("Product Description").fill("Brass lamps");
    await adding.getByLabel("Weight (kg)").fill("2.5");
    await adding.getByRole("button", { name: "Save package" }).click();
    await asha.sees("The package was saved.");
    await asha.sees("1 × 2.5 kg, Brass lamps");

    asha.expect(/^400: POST|status of 400/);
    await asha.page.getByText("Change Brass lamps").click();
    const change = asha.page.locator("form[action='/addresses/save']:has([name=id])");
    await change.getByLabel("Weight (kg)").fill("heavy");
    await change.getByLabel("Length (cm)").fill("30");
    await change.getByRole("button", { name: "Save package" }).click();
    await expect
      .poll(() => change.getByLabel("Weight (kg)").getAttribute("aria-invalid"))
      .toBe("true");
    await expect.poll(() => change.getByLabel("Length (cm)").inputValue()).toBe("30");
    await look(asha, "addresses-package");
    await change.getByLabel("Weight (kg)").fill("3");
    await change.getByRole("button", { name: "Save package" }).click();
    await asha.sees("The package was saved.");
    const reader = await account(asha.server, customer);
    expect((await presetsOf(reader)).results).toMatchObject([
      { kind: "package", name: "Brass lamps", fields: { weight: "3", length: "30" } },
    ]);
  });
}
