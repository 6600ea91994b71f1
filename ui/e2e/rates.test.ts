import { expect } from "vitest";
import { look } from "./harness/audit";
import { signInNewCustomer } from "./harness/customer";
import { journey } from "./harness/journey";
import { changesShipment, choosesCountry } from "./harness/steps";
import { DEVICES, type Visitor } from "./harness/visitor";

type Asked = {
  booking?: "Domestic" | "International";
  shipment?: "Parcel" | "Document";
  from: string;
  to: string;
  weight: string;
};

async function asks(visitor: Visitor, asked: Asked) {
  const { page } = visitor;
  const { booking = "Domestic", shipment = "Parcel" } = asked;
  await changesShipment(visitor);
  await page.getByLabel("Booking Type").selectOption({ label: booking });
  await page.getByLabel("Shipment Type").selectOption({ label: shipment });
  await page.getByLabel("From Pincode").fill(asked.from);
  await page.getByLabel(booking === "Domestic" ? "To Pincode" : "To Postal Code").fill(asked.to);
  await page.getByLabel("Weight (kg)").fill(asked.weight);
}

/** The results as they stand: one text for each row. */
async function results(visitor: Visitor): Promise<string[]> {
  await visitor.sees("Estimated Rates");
  return visitor.page.locator("main table tbody tr").allInnerTexts();
}

/** Rupees in a text, in paise. */
const paise = (text: string) =>
  [...text.matchAll(/₹([\d,]+)\.(\d\d)/g)].map(([, whole, rest]) =>
    Number(`${whole?.replaceAll(",", "")}${rest}`),
  );

/** Opens the first explanation and adds it up: its lines make the total, and the total the cost. */
async function explainsItself(visitor: Visitor) {
  const row = visitor.page.locator("main table tbody tr").first();
  await row.getByText("Price details").click();
  const lines = row.locator(".price div");
  const amounts: number[] = [];
  for (const line of await lines.all()) {
    const label = await line.locator("dt").innerText();
    if (label !== "Taxable value") amounts.push(...paise(await line.innerText()));
  }
  const total = amounts.pop();
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(total);
  expect(paise(await row.locator("td").last().innerText())).toEqual([total]);
}

for (const [device, options] of DEVICES) {
  journey(`on ${device} a parcel's rates are sorted, marked and explained`, async ({ visit }) => {
    const asha = await visit(options);
    await signInNewCustomer(asha, "/calculate");
    await asks(asha, { from: "110001", to: "560001", weight: "2.5" });
    await asha.page.getByLabel("Max Length (cm)").fill("30");
    await asha.presses("Calculate Rate");
    const rows = await results(asha);
    const heading = asha.page.getByRole("heading", { name: "Estimated Rates" });
    await expect.poll(() => heading.evaluate((it) => it === document.activeElement)).toBe(true);
    expect(rows.map((row) => /Dakiya \w+/.exec(row)?.[0])).toEqual([
      "Dakiya Surface",
      "Dakiya Heavy",
      "Dakiya Air",
    ]);
    const costs = rows.map((row) => paise(row).at(-1) ?? 0);
    expect(costs).toEqual([...costs].sort((one, other) => one - other));
    expect(rows[0]).toContain("Cheapest");
    expect(rows[2]).toContain("Fastest");
    await asha.sees("*Final rate may vary based on actual weight and dimensions");
    await explainsItself(asha);
    await look(asha, "rates-1-parcel");
    // On a phone the rows have no numbers.
    const number = await asha.page.locator("main table tbody td").first().boundingBox();
    expect(number?.width ?? 0, "the numbers of the rows").toBeLessThan(80);
    // The form makes room for them.
    await expect.poll(() => asha.page.getByLabel("Weight (kg)").isVisible()).toBe(false);
    await asha.sees("New Delhi → Bengaluru · 2.5 kg");
    await asha.presses("Fastest first");
    expect((await results(asha))[0]).toContain("Dakiya Air");
    await asha.presses("Cheapest first");
    expect((await results(asha))[0]).toContain("Dakiya Surface");
  });

  journey(`on ${device} papers go abroad, the country found by keyboard`, async ({ visit }) => {
    const asha = await visit(options);
    await signInNewCustomer(asha, "/calculate");
    const { page } = asha;
    await asks(asha, {
      booking: "International",
      shipment: "Document",
      from: "560001",
      to: "99501",
      weight: "0.4",
    });
    await expect.poll(() => page.getByLabel("Max Length (cm)").count()).toBe(0);
    const country = page.locator("input[role=combobox]");
    await country.fill("unitedST");
    await look(asha, "rates-2-combobox");
    await country.press("ArrowDown");
    await country.press("ArrowUp");
    await country.press("Enter");
    await expect.poll(() => country.inputValue()).toBe("United States");
    await asha.presses("Calculate Rate");
    const rows = await results(asha);
    expect(rows.some((row) => row.includes("DHL Express Worldwide Documents"))).toBe(true);
    await explainsItself(asha);
    await asha.sees("Zone 6: United States");
    await asha.sees("Remote area delivery");
    await look(asha, "rates-3-abroad");
  });
}

