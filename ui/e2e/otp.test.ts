import { expect } from "vitest";
import { expectBookedOnce } from "./harness/checks";
import { signIn } from "./harness/customer";
import { accessibilityFaults, look } from "./harness/audit";
import { signInWithMoney } from "./harness/setup";
import { readBookingOtp } from "./harness/inbox";
import { journey } from "./harness/journey";
import { scaleMs } from "./harness/patience";
import * as steps from "./harness/steps";
import { LAPTOP, TOUCHED, type Visitor } from "./harness/visitor";

/** Opens the sandbox's inbox beside the wizard. */
async function readsInbox({ page }: Visitor, code: string) {
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "read the message in a new tab" }).click();
  const inbox = await opened;
  await inbox.getByText(`${code} is the OTP`).first().waitFor();
  expect(await accessibilityFaults(inbox)).toEqual([]);
  await inbox.screenshot({ path: "artefacts/screens/1280/otp-4-inbox.jpeg", fullPage: true });
  await inbox.close();
}

const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

/** A parcel to New York by DHL, up to the review; the documents are uploaded on the way. */
async function reviewsDhl(visitor: Visitor, at: (name: string) => Promise<void>) {
  await steps.reachesKyc(visitor);
  await steps.choosesDocuments(visitor);
  await at("otp-1-kyc");
  await visitor.presses("Upload Documents");
  await visitor.sees("Step 4 of 6");
  await visitor.sees("Review Booking");
}

function signInWithMoneyForDhl(visitor: Visitor) {
  // Asking for a code, and a wrong one, are answers of 400 and above.
  visitor.expect(/\b(400|409)\b.*create-booking/);
  return signInWithMoney(visitor, 10_000);
}

journey(
  "a booking abroad takes KYC, refuses a wrong OTP, sends another and is booked",
  async ({ visit, server }) => {
    const asha = await visit({ viewport: LAPTOP });
    const at = (name: string) => look(asha, name);
    const reader = await signInWithMoneyForDhl(asha);
    await reviewsDhl(asha, at);
    await asha.presses("Confirm & Book Now");
    await asha.sees("Step 5 of 6");
    await asha.sees("An OTP was sent to the sender’s mobile ending 3210");
    expect(await reader.balance(), "asking costs nothing").toBe(10_000);
    const field = asha.page.getByLabel("OTP", { exact: true });
    await expect.poll(() => field.getAttribute("inputmode")).toBe("numeric");
    await expect.poll(() => field.getAttribute("autocomplete")).toBe("one-time-code");
    await asha.sees(/^Request OTP Again in \d+ s$/);

    await steps.confirmsWith(asha, "12");
    await asha.sees("Please enter the 6 digits of the OTP.");
    const first = await readBookingOtp(server);
    await readsInbox(asha, first);
    await steps.confirmsWith(asha, wrongCode(first));
    await asha.sees("This OTP is not right. You have 5 tries left.");
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    await at("otp-2-wrong");

    const again = asha.page.getByRole("button", { name: "Request OTP Again", exact: true });
    await again.click({ timeout: scaleMs(60_000) });
    await asha.sees(/^Request OTP Again in \d+ s$/);
    await expect.poll(() => field.inputValue()).toBe("");
    await expect.poll(() => asha.page.getByText("This OTP is not right").count()).toBe(0);
    const second = await readBookingOtp(server);
    if (second !== first) {
      await steps.confirmsWith(asha, first);
      await asha.sees("This OTP is not right. You have 5 tries left.");
    }
    await steps.confirmsWith(asha, second);
    const awb = await steps.awbOf(asha);
    await asha.sees("Step 6 of 6");
    await at("otp-3-booked");
    await expectBookedOnce(reader, awb);
    const charge = (await reader.history()).results[0]?.amount ?? NaN;
    expect(await reader.balance()).toBe((1_000_000 - Math.round(charge * 100)) / 100);
  },
);

journey(
  "on a phone, back from the OTP and on again asks for no second code",
  async ({ visit, server }) => {
    const asha = await visit(TOUCHED);
    const at = (name: string) => look(asha, name);
    await signInWithMoneyForDhl(asha);
    await reviewsDhl(asha, at);
    await asha.presses("Confirm & Book Now");
    await asha.sees("An OTP was sent");
    const code = await readBookingOtp(server);
    // A phone may drop the page while its customer reads the SMS.
    await asha.losesTab();
    await asha.page.goto("/courier");
    await asha.sees("Enter the OTP that was sent");
    await asha.sees("Step 5 of 6");
    expect(await readBookingOtp(server)).toBe(code);
    await asha.presses("Back");
    await asha.sees("Review Booking");
    await asha.presses("Confirm & Book Now");
    await asha.sees("Enter the OTP that was sent");
    expect(await readBookingOtp(server)).toBe(code);
    await at("otp-2-asked");
    await steps.confirmsWith(asha, `${code.slice(0, 3)} ${code.slice(3)}`);
    await steps.awbOf(asha);
  },
);

journey(
  "a booking abroad that was reviewed with its documents is confirmed in another browser",
  async ({ visit, server }) => {
    const asha = await visit({ viewport: LAPTOP });
    const { customer, ...reader } = await signInWithMoney(asha, 10_000);
    await reviewsDhl(asha, () => Promise.resolve());
    await expect.poll(async () => (await reader.draft())?.step).toBe("review");
    expect((await reader.draft())?.kyc).not.toBeNull();

    const phone = await visit(TOUCHED);
    phone.expect(/\b409\b.*create-booking/);
    await signIn(phone, customer, "/courier");
    await phone.sees("Step 4 of 6");
    await phone.presses("Confirm & Book Now");
    await phone.sees("An OTP was sent");
    const code = await readBookingOtp(server);
    await steps.confirmsWith(phone, code);
    await steps.awbOf(phone);
    expect(JSON.stringify(await reader.get("booking/draft/"))).not.toContain(code);
    await expect.poll(reader.draft).toBeNull();
    expect(await reader.history()).toMatchObject({ count: 1 });
  },
);
