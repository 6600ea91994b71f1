import { expect } from "vitest";
import { signInAndSettle } from "../harness/customer";
import { signInWithMoney } from "../harness/setup";
import { journey } from "../harness/journey";
import { holdCalls } from "../harness/network";
import { scaleMs } from "../harness/patience";
import * as steps from "../harness/steps";
import type { Visitor } from "../harness/visitor";

/** The rules of the wizard that the list in coverage.tsv names: a test for each. */

async function openDetails(visitor: Visitor) {
  await signInAndSettle(visitor, "/courier");
  await steps.choosesService(visitor, undefined, /Surface/);
}

async function atKyc(visitor: Visitor) {
  await signInAndSettle(visitor, "/courier");
  await steps.reachesKyc(visitor);
}

/** The choices of a list as the server will get them: number and words. */
async function choices({ page }: Visitor, label: string | RegExp): Promise<string[]> {
  const options = page.getByLabel(label, { exact: true }).locator("option:not([value=''])");
  return options.evaluateAll((all) =>
    all.map((option) => `${(option as HTMLOptionElement).value} ${option.textContent}`),
  );
}

const numbered = (...words: string[]) => words.map((word, index) => `${index + 1} ${word}`);

journey("old rates go when new ones are asked for", async ({ asha }) => {
  await signInAndSettle(asha, "/courier");
  await steps.findsServices(asha);
  const release = await holdCalls(asha.page, "shipping/calculate-rate/");
  await asha.presses("Calculate Rate");
  await asha.sees("Calculating...");
  await expect.poll(() => asha.page.getByText("Select a Service").count()).toBe(0);
  release();
  await asha.sees("Select a Service");
});

journey(
  "a service is chosen before the wizard goes on, and the chosen one stands out",
  async ({ asha }) => {
    await signInAndSettle(asha, "/courier");
    await steps.findsServices(asha);
    const proceed = asha.page.getByRole("button", { name: "Proceed to Booking Details" });
    await expect.poll(() => proceed.count()).toBe(0);
    const [first, second] = await asha.page.locator(".service").all();
    await first?.getByRole("radio").check();
    await proceed.waitFor();
    const colour = (service: typeof first) =>
      service?.evaluate((element) => {
        const { borderTopColor, backgroundColor } = getComputedStyle(element);
        return `${borderTopColor} ${backgroundColor}`;
      });
    expect(await colour(first)).not.toBe(await colour(second));
  },
);

journey("the sections of the details open and close", async ({ asha }) => {
  await openDetails(asha);
  const field = asha.page.getByLabel("Product Description");
  const title = asha.page.locator("summary").filter({ hasText: "Package Details" });
  await expect.poll(() => field.isVisible()).toBe(true);
  await title.click();
  await expect.poll(() => field.isVisible()).toBe(false);
  await title.press("Enter");
  await expect.poll(() => field.isVisible()).toBe(true);
});

journey("what step 1 knows cannot be typed over", async ({ asha }) => {
  await openDetails(asha);
  for (const name of [
    "consigner_pincode",
    "consigner_city",
    "consigner_state",
    "consignee_pincode",
    "consignee_city",
    "consignee_state",
    "destination_country",
    "consignee_state_code",
    "shipment_type_shown",
  ]) {
    const field = asha.page.locator(`form [name="${name}"]`);
    await expect.poll(() => field.getAttribute("readonly"), { message: name }).toBe("");
    await expect.poll(() => field.inputValue(), { message: name }).not.toBe("");
  }
});

journey("the details' email fields have the email type", async ({ asha }) => {
  await openDetails(asha);
  const types = await steps.attributes(asha, "type", ["consigner_email", "consignee_email"]);
  expect(types).toEqual(["email", "email"]);
});

journey("every list of choices has the numbers of the wire", async ({ asha }) => {
  await atKyc(asha);
  const organizations = ["Individual", "Company", "Partnership firm", "Trusts, Foundations"];
  expect(await choices(asha, "Organization")).toEqual(numbered(...organizations));
  const documents = [
    "Passport; PAN card; Voter Identity card; Driving licence; Bank account statement; " +
      "Ration card; Aadhar card",
    "Certificate of incorporation; Memorandum of Association; Articles of Association; " +
      "Power of Attorney; PAN allotment letter; Telephone bill; IEC Copy; GST certificate",
    "Registration certificate; Partnership deed; Power of Attorney; Telephone bill; " +
      "Other documents",
    "Certificate of Registration; Power of Attorney; Resolution of Entity; Telephone bill; " +
      "Other documents",
  ];
  for (const [index, list] of documents.entries()) {
    await asha.page.getByLabel("Organization").selectOption(String(index + 1));
    for (const n of [1, 2]) {
      expect(await choices(asha, `Document ${n} Type`)).toEqual(numbered(...list.split("; ")));
    }
  }
  await asha.presses("Back to Booking Details");
  const types =
    "GSTIN Number; PAN Card Number; Passport Number; Aadhaar Number; " +
    "Unique Identification Number; GSTIN of Govt. Entities; GSTIN of Diplomats; TAN Number";
  for (const [label, list] of [
    ["Document Type", types],
    ["Consignee Document Type", types],
    ["GST Applicable", "Yes; No"],
    ["Pickup Required", "Yes; No"],
    ["Tax Paid", "Yes; No"],
    ["Tax Payment", "IGST Payment; Against bond or Undertaking; Not Applicable"],
    ["Pickup Location", "Same as Origin; Different"],
    ["Export Type", "UT; Bond; Not Applicable"],
    ["Shipper Type", "Individual; MSME"],
  ] as const) {
    const found = await choices(asha, new RegExp(`^${label}( \\(optional\\))?$`));
    expect(found, label).toEqual(numbered(...list.split("; ")));
  }
});

