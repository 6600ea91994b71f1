import type { Sentence } from "../../src/words/words";
import type { Customer } from "./customer";
import { untilHydrated } from "./network";
import type { Visitor } from "./visitor";

/** The parcel that a customer sends in these journeys: from Delhi to Bengaluru. */
export const PARCEL = {
  from: "110001",
  to: "560001",
  kilograms: "2",
  centimetres: { length: "30", width: "20", height: "15" },
};

/** Who sends what to whom. */
export const LAMPS = {
  consigner_name: "Asha Rao",
  consigner_company: "Rao Handicrafts",
  consigner_mobile: "9876543210",
  consigner_email: "asha@example.com",
  consigner_address_1: "14 Janpath",
  consigner_gst_number: "07AAACD1234E1ZB",
  consignee_name: "Ravi Kumar",
  consignee_mobile: "9123456780",
  consignee_address_1: "22 MG Road",
  description: "Brass lamps",
};

/** The wizard's second step, by the names of its fields; the rest has defaults or is known. */
const DETAILS = {
  consigner_phone: "01123456789",
  consigner_doc_number: "07AAACD1234E1ZB",
  ...LAMPS,
  quantity: "1",
  weight: PARCEL.kilograms,
  length: PARCEL.centimetres.length,
  breadth: PARCEL.centimetres.width,
  height: PARCEL.centimetres.height,
  invoice_value: "2500",
};

/** Looks at what stands there, under a name. */
type Look = (name: string) => Promise<void>;

const noLook: Look = () => Promise.resolve();

export async function registers(visitor: Visitor, customer: Customer) {
  await visitor.page.goto("/register");
  await fillsRegistration(visitor, customer);
  await visitor.presses("Sign up");
  await visitor.sees("Registration successful! Please login with your credentials.");
  await visitor.isAt("/login");
}

/** The registration form, whole, by its labels. */
export const registrationOf = (customer: Customer) => ({
  "First name": customer.first_name,
  "Last name": customer.last_name,
  Username: customer.username,
  Email: customer.email,
  Phone: customer.phone,
  Password: customer.password,
  "Confirm password": customer.password,
});

export async function fillsRegistration(visitor: Visitor, customer: Customer) {
  await visitor.fills(registrationOf(customer));
}

/** Sends the login form without a look at what comes of it. */
export async function sendsLogin(
  visitor: Visitor,
  { username, password }: Pick<Customer, "username" | "password">,
) {
  await visitor.fills({ Username: username, Password: password });
  await visitor.presses("Log In");
}

export async function logsIn(
  visitor: Visitor,
  customer: Pick<Customer, "username" | "password">,
  to = "/dashboard",
) {
  await sendsLogin(visitor, customer);
  await visitor.isAt(to);
}

/** Replaces a password, on whichever page asks for another. */
export async function changesPassword(visitor: Visitor, password: string, again = password) {
  await visitor.fills({ "New password": password, "Confirm new password": again });
  await visitor.presses("Change password");
}

/** Attributes of the fields with these names. */
export async function attributes({ page }: Visitor, attribute: string, names: readonly string[]) {
  const values = names.map((name) => page.locator(`form [name="${name}"]`).getAttribute(attribute));
  return Promise.all(values);
}

/** Rupees as the screens write them. */
export const rupees = (amount: number) =>
  `₹${amount.toLocaleString("en-IN", { minimumFractionDigits: 2 })}`;

/** The value of a form's field of this name. */
export function valueOf({ page }: Visitor, field: string): Promise<string> {
  return page.locator(`form [name="${field}"]`).inputValue();
}

/** From the recharge screen through the gateway's own page and back to Dakiya's answer. */
export async function recharges(visitor: Visitor, preset: string, look: Look = noLook) {
  await goesToPay(visitor, preset);
  await paysAtGateway(visitor, look);
  await visitor.sees("Payment Successful!");
  await look("recharge-3-paid");
}

