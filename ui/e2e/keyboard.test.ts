import { expect } from "vitest";
import { account, newCustomer } from "./harness/customer";
import { journey } from "./harness/journey";
import { PARCEL, registrationOf } from "./harness/steps";
import type { Visitor } from "./harness/visitor";

/** Everybody needs a way through the longest form. */
const STOPS_MAX = 120;

/** Goes on with Tab until the focus is on a control of this name, which must show that it is. */
async function tabsTo({ page }: Visitor, name: string | RegExp) {
  const seen: string[] = [];
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await page.keyboard.press("Tab");
    const here = await page.evaluate(focused);
    seen.push(here.name);
    if (typeof name === "string" ? here.name !== name : !name.test(here.name)) continue;
    expect(here.marked, `the focus on “${here.name}” can be seen`).toBe(true);
    return;
  }
  throw new Error(`Tab never came to ${String(name)}, but to: ${seen.join(", ")}`);
}

/** In the page: what has the focus, by the name people see, and whether that shows. */
function focused() {
  const element = document.activeElement as HTMLElement | null;
  if (element === null || element === document.body) return { name: "", marked: true };
  const labels = (element as HTMLInputElement).labels;
  const label = labels?.[0]?.innerText.replace("(optional)", "") ?? "";
  const text = element.innerText || element.textContent || "";
  const { outlineStyle, boxShadow } = getComputedStyle(element);
  return {
    name: (label || element.getAttribute("aria-label") || text).trim().split("\n")[0] ?? "",
    marked: outlineStyle !== "none" || boxShadow !== "none",
  };
}

async function types(visitor: Visitor, fields: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(fields)) {
    await tabsTo(visitor, name);
    await visitor.page.keyboard.press("ControlOrMeta+a");
    await visitor.page.keyboard.type(value);
  }
}

async function presses(visitor: Visitor, name: string | RegExp) {
  await tabsTo(visitor, name);
  await visitor.page.keyboard.press("Enter");
}

journey("the main job is done with the keyboard alone", async ({ asha, page, server }) => {
  const customer = newCustomer();
  await page.goto("/register");
  await types(asha, registrationOf(customer));
  await page.keyboard.press("Enter");
  await asha.isAt("/login");
  await types(asha, { Username: customer.username, Password: customer.password });
  await page.keyboard.press("Enter");
  await asha.isAt("/dashboard");
  await asha.sees("Total Bookings");

  await page.goto("/recharge");
  await presses(asha, "₹5,000");
  await presses(asha, "Recharge ₹5,000");
  await page.waitForURL(`${server.sandboxUrl}/**`);
  await presses(asha, /^Pay ₹/);
  await asha.sees("Payment Successful!");

  await page.goto("/courier");
  await page.waitForLoadState("networkidle");
  await tabsTo(asha, "Booking Type");
  await page.keyboard.type("Domestic");
  await types(asha, {
    "From Pincode": PARCEL.from,
    "To Pincode": PARCEL.to,
    "Weight (kg)": PARCEL.kilograms,
    "Max Length (cm)": PARCEL.centimetres.length,
  });
  await page.keyboard.press("Enter");
  await asha.sees("Select a Service");
  await tabsTo(asha, /^Dakiya Surface/);
  await page.keyboard.press("Space");
  await presses(asha, "Proceed to Booking Details");
  await asha.sees("Step 2 of 4");
  // The ways out in the order in which they are seen.
  await tabsTo(asha, "Back");
  await page.keyboard.press("Tab");
  await expect.poll(async () => (await page.evaluate(focused)).name).toBe("Close");
  await types(asha, {
    "Company Name": "Rao Handicrafts",
    Mobile: "9876543210",
    "Address Line 1": "14 Janpath",
    Telephone: "01123456789",
    "Document Number": "AAACD1234E",
    "Consignee Name": "Ravi Kumar",
    "Consignee Phone": "9123456780",
    "Consignee Address Line 1": "22 MG Road",
    "Product Description": "Brass lamps",
  });
  await presses(asha, /^Weight and size/);
  await types(asha, {
    "Width (cm)": PARCEL.centimetres.width,
    "Height (cm)": PARCEL.centimetres.height,
    "Invoice Value": "2500",
  });
  await page.keyboard.press("Enter");
  await asha.sees("Review Booking");
  await presses(asha, "Confirm & Book Now");
  await asha.sees("Booking Successful!");
  const reader = await account(server, customer);
  expect(await reader.get("shipping/history/")).toMatchObject({ count: 1 });
  await presses(asha, "Track Shipment");
  await asha.sees("Tracking History");
  await presses(asha, "Asha Rao");
  await presses(asha, "Logout");
  await asha.isAt("/login");
});
