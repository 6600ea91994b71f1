import { expect } from "vitest";
import { expectBookedOnce } from "./harness/checks";
import { account, signInNewCustomer, registerCustomer, signIn } from "./harness/customer";
import { signInWithMoney } from "./harness/setup";
import { readBookingOtp } from "./harness/inbox";
import { journey } from "./harness/journey";
import { opensWithoutScripts } from "./harness/network";
import * as steps from "./harness/steps";
import { DEVICES, PHONE, type Visitor } from "./harness/visitor";

/** Fills in step 1, abroad being preselected, without a script. */
async function calculates(visitor: Visitor) {
  const { page } = visitor;
  await page.goto("/courier");
  await expect.poll(() => page.locator("datalist option").count()).toBeGreaterThan(200);
  await page.getByLabel("Booking Type").selectOption({ label: "Domestic" });
  await page.getByLabel("From Pincode").fill(steps.PARCEL.from);
  await page.getByLabel("To Postal Code").fill("999998");
  await visitor.presses("Calculate Rate");
  await visitor.isAt("/courier?rates=1");
  await visitor.sees("Destination pincode is not serviceable.");
  await page.getByLabel("To Pincode").fill(steps.PARCEL.to);
  await page.getByLabel("Width (cm)").fill("20");
  await visitor.presses("Calculate Rate");
  await visitor.sees("Select a Service");
}