/** From the recharge screen to the gateway's own page. */
export async function goesToPay(visitor: Visitor, preset: string) {
  await visitor.presses(preset);
  await visitor.presses({ text: "Recharge {amount}", values: { amount: preset } });
  await visitor.page.waitForURL(`${visitor.server.sandboxUrl}/**`);
}

/** On the gateway's hosted page, which belongs to somebody else. */
export async function paysAtGateway(visitor: Visitor, look: Look = noLook) {
  await visitor.page.waitForURL(`${visitor.server.sandboxUrl}/**`);
  await look("recharge-2-gateway");
  await visitor.page.getByLabel("Card").check();
  await visitor.page.getByRole("button", { name: /^Pay ₹/ }).click();
  await visitor.isAt(/^\/recharge\/callback\?merchantTransactionId=/);
  if (visitor.hasScript) await untilHydrated(visitor.page);
}

/** The order's id, from the address that the gateway sends the browser back to. */
export function orderOf(visitor: Visitor): string {
  return new URL(visitor.page.url()).searchParams.get("merchantTransactionId") ?? "";
}

async function measures({ page, t }: Visitor) {
  const { length, width, height } = PARCEL.centimetres;
  await page.getByLabel(t("Max Length (cm)")).fill(length);
  await page.getByLabel(t("Width (cm)")).fill(width);
  await page.getByLabel(t("Height (cm)")).fill(height);
}

export async function calculates(visitor: Visitor) {
  const { page, t } = visitor;
  await page.getByLabel(t("Booking Type")).selectOption({ label: t("Domestic") });
  await page.getByLabel(t("Shipment Type")).selectOption({ label: t("Parcel") });
  await page.getByLabel(t("From Pincode")).fill(PARCEL.from);
  await page.getByLabel(t("To Pincode")).fill(PARCEL.to);
  await page.getByLabel(t("Weight (kg)")).fill(PARCEL.kilograms);
  await measures(visitor);
  await page.getByLabel(t("Quantity")).fill("1");
  await visitor.presses("Calculate Rate");
}

/** Unfolds the calculator, which has folded away if it has its answer. */
export async function changesShipment({ page }: Visitor) {
  const folded = page.locator(".rate-fold:not([open]) > summary");
  if ((await folded.count()) > 0) await folded.click();
}

/** From the rates to the details, with the first service of this name. */
export async function proceeds(visitor: Visitor, service = /./) {
  await visitor.page.getByRole("radio", { name: service }).first().check();
  await visitor.presses("Proceed to Booking Details");
}

/** Where the wizard stands. */
function stepOf(step: number, steps: number): Sentence {
  return { text: "Step {step} of {steps}", values: { step, steps } };
}

/** The wizard's first step, up to its services. */
export async function findsServices(visitor: Visitor) {
  await calculates(visitor);
  await visitor.sees("Select a Service");
}

/** Through the wizard's first step with the cheapest service of this name. */
export async function choosesService(visitor: Visitor, look: Look = noLook, service = /./) {
  await findsServices(visitor);
  await visitor.page.getByRole("radio", { name: service }).first().check();
  await look("wizard-1-rates");
  await visitor.presses("Proceed to Booking Details");
  await visitor.sees(stepOf(2, 4));
}

/** From the details to the review. */
export async function reviews(visitor: Visitor) {
  await visitor.presses("Calculate Rate & Review");
  await visitor.sees("Review Booking");
}

/** From the review to the last step, and its air waybill number. */
export async function books(visitor: Visitor): Promise<string> {
  await visitor.presses("Confirm & Book Now");
  return awbOf(visitor);
}

/**
 * Through the wizard's first two steps, up to the review, with the cheapest service of this name.
 * `look` sees each step before it is left.
 */
