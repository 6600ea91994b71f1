import { expect } from "vitest";
import { signIn } from "./harness/customer";
import { accessibilityFaults, look } from "./harness/audit";
import { hasMoney } from "./harness/given";
import { codeSent } from "./harness/inbox";
import { journey } from "./harness/journey";
import { patient } from "./harness/patience";
import type { Server } from "./harness/server";
import * as steps from "./harness/steps";
import { LAPTOP, PHONE, type Visitor } from "./harness/visitor";

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

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

/** A parcel to New York by DHL, up to the review; the documents are uploaded on the way. */
async function reviewsDhl(visitor: Visitor, at: (name: string) => Promise<void>) {
  await steps.reachesKyc(visitor);
  await steps.choosesDocuments(visitor);
  await at("otp-1-kyc");
  await visitor.presses("Upload Documents");
  await visitor.sees("Step 4 of 6");
  await visitor.sees("Review Booking");
}

function arrives(visitor: Visitor, server: Server) {
  // Asking for a code, and a wrong one, are answers of 400 and above.
  visitor.expect(/\b(400|409)\b.*create-booking/);
  return hasMoney(visitor, server, 10_000);
}

journey(
  "a booking abroad takes KYC, refuses a wrong OTP, sends another and is booked",
  async ({ visit, server }) => {
    const asha = await visit({ viewport: LAPTOP });
    const at = (name: string) => look(asha, name);
    const reader = await arrives(asha, server);
    await reviewsDhl(asha, at);
    await asha.presses("Confirm & Book Now");
    await asha.sees("Step 5 of 6");
    await asha.sees("An OTP was sent to the consignor’s mobile ending 3210");
    expect(await reader.get("wallet/balance/"), "asking costs nothing").toEqual({
      balance: 10_000,
    });
    const field = asha.page.getByLabel("OTP", { exact: true });
    expect(await field.getAttribute("inputmode")).toBe("numeric");
    expect(await field.getAttribute("autocomplete")).toBe("one-time-code");
    await asha.sees(/^Request OTP Again in \d+ s$/);

    await asha.fills({ OTP: "12" });
    await asha.presses("Confirm Booking");
    await asha.sees("Please enter the 6 digits of the OTP.");
    const first = await codeSent(server);
    await readsInbox(asha, first);
    await asha.fills({ OTP: another(first) });
    await asha.presses("Confirm Booking");
    await asha.sees("This OTP is not right. You have 5 tries left.");
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    await at("otp-2-wrong");

    const again = asha.page.getByRole("button", { name: "Request OTP Again", exact: true });
    await again.click({ timeout: patient(60_000) });
    await asha.sees(/^Request OTP Again in \d+ s$/);
    expect(await field.inputValue()).toBe("");
    expect(await asha.page.getByText("This OTP is not right").count()).toBe(0);
    const second = await codeSent(server);
    if (second !== first) {
      await asha.fills({ OTP: first });
      await asha.presses("Confirm Booking");
      await asha.sees("This OTP is not right. You have 5 tries left.");
    }
    await asha.fills({ OTP: second });
    await asha.presses("Confirm Booking");
    const awb = await steps.awbOf(asha);
    await asha.sees("Step 6 of 6");
    await at("otp-3-booked");
    type History = { count: number; results: { awb_number: string; amount: number }[] };
    const history = await reader.get<History>("shipping/history/?page=1&limit=20");
    expect(history).toMatchObject({ count: 1, results: [{ awb_number: awb }] });
    const charge = history.results[0]?.amount ?? NaN;
    const { balance } = await reader.get<{ balance: number }>("wallet/balance/");
    expect(balance).toBe((1_000_000 - Math.round(charge * 100)) / 100);
  },
);

journey(
  "on a phone, back from the OTP and on again asks for no second code",
  async ({ visit, server }) => {
    const asha = await visit({ viewport: PHONE, hasTouch: true, isMobile: true });
    const at = (name: string) => look(asha, name);
    await arrives(asha, server);
    await reviewsDhl(asha, at);
    await asha.presses("Confirm & Book Now");
    await asha.sees("An OTP was sent");
    const code = await codeSent(server);
    await asha.presses("Back");
    await asha.sees("Review Booking");
    await asha.presses("Confirm & Book Now");
    await asha.sees("An OTP was sent");
    expect(await codeSent(server)).toBe(code);
    await at("otp-2-asked");
    await asha.fills({ OTP: `${code.slice(0, 3)} ${code.slice(3)}` });
    await asha.presses("Confirm Booking");
    await steps.awbOf(asha);
  },
);

journey(
  "a booking abroad that was reviewed with its documents is confirmed in another browser",
  async ({ visit, server }) => {
    const asha = await visit({ viewport: LAPTOP });
    const { customer, ...reader } = await hasMoney(asha, server, 10_000);
    await reviewsDhl(asha, () => Promise.resolve());
    type Kept = { content: { step: string; kyc: object | null } | null };
    const kept = () => reader.get<Kept>("booking/draft/");
    await expect.poll(async () => (await kept()).content?.step).toBe("review");
    expect((await kept()).content?.kyc).not.toBeNull();

    const phone = await visit({ viewport: PHONE, hasTouch: true, isMobile: true });
    phone.expect(/\b409\b.*create-booking/);
    await signIn(phone, server, customer);
    await phone.page.goto("/courier");
    await phone.sees("Step 4 of 6");
    await phone.presses("Confirm & Book Now");
    await phone.sees("An OTP was sent");
    const code = await codeSent(server);
    await phone.fills({ OTP: code });
    await phone.presses("Confirm Booking");
    await steps.awbOf(phone);
    expect(JSON.stringify(await reader.get("booking/draft/"))).not.toContain(code);
    await expect.poll(async () => (await kept()).content).toBeNull();
    const history = await reader.get("shipping/history/?page=1&limit=20");
    expect(history).toMatchObject({ count: 1 });
  },
);
