import { newCustomer, signInAndSettle } from "../harness/customer";
import { signInWithMoney, signInWithBooking } from "../harness/setup";
import { journey } from "../harness/journey";
import {
  answerCalls,
  answerPage,
  dropPageData,
  cutOffCalls,
  drawInBrowser,
  holdCalls,
} from "../harness/network";
import * as steps from "../harness/steps";
import type { Visitor } from "../harness/visitor";
import { checkState } from "./list";

/** Answers of 400 and above, and calls that reach nobody, are what these journeys are about. */
const TROUBLE = /\b4\d\d\b|\b5\d\d\b|ERR_INTERNET_DISCONNECTED/;

async function settlesInTrouble(visitor: Visitor, path: string) {
  visitor.expect(TROUBLE);
  await signInAndSettle(visitor, path);
}

/** Presses a button while these calls are answered so, and reads what the page says then. */
async function fails(
  visitor: Visitor,
  button: string,
  path: string,
  state: string,
  status = 500,
  body: unknown = {},
) {
  const end = await answerCalls(visitor.page, path, status, body);
  await visitor.presses(button);
  await checkState(visitor, state);
  await end();
}

journey("a guest reads the words of login, registration and policies", async ({ guest }) => {
  const { page } = guest;
  guest.expect(TROUBLE);
  await page.goto("/login");
  await checkState(guest, "login");

  await guest.fills({ Username: "nobody", Password: "monsoon-courier-42" });
  const end = await cutOffCalls(page, "auth/login/");
  await guest.presses("Log In");
  await checkState(guest, "login-offline");
  await end();
  await fails(guest, "Log In", "auth/login/", "login-broken");

  await guest.follows("Sign up");
  await checkState(guest, "register");
  const customer = newCustomer();
  await steps.fillsRegistration(guest, customer);
  await guest.fills({ "Confirm password": "another" });
  await guest.presses("Sign up");
  await checkState(guest, "register-differ");
  await guest.fills({ Password: "short", "Confirm password": "short" });
  await guest.presses("Sign up");
  await checkState(guest, "register-short");
  await guest.fills({ Password: customer.password, "Confirm password": customer.password });
  await fails(guest, "Sign up", "auth/register/", "register-broken");
  await guest.presses("Sign up");
  await checkState(guest, "registered");

  await page.goto("/track");
  await checkState(guest, "track-guest");
  for (const [path, state] of [
    ["/terms-and-conditions", "policy-terms"],
    ["/privacy-policy", "policy-privacy"],
    ["/refund-cancellation-policy", "policy-refund"],
    ["/shipping-policy", "policy-shipping"],
  ] as const) {
    await page.goto(path);
    await checkState(guest, state);
  }
});

journey("a new customer reads the words of an empty dashboard", async ({ asha, page }) => {
  await settlesInTrouble(asha, "/");
  await checkState(asha, "start");
  await page.goto("/dashboard");
  await checkState(asha, "dashboard-empty");
  await page.goto("/dashboard?tab=bookings");
  await checkState(asha, "dashboard-empty-bookings");
  await fails(asha, "Refresh", "shipping/history/**", "dashboard-bookings-broken");
  await page.goto("/dashboard?tab=transactions");
  await checkState(asha, "dashboard-empty-transactions");
  await fails(asha, "Refresh", "wallet/transactions/**", "dashboard-transactions-broken");
  const end = await answerCalls(page, "wallet/balance/", 500, {});
  await dropPageData(page, "/dashboard");
  await page.goto("/dashboard");
  await checkState(asha, "dashboard-broken");
  await end();
});

journey("a customer reads the words of tracking", async ({ asha }) => {
  asha.expect(TROUBLE);
  const { awb } = await signInWithBooking(asha, "/dashboard");
  await checkState(asha, "dashboard-overview");
  await asha.page.goto("/dashboard?tab=bookings");
  await checkState(asha, "dashboard-bookings");
  await asha.page.goto("/dashboard?tab=transactions");
  await checkState(asha, "dashboard-transactions");

  await asha.follows("Track");
  await checkState(asha, "track");
  await asha.fills({ "AWB Number": awb });
  const release = await holdCalls(asha.page, "shipping/track/**");
  await asha.presses("Track");
  await checkState(asha, "track-busy");
  release();
  await checkState(asha, "track-result");
  await answerCalls(asha.page, "shipping/track/**", 500, {});
  await asha.presses("Track");
  await checkState(asha, "track-broken");
});