export async function fillsWizard(visitor: Visitor, look: Look = noLook, service = /./) {
  await visitor.follows("Courier");
  await visitor.sees("New Courier Booking");
  await choosesService(visitor, look, service);
  await fillsDetails(visitor);
  await look("wizard-2-details");
  await reviews(visitor);
  await visitor.sees(stepOf(3, 4));
  await look("wizard-3-review");
}

export async function choosesCountry({ page }: Visitor, name: string) {
  const country = page.locator("input[role=combobox]");
  await country.fill(name);
  await country.press("Enter");
}

/** The wizard's first step for a parcel to New York by DHL: abroad, with KYC and an OTP. */
export async function choosesDhl(visitor: Visitor) {
  const { page, t } = visitor;
  await page.getByLabel(t("Booking Type")).selectOption({ label: t("International") });
  await choosesCountry(visitor, "United States");
  await page.getByLabel(t("From Pincode")).fill(PARCEL.from);
  await page.getByLabel(t("To Postal Code")).fill("10001");
  await page.getByLabel(t("Weight (kg)")).fill(PARCEL.kilograms);
  await measures(visitor);
  await visitor.presses("Calculate Rate");
  await visitor.sees("Select a Service");
  await page.getByRole("radio", { name: /DHL Express Worldwide/ }).check();
  await visitor.sees(stepOf(1, 6));
}

/** Goes on up to the documents. */
export async function reachesKyc(visitor: Visitor) {
  await visitor.follows("Courier");
  await choosesDhl(visitor);
  await visitor.presses("Proceed to Booking Details");
  await fillsDetailsAbroad(visitor);
}

/** From the details of that parcel to the documents. */
export async function fillsDetailsAbroad(visitor: Visitor) {
  await fillsDetails(visitor);
  await visitor.fills({ "Consignee City": "New York" });
  await visitor.presses("Calculate Rate & Review");
  await visitor.sees("KYC Document Upload Required");
}

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";

const IMAGE = {
  name: "document.png",
  mimeType: "image/png",
  buffer: Buffer.from(PIXEL, "base64"),
};

/** Two identity documents of a person, ready to be uploaded. */
export async function choosesDocuments(
  { page, t }: Visitor,
  files: readonly (typeof IMAGE)[] = [],
) {
  await page.getByLabel(t("Organization")).selectOption({ label: t("Individual") });
  for (const [index, label] of ["PAN card", "Aadhar card"].entries()) {
    const n = index + 1;
    await page.getByLabel(t("Document {n} Type", { n })).selectOption({ label: t(label) });
    await page.getByLabel(t("Document {n} File", { n })).setInputFiles(files[index] ?? IMAGE);
  }
}

/** Whatever of the second step is folded away, which only some need. */
export async function opensFolds({ page }: Visitor) {
  await page.locator("#details").waitFor();
  const closed = page.locator("#details details:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().click();
}

/** The wizard's second step, but for what it does not ask or knows better. */
export async function fillsDetails(visitor: Visitor, without: readonly string[] = []) {
  const { page } = visitor;
  await opensFolds(visitor);
  const field = (name: string) => page.locator(`form [name="${name}"]`);
  // She has a GSTIN, but not in her profile.
  await field("consigner_doc_type").selectOption("1");
  await field("consigner_gst_applicable").selectOption("1");
  for (const [name, value] of Object.entries(DETAILS)) {
    if (!without.includes(name)) await field(name).fill(value);
  }
}

/** Sends an OTP. */
export async function confirmsWith(visitor: Visitor, otp: string) {
  await visitor.fills({ OTP: otp });
  await visitor.presses("Confirm Booking");
}

/** The air waybill number on the wizard's last step. */
export async function awbOf(visitor: Visitor): Promise<string> {
  await visitor.sees("Booking Successful!");
  const text = await visitor.page.locator("main").innerText();
  const awb = /\bDK\d+\b/.exec(text)?.[0];
  if (awb === undefined) throw new Error(`no air waybill number in: ${text}`);
  return awb;
}