journey(
  "the same document twice clears the other, and another organization both",
  async ({ asha }) => {
    await atKyc(asha);
    const organization = asha.page.getByLabel("Organization");
    const [one, two] = [1, 2].map((n) => asha.page.getByLabel(`Document ${n} Type`));
    await organization.selectOption({ label: "Individual" });
    await one?.selectOption({ label: "PAN card" });
    await two?.selectOption({ label: "PAN card" });
    await expect.poll(() => one?.inputValue()).toBe("");
    await expect.poll(() => two?.inputValue()).toBe("2");
    await one?.selectOption({ label: "PAN card" });
    await expect.poll(() => two?.inputValue()).toBe("");
    await two?.selectOption({ label: "Passport" });
    await organization.selectOption({ label: "Company" });
    expect([await one?.inputValue(), await two?.inputValue()]).toEqual(["", ""]);
    expect(await choices(asha, "Document 1 Type")).toContain("8 GST certificate");
    expect(await choices(asha, "Document 1 Type")).not.toContain("1 Passport");
  },
);

journey(
  "a document is shown before it is sent, and a wrong one is named at once",
  async ({ asha }) => {
    await atKyc(asha);
    await asha.sees("delete them 180 days after the last booking that used them.");
    await steps.choosesDocuments(asha);
    const pictures = asha.page.getByRole("img", { name: "The chosen document" });
    await expect.poll(() => pictures.count()).toBe(2);
    const width = () => pictures.first().evaluate((it) => (it as HTMLImageElement).naturalWidth);
    await expect.poll(width).toBeGreaterThan(0);
    await asha.sees(/^document\.png, \d+ kB$/);
    await expect.poll(() => asha.page.getByRole("button", { name: /^Back/ }).count()).toBe(1);
    const text = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no document") };
    await asha.page.getByLabel("Document 1 File").setInputFiles(text);
    await asha.sees("Only JPEG, PNG, and PDF files are allowed");
    const pdf = { name: "pan.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4") };
    await asha.page.getByLabel("Document 1 File").setInputFiles(pdf);
    await asha.sees("pan.pdf, 1 kB");
    await expect.poll(() => pictures.count()).toBe(1);
    await expect.poll(() => asha.page.getByText("Only JPEG, PNG, and PDF").count()).toBe(0);
  },
);

journey("the KYC form loads, is ready and uploads", async ({ asha }) => {
  const kyc = asha.page.getByRole("button", { name: "Upload Documents" });
  await atKyc(asha);
  await kyc.waitFor();
  await steps.choosesDocuments(asha);
  const release = await holdCalls(asha.page, "booking/kyc-upload");
  await kyc.click();
  const uploading = asha.page.getByRole("button", { name: "Uploading..." });
  await uploading.waitFor();
  await expect.poll(() => uploading.isDisabled()).toBe(true);
  await asha.page.getByRole("progressbar").waitFor();
  release();
  await asha.sees("KYC documents uploaded successfully!");
  await asha.sees("Review Booking");
});

journey("a booking cannot be confirmed twice while it is being confirmed", async ({ asha }) => {
  await signInWithMoney(asha);
  await steps.fillsWizard(asha);
  const release = await holdCalls(asha.page, "shipping/create-booking/");
  const confirm = asha.page.getByRole("button", { name: "Confirm & Book Now" });
  await confirm.click();
  await confirm.locator(".spinner").waitFor();
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  release();
  await steps.awbOf(asha);
});

journey("after a booking the header's balance is the new one", async ({ asha }) => {
  const reader = await signInWithMoney(asha);
  await steps.fillsWizard(asha);
  await steps.books(asha);
  await asha.sees("Booking created successfully!");
  const balance = await reader.balance();
  expect(balance).toBeLessThan(5000);
  await asha.sees(`Balance: ${steps.rupees(balance)}`);
});

journey("creating a new booking begins with nothing", async ({ asha }) => {
  await signInWithMoney(asha);
  await steps.fillsWizard(asha);
  await steps.books(asha);
  await asha.presses("Create New Booking");
  await asha.sees("Step 1 of 5");
  await expect.poll(() => asha.page.getByLabel("From Pincode").inputValue()).toBe("");
  await expect.poll(() => asha.page.getByText("Select a Service").count()).toBe(0);
});

journey("asking for another OTP confirms without one", async ({ asha }) => {
  asha.expect(/\b(400|409)\b.*create-booking/);
  const reader = await signInWithMoney(asha, 10_000);
  await steps.reachesKyc(asha);
  await steps.choosesDocuments(asha);
  await asha.presses("Upload Documents");
  await asha.sees("Review Booking");
  const codes: unknown[] = [];
  asha.page.on("request", (request) => {
    if (!request.url().endsWith("/create-booking/")) return;
    codes.push((request.postDataJSON() as { otp: unknown }).otp);
  });
  await asha.presses("Confirm & Book Now");
  await asha.sees("Enter OTP");
  const again = asha.page.getByRole("button", { name: "Request OTP Again", exact: true });
  await again.click({ timeout: scaleMs(60_000) });
  await asha.sees(/^Request OTP Again in \d+ s$/);
  expect(codes).toEqual(["", ""]);
  expect(await reader.balance(), "asking costs nothing").toBe(10_000);
});