journey("a customer reads the words of the recharge", async ({ asha, page }) => {
  await settlesInTrouble(asha, "/calculate");
  const end = await answerPage(page, "/recharge", 500, {});
  await asha.follows("Recharge");
  await checkState(asha, "recharge-balance-broken");
  await end();
  await page.goto("/recharge");
  await checkState(asha, "recharge");

  await asha.presses("₹500");
  const create = "payment/phonepe/create/";
  const refused = { success: false, message: "", payment_data: {} };
  await fails(asha, "Recharge ₹500", create, "recharge-broken", 200, refused);
  await fails(asha, "Recharge ₹500", create, "recharge-broken", 200, { success: true });
  await page.route(`**/api/v1/${create}`, (route) => route.fulfill({ status: 200, body: "{" }));
  await asha.presses("Recharge ₹500");
  await checkState(asha, "recharge-not-started");
  await page.unroute(`**/api/v1/${create}`);

  const release = await holdCalls(page, create);
  await asha.presses("Recharge ₹500");
  await checkState(asha, "recharge-busy");
  release();
  await steps.paysAtGateway(asha);
  await checkState(asha, "callback-done");
  const order = steps.orderOf(asha);
  await page.goto(`/recharge/success?merchantTransactionId=${order}`);
  await checkState(asha, "recharge-success");
});

journey("a customer reads the words of a payment's return", async ({ asha, page }) => {
  await settlesInTrouble(asha, "/recharge");
  for (const [state, status, body] of [
    ["callback-processing", 200, { payment_status: "PENDING" }],
    ["callback-failed", 200, { payment_status: "FAILED" }],
    ["callback-odd", 200, { payment_status: "SOMETHING" }],
    ["callback-broke", 500, {}],
  ] as const) {
    await page.goto("/recharge");
    await page.evaluate(() => localStorage.setItem("merchant_order_id", "DKR-somebody"));
    const end = await answerCalls(page, "payment/phonepe/verify/", status, body);
    await page.goto("/recharge/callback");
    await checkState(asha, state);
    await end();
  }
  await page.goto("/recharge");
  await page.evaluate(() => localStorage.removeItem("merchant_order_id"));
  await page.goto("/recharge/callback");
  await checkState(asha, "callback-unknown");
});

journey("a customer reads the words of the calculator", async ({ asha, page }) => {
  await settlesInTrouble(asha, "/calculate");
  await checkState(asha, "calculator");
  const release = await holdCalls(page, "shipping/calculate-rate/");
  await steps.calculates(asha);
  await checkState(asha, "calculator-busy");
  release();
  await checkState(asha, "calculator-results");

  await steps.changesShipment(asha);
  await fails(asha, "Calculate Rate", "shipping/calculate-rate/", "calculator-broken");
  await fails(asha, "Calculate Rate", "shipping/check-zipcode/", "calculator-zipcode-broken");
  await asha.fills({ "From Pincode": "999999" });
  await asha.presses("Calculate Rate");
  await checkState(asha, "calculator-origin");
  await asha.fills({ "From Pincode": "110001", "To Pincode": "999999" });
  await asha.presses("Calculate Rate");
  await checkState(asha, "calculator-destination");

  await page.getByLabel("Booking Type").selectOption({ label: "International" });
  await checkState(asha, "calculator-international");
  await steps.choosesCountry(asha, "United States");
  await asha.fills({ "To Postal Code": "ABC" });
  await asha.presses("Calculate Rate");
  await checkState(asha, "calculator-abroad");
});

journey("a booking or the wizard that does not load says so", async ({ asha, page }) => {
  asha.expect(TROUBLE);
  const { awb } = await signInWithBooking(asha, "/bookings");
  const end = await answerPage(page, "/bookings/*", 500, {});
  await asha.follows(awb);
  await checkState(asha, "booking-broken");
  await end();
  await answerPage(page, "/courier", 500, {});
  await asha.follows("Courier");
  await checkState(asha, "courier-broken");
});