for (const [device, { viewport }] of DEVICES) {
  journey(
    `without JavaScript on ${device} a parcel within India is booked and charged once`,
    async ({ visit }) => {
      const asha = await visit({ javaScriptEnabled: false, viewport });
      asha.expect(/\b400\b/);
      const { page } = asha;
      const reader = await signInWithMoney(asha);
      await calculates(asha);
      await asha.photograph(`${viewport.width}/plain-1-rates`);
      const proceed = page.getByRole("button", { name: "Proceed to Booking Details" });
      await expect.poll(() => proceed.count(), { message: "nothing is chosen" }).toBe(0);
      const air = page.getByRole("radio", { name: /Air/ });
      await air.check();
      await asha.presses("Fastest first");
      await asha.isAt(/^\/courier\?rates=1&order=Fastest&service=\d+$/);
      await expect.poll(() => air.isChecked(), { message: "the choice is kept" }).toBe(true);
      await asha.presses("Proceed to Booking Details");
      await asha.isAt("/courier");
      await asha.sees("Step 2 of 4");
      await expect.poll(() => steps.valueOf(asha, "breadth")).toBe("20");

      // Each error stands beside its field, and right values stay.
      await steps.fillsDetails(asha);
      await page.locator("[name=consigner_mobile]").fill("12");
      await page.getByLabel("Pickup Location").selectOption({ label: "Different" });
      await page.getByLabel("Pickup Name").waitFor();
      await asha.photograph(`${viewport.width}/plain-2-details`);
      await page.locator("[name=invoice_value]").press("Enter");
      await asha.sees("Please enter an Indian mobile number of 10 digits");
      await asha.sees(/^Please fill in the following required fields: Pickup Name, Pickup Pincode/);
      await asha.photograph(`${viewport.width}/plain-2-wrong`);
      await expect.poll(() => steps.valueOf(asha, "consignee_name")).toBe("Ravi Kumar");
      await page.locator("[name=consigner_mobile]").fill("9876543210");
      await page.getByLabel("Pickup Location").selectOption({ label: "Same as Origin" });
      await asha.presses("Back");
      await asha.sees("Step 1 of 4");
      await page.getByRole("radio", { name: /Air/ }).check();
      await asha.presses("Proceed to Booking Details");
      await expect.poll(() => steps.valueOf(asha, "consigner_mobile")).toBe("9876543210");
      await steps.reviews(asha);
      await asha.photograph(`${viewport.width}/plain-3-review`);
      await asha.presses("Back to Edit");
      await asha.sees("Step 2 of 4");
      const gstin = steps.LAMPS.consigner_gst_number;
      await expect.poll(() => steps.valueOf(asha, "consigner_gst_number")).toBe(gstin);
      await asha.presses("Calculate Rate & Review");
      await asha.sees("Step 3 of 4");
      const old = await asha.context.newPage();
      await old.goto("/courier");
      const awb = await steps.books(asha);
      await asha.sees("Step 4 of 4");
      await asha.photograph(`${viewport.width}/plain-4-booked`);
      const label = page.getByRole("link", { name: "Print label", exact: true });
      await expect.poll(() => label.getAttribute("href")).toMatch(/^\/bookings\/.*\/label\.pdf$/);
      await expectBookedOnce(reader, awb);

      // An old page of the review charges nothing more.
      await old.getByRole("button", { name: "Confirm & Book Now" }).click();
      await old.getByText(awb).first().waitFor();
      await old.close();
      await expectBookedOnce(reader, awb);
      await asha.presses("Create New Booking");
      await asha.sees("Step 1 of");
      expect(await reader.draft()).toBeNull();
    },
  );

  journey(
    `without JavaScript on ${device} the day and hours of a pickup are chosen in the wizard`,
    async ({ visit }) => {
      const asha = await visit({ javaScriptEnabled: false, viewport });
      // Step 1 is refused once.
      asha.expect(/\b400\b/);
      const { page } = asha;
      await signInWithMoney(asha);
      await calculates(asha);
      await page.getByRole("radio", { name: /Air/ }).check();
      await asha.presses("Proceed to Booking Details");
      await steps.fillsDetails(asha);
      const time = page.getByLabel("Day and time");
      await expect.poll(() => time.isVisible()).toBe(false);
      // Its fields come with the choice: the form is sent once.
      await page.getByLabel("Pickup Required").selectOption({ label: "Yes" });
      const label = (await time.locator("option").nth(2).textContent()) ?? "";
      await time.selectOption({ label });
      await steps.reviews(asha);
      await asha.sees(label);
      await steps.books(asha);
      await asha.sees(`Dakiya comes ${label}.`);
    },
  );

  journey(
    `without JavaScript on ${device} a parcel abroad is booked with documents and a code`,
    async ({ visit, server }) => {
      const asha = await visit({ javaScriptEnabled: false, viewport });
      asha.expect(/\b(400|429)\b/);
      const { page } = asha;
      const reader = await signInWithMoney(asha, 20_000);
      await reachesKycPlainly(asha);
      await asha.photograph(`${viewport.width}/plain-kyc`);
      await asha.presses("Upload Documents");
      await asha.sees("Organization is required");
      await steps.choosesDocuments(asha);
      await asha.presses("Upload Documents");
      await asha.isAt("/courier");
      await asha.sees("Review Booking");
      await asha.presses("Confirm & Book Now");
      await asha.isAt("/courier?otp=1");
      await asha.sees("Step 5 of 6");
      await asha.photograph(`${viewport.width}/plain-otp`);
      await asha.presses("Request OTP Again");
      await page.locator("#otp-otp-error").waitFor();
      await steps.confirmsWith(asha, "12");
      await asha.sees("Please enter the 6 digits of the OTP.");
      await asha.presses("Back");
      await asha.sees("Review Booking");
      await page.goto("/courier?otp=1");
      await steps.confirmsWith(asha, await readBookingOtp(server));
      const awb = await steps.awbOf(asha);
      await expectBookedOnce(reader, awb);

      await asha.presses("Create New Booking");
      await reachesKycPlainly(asha);
      await asha.presses("Use these");
      await asha.sees("Review Booking");
      await asha.presses("Back");
      await asha.sees("KYC Document Upload Required");
      await asha.presses("Back to Booking Details");
      await asha.sees("Step 2 of 6");
    },
  );
}

/** Step 1 abroad by DHL and the details, up to the documents, without a script. */
async function reachesKycPlainly(visitor: Visitor) {
  const { page } = visitor;
  await page.goto("/courier");
  await page.getByLabel("Booking Type").selectOption({ label: "International" });
  await page.getByLabel("Destination Country").fill("united states");
  await page.getByLabel("From Pincode").fill(steps.PARCEL.from);
  await page.getByLabel("To Postal Code").fill("10001");
  await page.getByLabel("Weight (kg)").fill(steps.PARCEL.kilograms);
  await visitor.presses("Calculate Rate");
  await visitor.sees("Select a Service");
  await page.getByRole("radio", { name: /DHL Express Worldwide/ }).check();
  await visitor.presses("Proceed to Booking Details");
  await visitor.sees("Step 2 of 6");
  await steps.fillsDetailsAbroad(visitor);
}

