import { expect } from "vitest";
import { look } from "./harness/audit";
import { signInNewCustomer, newCustomer } from "./harness/customer";
import { signInWithMoney } from "./harness/setup";
import { journey } from "./harness/journey";
import * as steps from "./harness/steps";
import { PHONE, SCRIPTS, type Visitor } from "./harness/visitor";

const languageOf = ({ page }: Visitor) => page.locator("html").getAttribute("lang");

for (const { how, script } of SCRIPTS) {
  journey(`a guest chooses Hindi and goes back, ${how} JavaScript`, async ({ visit }) => {
    const guest = await visit({ javaScriptEnabled: script, viewport: PHONE });
    await guest.page.goto("/login?next=%2Frecharge");
    await guest.presses("हिन्दी");
    await guest.sees("पासवर्ड भूल गए?");
    await guest.isAt("/login?next=/recharge");
    await expect.poll(() => languageOf(guest)).toBe("hi-IN");
    await expect.poll(() => guest.page.title()).toBe("लॉग इन करें · Dakiya");
    await guest.follows("खाता बनाएँ");
    await guest.sees("अपना खाता बनाएँ");
    // The choice lasts, and the policies are there in both languages too.
    const footer = guest.page.getByRole("contentinfo");
    await footer.getByRole("link", { name: "गोपनीयता नीति" }).click();
    await guest.sees("पहचान के दस्तावेज़");
    await guest.sees("कानूनी रूप से अंग्रेज़ी पाठ मान्य है");
    await expect.poll(() => languageOf(guest)).toBe("hi-IN");
    await guest.presses("English");
    await guest.sees("What we keep");
    await guest.presses("हिन्दी");
    await guest.isAt("/privacy-policy");
    await guest.page.goto("/track");
    await guest.sees("शिपमेंट ट्रैक करें");
    await guest.presses("English");
    await guest.sees("Track Shipment");
    await expect.poll(() => languageOf(guest)).toBe("en-IN");
  });
}

journey("errors are told in Hindi, by the browser and by the server", async ({ visit }) => {
  const guest = await visit({ locale: "hi-IN", viewport: PHONE });
  guest.expect(/^(400|401|404|422)|status of 4\d\d/);
  await guest.page.goto("/register");
  await steps.fillsRegistration(guest, { ...newCustomer(), password: "short" });
  await guest.presses("Sign up");
  await guest.sees("Password must be at least 6 characters long");
  await look(guest, "hindi-register-short");
  await guest.page.goto("/login");
  await steps.sendsLogin(guest, { username: "nobody", password: "monsoon-courier-42" });
  await guest.sees("Wrong username or password.");
  await guest.page.goto("/track/DK1719216000123");
  await guest.sees("We have no shipment with this AWB number.");
});

journey(
  "a booking that was begun in English goes on in Hindi with what was typed",
  async ({ asha }) => {
    await signInNewCustomer(asha, "/courier");
    await steps.calculates(asha);
    await steps.proceeds(asha);
    await asha.fills({ "Consignee Name": "Ravi Kumar" });
    await asha.presses("हिन्दी");
    await asha.sees("पाने वाले का विवरण");
    const name = asha.page.getByLabel("पाने वाले का नाम");
    await expect.poll(() => name.inputValue()).toBe("Ravi Kumar");
    await asha.presses("कीमत निकालें और जाँचें");
    await asha.sees(/^कृपया ये ज़रूरी जानकारियाँ भरें: .*पाने वाले का फ़ोन/);
  },
);

journey("a booking abroad with KYC and OTP is in Hindi at every step", async ({ visit }) => {
  const asha = await visit({ locale: "hi-IN", viewport: PHONE });
  asha.expect(/409.*create-booking/);
  await signInWithMoney(asha, 10_000);
  await steps.reachesKyc(asha);
  await look(asha, "hindi-kyc");
  await steps.choosesDocuments(asha);
  await asha.presses("Upload Documents");
  await asha.sees("Review Booking");
  await look(asha, "hindi-review-abroad");
  await asha.presses("Confirm & Book Now");
  await asha.sees("Enter OTP");
  await look(asha, "hindi-otp");
});
