import { newCustomer, settles } from "../harness/customer";
import { hasMoney, senderAt } from "../harness/given";
import { journey } from "../harness/journey";
import {
  answers,
  answersPage,
  comesWithoutData,
  cutsOff,
  drawsItself,
  holds,
} from "../harness/network";
import * as steps from "../harness/steps";
import type { Visitor } from "../harness/visitor";
import { shows } from "./list";

/** Answers of 400 and above, and calls that reach nobody, are what these journeys are about. */
const TROUBLE = /\b4\d\d\b|\b5\d\d\b|ERR_INTERNET_DISCONNECTED/;

async function settlesInTrouble(visitor: Visitor, path: string) {
  visitor.expect(TROUBLE);
  await settles(visitor, path);
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
  const end = await answers(visitor.page, path, status, body);
  await visitor.presses(button);
  await shows(visitor, state);
  await end();
}

journey("a guest reads the words of login, registration and policies", async ({ guest }) => {
  const { page } = guest;
  guest.expect(TROUBLE);
  await page.goto("/login");
  await shows(guest, "login");

  await guest.fills({ Username: "nobody", Password: "monsoon-courier-42" });
  const end = await cutsOff(page, "auth/login/");
  await guest.presses("Log In");
  await shows(guest, "login-offline");
  await end();
  await fails(guest, "Log In", "auth/login/", "login-broken");

  await guest.follows("Sign up");
  await shows(guest, "register");
  const customer = newCustomer();
  await steps.fillsRegistration(guest, customer);
  await guest.fills({ "Confirm password": "another" });
  await guest.presses("Sign up");
  await shows(guest, "register-differ");
  await guest.fills({ Password: "short", "Confirm password": "short" });
  await guest.presses("Sign up");
  await shows(guest, "register-short");
  await guest.fills({ Password: customer.password, "Confirm password": customer.password });
  await fails(guest, "Sign up", "auth/register/", "register-broken");
  await guest.presses("Sign up");
  await shows(guest, "registered");

  await page.goto("/track");
  await shows(guest, "track-guest");
  for (const [path, state] of [
    ["/terms-and-conditions", "policy-terms"],
    ["/privacy-policy", "policy-privacy"],
    ["/refund-cancellation-policy", "policy-refund"],
    ["/shipping-policy", "policy-shipping"],
  ] as const) {
    await page.goto(path);
    await shows(guest, state);
  }
});

journey("a new customer reads the words of an empty dashboard", async ({ asha, page }) => {
  await settlesInTrouble(asha, "/");
  await shows(asha, "start");
  await page.goto("/dashboard");
  await shows(asha, "dashboard-empty");
  await page.goto("/dashboard?tab=bookings");
  await shows(asha, "dashboard-empty-bookings");
  await fails(asha, "Refresh", "shipping/history/**", "dashboard-bookings-broken");
  await page.goto("/dashboard?tab=transactions");
  await shows(asha, "dashboard-empty-transactions");
  await fails(asha, "Refresh", "wallet/transactions/**", "dashboard-transactions-broken");
  const end = await answers(page, "wallet/balance/", 500, {});
  await comesWithoutData(page, "/dashboard");
  await page.goto("/dashboard");
  await shows(asha, "dashboard-broken");
  await end();
});

journey("a customer reads the words of tracking", async ({ asha }) => {
  asha.expect(TROUBLE);
  const { awb } = await senderAt(asha, "/dashboard");
  await shows(asha, "dashboard-overview");
  await asha.page.goto("/dashboard?tab=bookings");
  await shows(asha, "dashboard-bookings");
  await asha.page.goto("/dashboard?tab=transactions");
  await shows(asha, "dashboard-transactions");

  await asha.follows("Track");
  await shows(asha, "track");
  await asha.fills({ "AWB Number": awb });
  const release = await holds(asha.page, "shipping/track/**");
  await asha.presses("Track");
  await shows(asha, "track-busy");
  release();
  await shows(asha, "track-result");
  await answers(asha.page, "shipping/track/**", 500, {});
  await asha.presses("Track");
  await shows(asha, "track-broken");
});

journey("a customer reads the words of the recharge", async ({ asha, page }) => {
  await settlesInTrouble(asha, "/calculate");
  const end = await answersPage(page, "/recharge", 500, {});
  await asha.follows("Recharge");
  await shows(asha, "recharge-balance-broken");
  await end();
  await page.goto("/recharge");
  await shows(asha, "recharge");

  await asha.presses("₹500");
  const create = "payment/phonepe/create/";
  const refused = { success: false, message: "", payment_data: {} };
  await fails(asha, "Recharge ₹500", create, "recharge-broken", 200, refused);
  await page.route(`**/api/v1/${create}`, (route) => route.fulfill({ status: 200, body: "{" }));
  await asha.presses("Recharge ₹500");
  await shows(asha, "recharge-not-started");
  await page.unroute(`**/api/v1/${create}`);

  const release = await holds(page, create);
  await asha.presses("Recharge ₹500");
  await shows(asha, "recharge-busy");
  release();
  await steps.paysAtGateway(asha);
  await shows(asha, "callback-done");
  const order = steps.orderOf(asha);
  await page.goto(`/recharge/success?merchantTransactionId=${order}`);
  await shows(asha, "recharge-success");
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
    const end = await answers(page, "payment/phonepe/verify/", status, body);
    await page.goto("/recharge/callback");
    await shows(asha, state);
    await end();
  }
  await page.goto("/recharge");
  await page.evaluate(() => localStorage.removeItem("merchant_order_id"));
  await page.goto("/recharge/callback");
  await shows(asha, "callback-unknown");
});