journey("a document and a country without postal codes have rates", async ({ asha }) => {
  await signInNewCustomer(asha, "/calculate");
  await asks(asha, { shipment: "Document", from: "110001", to: "302001", weight: "0.2" });
  await asha.presses("Calculate Rate");
  const papers = await results(asha);
  expect(papers[0]).toContain("Dakiya Document");

  await asks(asha, { booking: "International", from: "110001", to: "", weight: "1" });
  await choosesCountry(asha, "united arab emirates");
  await asha.presses("Calculate Rate");
  await asha.sees("Please enter the city.");
  await asha.page.getByLabel("To City").fill("Dubai");
  await asha.presses("Calculate Rate");
  await asha.sees("DHL Express Worldwide");
});

journey("places that nobody serves are named, the origin first", async ({ asha }) => {
  await signInNewCustomer(asha, "/calculate");
  for (const [asked, sentence] of [
    [{ from: "999999", to: "999998" }, "Origin pincode is not serviceable."],
    [{ from: "110001", to: "999998" }, "Destination pincode is not serviceable."],
  ] as const) {
    await asks(asha, { ...asked, weight: "1" });
    await asha.presses("Calculate Rate");
    await asha.sees(sentence);
    await expect.poll(() => asha.page.getByText("Estimated Rates").count()).toBe(0);
  }
  await asks(asha, { booking: "International", from: "110001", to: "no code", weight: "1" });
  await choosesCountry(asha, "France");
  await asha.presses("Calculate Rate");
  await asha.sees("Destination postal code is not serviceable for the selected country.");
  await look(asha, "rates-4-not-served");
});

journey(
  "a country is chosen by any of its names, and never by a part of another",
  async ({ asha }) => {
    const { page } = asha;
    await signInNewCustomer(asha, "/calculate");
    await page.getByLabel("Booking Type").selectOption({ label: "International" });
    const country = page.locator("input[role=combobox]");
    await country.click();
    const first = page.getByRole("listbox").getByRole("option").first();
    await expect.poll(() => first.textContent()).toBe("United States");
    for (const [typed, name] of [
      ["dubai", "United Arab Emirates"],
      ["uk", "United Kingdom"],
      ["usa", "United States"],
      ["holland", "Netherlands"],
    ] as const) {
      await choosesCountry(asha, typed);
      await expect.poll(() => country.inputValue()).toBe(name);
    }
    // The server knows the Hindi names.
    await country.fill("अमेरिका");
    await page.getByRole("option", { name: "United States" }).waitFor();
    await country.press("Enter");
    await expect.poll(() => country.inputValue()).toBe("United States");
    await country.fill("ates");
    await asha.sees("Nothing found");
    await country.press("Enter");
    await country.press("Tab");
    await expect.poll(() => country.inputValue()).toBe("United States");
    await country.fill("india");
    await asha.sees("Nothing found");
  },
);

journey("without JavaScript the form asks, answers and explains", async ({ visit }) => {
  const asha = await visit({ javaScriptEnabled: false });
  await signInNewCustomer(asha, "/calculate");
  const { page } = asha;
  await page.getByLabel("Destination Country").fill("Deutschland");
  await page.getByLabel("From Pincode").fill("110001");
  await page.getByLabel("To Postal Code").fill("10115");
  await asha.presses("Calculate Rate");
  const abroad = await results(asha);
  expect(abroad.length).toBeGreaterThan(2);
  await explainsItself(asha);

  await changesShipment(asha);
  await page.getByLabel("To Postal Code").fill("nowhere");
  await asha.presses("Calculate Rate");
  await asha.sees("Destination postal code is not serviceable for the selected country.");
  await expect.poll(() => page.getByLabel("To Postal Code").inputValue()).toBe("nowhere");
});