/** Every script of the page comes so much later. */
async function delaysScripts({ page }: Visitor, ms: number) {
  await page.route("**/assets/*.js", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.continue().catch(() => undefined);
  });
}

journey(
  "before the scripts arrive a booking goes from the rates to its AWB, and in no address",
  async ({ visit }) => {
    const asha = await visit({ viewport: PHONE });
    const { page } = asha;
    const { customer, ...reader } = await signInWithMoney(asha);
    const scripted = await visit();
    await signIn(scripted, customer, "/courier");
    await steps.choosesService(scripted);
    await expect.poll(async () => (await reader.draft())?.step).toBe("details");
    await scripted.page.goto("/dashboard");
    await delaysScripts(asha, 20_000);
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.goto("/courier", { waitUntil: "commit" });
    await steps.fillsDetails(asha);
    await steps.reviews(asha);
    const awb = await steps.books(asha);
    await expectBookedOnce(reader, awb);
    const telling = addresses.filter((address) => /Ravi|98765|consign/.test(address));
    expect(telling).toEqual([]);
    // The page is taken over later, and goes on from here.
    await page.unroute("**/assets/*.js");
    await asha.presses("Create New Booking");
    await asha.sees("Step 1 of");
    await expect.poll(reader.draft).toBeNull();
  },
);

journey(
  "documents that are chosen before the script is ready are sent by it",
  async ({ asha, page, server }) => {
    const customer = await signInNewCustomer(asha, "/dashboard");
    await steps.reachesKyc(asha);
    const reader = await account(server, customer);
    await expect.poll(async () => (await reader.draft())?.step).toBe("kyc");
    const arrive = await opensWithoutScripts(page, "/courier");
    await steps.choosesDocuments(asha);
    arrive();
    // The script lists the documents of the chosen organisation alone.
    await expect.poll(() => page.locator("#kyc-document_1_id optgroup").count()).toBe(0);
    await expect.poll(() => steps.valueOf(asha, "document_1_id")).toBe("2");
    await expect.poll(() => steps.valueOf(asha, "document_2_id")).toBe("7");
    await asha.presses("Upload Documents");
    await asha.sees("Review Booking");
  },
);

journey(
  "details that are sent when the session has ended come through the login, to their owner alone",
  async ({ visit, server }) => {
    const asha = await visit({ javaScriptEnabled: false, viewport: PHONE });
    asha.expect(/\b40[01]\b/);
    const { page } = asha;
    const other = await registerCustomer(server);
    const customer = await signInNewCustomer(asha);
    await calculates(asha);
    await page.getByRole("radio", { name: /Air/ }).check();
    await asha.presses("Proceed to Booking Details");
    const types = async (name: string) => {
      await page.locator("[name=consignee_name]").fill(name);
      await asha.context.clearCookies();
      await asha.presses("Calculate Rate & Review");
      await asha.sees("What you entered is kept: please log in again.");
      expect(page.url()).not.toContain("Ravi");
    };
    await types("Ravi Kumar");
    await asha.photograph("360/plain-session-ended");
    await steps.sendsLogin(asha, { ...customer, password: "not it" });
    await steps.sendsLogin(asha, customer);
    // The page says what else is missing.
    await asha.sees(/^Please fill in the following required fields: /);
    await expect.poll(() => steps.valueOf(asha, "consignee_name")).toBe("Ravi Kumar");

    await types("Ravi Rao");
    await steps.logsIn(asha, other, "/courier");
    const theirs = await account(server, other);
    expect(await theirs.draft()).toBeNull();
    const ours = await (await account(server, customer)).draft();
    expect(ours?.details?.["consignee_name"]).toBe("Ravi Kumar");
  },
);