journey("a customer reads the words of the calculator", async ({ asha, page }) => {
  await settlesInTrouble(asha, "/calculate");
  await shows(asha, "calculator");
  const release = await holds(page, "shipping/calculate-rate/");
  await steps.calculates(asha);
  await shows(asha, "calculator-busy");
  release();
  await shows(asha, "calculator-results");

  await fails(asha, "Calculate Rate", "shipping/calculate-rate/", "calculator-broken");
  await fails(asha, "Calculate Rate", "shipping/check-zipcode/", "calculator-zipcode-broken");
  await asha.fills({ "From Pincode": "999999" });
  await asha.presses("Calculate Rate");
  await shows(asha, "calculator-origin");
  await asha.fills({ "From Pincode": "110001", "To Pincode": "999999" });
  await asha.presses("Calculate Rate");
  await shows(asha, "calculator-destination");

  await page.getByLabel("Booking Type").selectOption({ label: "International" });
  await shows(asha, "calculator-international");
  await steps.choosesCountry(asha, "United States");
  await asha.fills({ "To Postal Code": "ABC" });
  await asha.presses("Calculate Rate");
  await shows(asha, "calculator-abroad");
});

journey("countries that do not load leave a message", async ({ asha }) => {
  await settlesInTrouble(asha, "/track");
  await answers(asha.page, "shipping/countries/**", 500, {});
  await drawsItself(asha.page, "/calculate", (json) =>
    json.replace(/"countries":\[.*?\]/, '"countries":null'),
  );
  await asha.page.goto("/calculate");
  await asha.page.getByLabel("Booking Type").selectOption({ label: "International" });
  await shows(asha, "calculator-countries-broken");
});

journey("a customer reads the words of the wizard", async ({ asha, page }) => {
  asha.expect(TROUBLE);
  await hasMoney(asha);
  await asha.follows("Courier");
  await shows(asha, "wizard-rate");
  await steps.calculates(asha);
  await shows(asha, "wizard-services");
  await page
    .getByRole("radio", { name: /Surface/ })
    .first()
    .check();
  await shows(asha, "wizard-chosen");
  await asha.presses("Proceed to Booking Details");
  await steps.opensFolds(asha);
  await shows(asha, "wizard-details");
  await asha.presses("Calculate Rate & Review");
  await shows(asha, "wizard-details-missing");
  await page.getByLabel("Pickup Required").selectOption({ label: "Yes" });
  await page.getByLabel("Pickup Location").selectOption({ label: "Different" });
  await page.getByLabel("Shipper Type").selectOption({ label: "MSME" });
  await shows(asha, "wizard-details-elsewhere");
  await page.getByLabel("Pickup Required").selectOption({ label: "No" });
  await page.getByLabel("Pickup Location").selectOption({ label: "Same as Origin" });
  await page.getByLabel("Shipper Type").selectOption({ label: "Individual" });
  await steps.fillsDetails(asha);
  await asha.presses("Calculate Rate & Review");
  await shows(asha, "wizard-review");

  const create = "shipping/create-booking/";
  await fails(asha, "Confirm & Book Now", create, "wizard-booking-broken", 422);
  const nothing = { message: "Done", data: [] };
  await fails(asha, "Confirm & Book Now", create, "wizard-no-data", 200, nothing);
  await asha.presses("Confirm & Book Now");
  await shows(asha, "wizard-success");
});

journey("somebody without money reads why nothing can be booked", async ({ asha }) => {
  await settlesInTrouble(asha, "/dashboard");
  await steps.fillsWizard(asha);
  await shows(asha, "wizard-review-short");
});

journey("a customer reads the words of KYC and OTP", async ({ asha, page }) => {
  asha.expect(TROUBLE);
  await hasMoney(asha, 10_000);
  await asha.follows("Courier");
  await steps.choosesDhl(asha);
  await asha.presses("Proceed to Booking Details");
  await shows(asha, "wizard-details-abroad");
  await steps.fillsDetails(asha);
  await asha.fills({ "Consignee City": "New York" });
  const end = await answers(page, "booking/kyc/", 500, {});
  await asha.presses("Calculate Rate & Review");
  await shows(asha, "wizard-kyc");
  await shows(asha, "wizard-kyc-options-broken");
  await end();
  await asha.presses("Upload Documents");
  await shows(asha, "wizard-kyc-missing");
  await steps.choosesDocuments(asha, [
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no document") },
    { name: "large.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(2_100_000, "%PDF-1.4") },
  ]);
  await asha.presses("Upload Documents");
  await shows(asha, "wizard-kyc-unfit");
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
  await shows(asha, "wizard-kyc-broke");
  await asha.presses("Upload Documents");
  await shows(asha, "wizard-kyc-done");
  await asha.presses("Confirm & Book Now");
  await shows(asha, "wizard-otp");
});