journey("countries that do not load leave a message", async ({ asha }) => {
  await settlesInTrouble(asha, "/track");
  await answerCalls(asha.page, "shipping/countries/**", 500, {});
  await drawInBrowser(asha.page, "/calculate", (json) =>
    json.replace(/"countries":\[.*?\]/, '"countries":null'),
  );
  await asha.page.goto("/calculate");
  await asha.page.getByLabel("Booking Type").selectOption({ label: "International" });
  await checkState(asha, "calculator-countries-broken");
});

journey("a customer reads the words of the wizard", async ({ asha, page }) => {
  asha.expect(TROUBLE);
  await signInWithMoney(asha);
  await asha.follows("Courier");
  await checkState(asha, "wizard-rate");
  await steps.calculates(asha);
  await checkState(asha, "wizard-services");
  await page
    .getByRole("radio", { name: /Surface/ })
    .first()
    .check();
  await checkState(asha, "wizard-chosen");
  await asha.presses("Proceed to Booking Details");
  await steps.opensFolds(asha);
  await page.getByLabel("GST Applicable").selectOption({ label: "Yes" });
  await checkState(asha, "wizard-details");
  await asha.presses("Calculate Rate & Review");
  await checkState(asha, "wizard-details-missing");
  await page.getByLabel("Pickup Required").selectOption({ label: "Yes" });
  await page.getByLabel("Pickup Location").selectOption({ label: "Different" });
  await page.getByLabel("Shipper Type").selectOption({ label: "MSME" });
  await checkState(asha, "wizard-details-elsewhere");
  await page.getByLabel("Pickup Required").selectOption({ label: "No" });
  await page.getByLabel("Pickup Location").selectOption({ label: "Same as Origin" });
  await page.getByLabel("Shipper Type").selectOption({ label: "Individual" });
  await steps.fillsDetails(asha);
  await asha.presses("Calculate Rate & Review");
  await checkState(asha, "wizard-review");

  const create = "shipping/create-booking/";
  await fails(asha, "Confirm & Book Now", create, "wizard-booking-broken", 422);
  const nothing = { message: "Done", data: [] };
  await fails(asha, "Confirm & Book Now", create, "wizard-no-data", 200, nothing);
  await asha.presses("Confirm & Book Now");
  await checkState(asha, "wizard-success");
});

journey("somebody without money reads why nothing can be booked", async ({ asha }) => {
  await settlesInTrouble(asha, "/dashboard");
  await steps.fillsWizard(asha);
  await checkState(asha, "wizard-review-short");
});

journey("a customer reads the words of KYC and OTP", async ({ asha, page }) => {
  asha.expect(TROUBLE);
  await signInWithMoney(asha, 10_000);
  await asha.follows("Courier");
  await steps.choosesDhl(asha);
  await asha.presses("Proceed to Booking Details");
  await checkState(asha, "wizard-details-abroad");
  await steps.fillsDetails(asha);
  await asha.fills({ "Consignee City": "New York" });
  const end = await answerCalls(page, "booking/kyc/", 500, {});
  await asha.presses("Calculate Rate & Review");
  await checkState(asha, "wizard-kyc");
  await checkState(asha, "wizard-kyc-options-broken");
  await end();
  await asha.presses("Upload Documents");
  await checkState(asha, "wizard-kyc-missing");
  await steps.choosesDocuments(asha, [
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no document") },
    { name: "large.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(2_100_000, "%PDF-1.4") },
  ]);
  await asha.presses("Upload Documents");
  await checkState(asha, "wizard-kyc-unfit");
  await steps.choosesDocuments(asha);
  const refused = { statusCode: 500, message: "" };
  await fails(asha, "Upload Documents", "booking/kyc-upload", "wizard-kyc-refused", 200, refused);
  await page.evaluate(() => {
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function () {
      XMLHttpRequest.prototype.send = send;
      throw new TypeError("a browser that cannot send");
    };
  });
  await asha.presses("Upload Documents");
  await checkState(asha, "wizard-kyc-broke");
  await asha.presses("Upload Documents");
  await checkState(asha, "wizard-kyc-done");
  await asha.presses("Confirm & Book Now");
  await checkState(asha, "wizard-otp");
});
