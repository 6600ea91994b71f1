import { expect } from "vitest";
import type { Transactions } from "../src/wire";
import { account, signInNewCustomer, newCustomer, type Account } from "./harness/customer";
import { look } from "./harness/audit";
import { signInWithMoney, signInWithBooking } from "./harness/setup";
import { journey } from "./harness/journey";
import { downloads, pdfText, photographPdf } from "./harness/pdf";
import * as steps from "./harness/steps";
import { englishWords, type Sentence } from "../src/words/words";
import { DEVICES, SCRIPTS, TOUCHED } from "./harness/visitor";

/** The ledger, read by a program rather than from the screen. */
async function books(reader: Account) {
  const movements = await reader.get<Transactions>("wallet/transactions/?page=1&limit=20");
  return { balance: await reader.balance(), bookings: await reader.history(), movements };
}

function balanceOf(amount: string): Sentence {
  return { text: "Balance: {amount}", values: { amount } };
}

for (const [device, options] of [
  ...DEVICES,
  ["a phone in Hindi", { ...TOUCHED, locale: "hi-IN" }],
] as const) {
  journey(
    `the main job on ${device}: register, recharge, book, track`,
    async ({ visit, server }) => {
      const asha = await visit(options);
      const at = (name: string) => look(asha, asha.t === englishWords ? name : `hindi-${name}`);
      const customer = newCustomer();
      await steps.registers(asha, customer);
      await steps.logsIn(asha, customer);
      await asha.sees("Asha Rao");
      await asha.sees(balanceOf("₹0.00"));

      await asha.follows("Recharge");
      await asha.isAt("/recharge");
      await steps.recharges(asha, "₹5,000", at);
      await asha.sees("₹5,000.00");
      const reader = await account(server, customer);
      expect(await books(reader)).toMatchObject({
        balance: 5000,
        movements: { count: 1, results: [{ transaction_type: "credit", amount: 5000 }] },
      });

      await asha.follows("Calculate");
      await asha.isAt("/calculate");
      await steps.calculates(asha);
      await asha.sees("Estimated Rates");
      await at("calculate-results");
      await expect.poll(() => asha.page.locator("main table tbody tr").count()).toBeGreaterThan(0);

      await steps.fillsWizard(asha, at);
      expect((await books(reader)).balance, "reviewing costs nothing").toBe(5000);
      await asha.page.locator("button[name=change][value=consignee_name]").click();
      const focused = () => asha.page.evaluate(() => document.activeElement?.id);
      await expect.poll(focused).toBe("details-consignee_name");
      await steps.reviews(asha);
      const review = await asha.page.locator("main").innerText();
      const awb = await steps.books(asha);
      await at("wizard-4-booked");
      const share = asha.page.getByRole("link", { name: asha.t("Send tracking on WhatsApp") });
      const shared = (await share.getAttribute("href")) ?? "";
      expect(shared.startsWith("https://wa.me/?text="), "to nobody in particular").toBe(true);
      expect(decodeURIComponent(shared)).toContain(`/track/${awb}`);
      await asha.sees(/12 Sample Marg, New Delhi 110001/);
      await asha.sees(/^Ravi Kumar, 22 MG Road/);
      for (const link of ["Print label", "Invoice"]) {
        const paper = await downloads(asha, link);
        expect(pdfText(paper.path), link).toContain(awb);
        photographPdf(paper.path, `paper-${link.toLowerCase().replaceAll(" ", "-")}`);
      }

      const { balance, bookings, movements } = await books(reader);
      const [booking] = bookings.results;
      const charge = booking?.amount ?? NaN;
      expect(bookings).toMatchObject({ count: 1, results: [{ awb_number: awb }] });
      expect(charge).toBeGreaterThan(0);
      expect(review).toContain(steps.rupees(charge));
      expect(balance).toBe((500_000 - Math.round(charge * 100)) / 100);
      expect(movements).toMatchObject({
        count: 2,
        results: [
          { transaction_type: "debit", amount: charge, balance_after: balance },
          { transaction_type: "credit", amount: 5000, balance_after: 5000 },
        ],
      });

      await asha.follows("Go to Dashboard");
      await asha.isAt("/dashboard");
      await asha.sees(awb);
      await asha.sees(steps.rupees(charge));
      await asha.sees(balanceOf(steps.rupees(balance)));

      await asha.page.goto("/dashboard?tab=bookings");
      await at("dashboard-bookings");
      for (const [link, name] of [
        ["Label", `dakiya-label-${awb}.pdf`],
        ["A4 labels", `dakiya-labels-a4-${awb}.pdf`],
        ["Invoice", /^dakiya-invoice-DK-\d\d[A-H]-\d{6}\.pdf$/],
      ] as const) {
        const paper = await downloads(asha, `${asha.t(link)} ${asha.t("of")} ${awb}`);
        expect(paper.name).toMatch(name);
        expect(pdfText(paper.path)).toContain(awb);
      }

      await asha.follows("Track");
      await asha.isAt("/track");
      await asha.fills({ "AWB Number": awb });
      await asha.presses("Track");
      await asha.sees("Tracking History");
      await expect.poll(() => asha.page.locator("main ol li").count()).toBeGreaterThan(0);
    },
  );
}

journey("a double click on Confirm books once and charges once", async ({ asha }) => {
  const reader = await signInWithMoney(asha);
  await steps.fillsWizard(asha);
  await asha.page.getByRole("button", { name: "Confirm & Book Now" }).dblclick();
  const awb = await steps.awbOf(asha);
  const { bookings, movements } = await books(reader);
  expect(bookings.results.map((booking) => booking.awb_number)).toEqual([awb]);
  expect(movements.results.map((row) => row.transaction_type)).toEqual(["debit", "credit"]);
});

journey("a Confirm that the network sends twice books once, with one answer", async ({ asha }) => {
  const reader = await signInWithMoney(asha);
  await steps.fillsWizard(asha);
  const answers: string[] = [];
  await asha.page.route("**/shipping/create-booking/", async (route) => {
    const first = await route.fetch();
    const second = await route.fetch();
    answers.push(await first.text(), await second.text());
    await route.fulfill({ response: second });
  });
  const awb = await steps.books(asha);
  expect(answers).toHaveLength(2);
  expect(answers[1]).toBe(answers[0]);
  const { bookings, movements } = await books(reader);
  expect(bookings.results.map((booking) => booking.awb_number)).toEqual([awb]);
  expect(movements.count).toBe(2);
});

journey("a wallet that cannot pay is told so, and nothing is booked", async ({ asha, server }) => {
  const customer = await signInNewCustomer(asha, "/dashboard");
  await steps.fillsWizard(asha);
  await asha.sees("Insufficient balance. Please recharge your wallet first.");
  const confirm = asha.page.getByRole("button", { name: "Confirm & Book Now" });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  expect((await books(await account(server, customer))).bookings.count).toBe(0);
});

for (const { how, script } of SCRIPTS) {
  journey(`a booking is cancelled ${how} JavaScript and paid back`, async ({ visit }) => {
    const again = await visit({ javaScriptEnabled: script });
    const { reader, awb } = await signInWithBooking(again, "/dashboard?tab=bookings");
    await again.page.getByText(`Cancel booking ${awb}`).click();
    await again.sees("goes back to your wallet.");
    await look(again, "dashboard-5-cancel");
    await again.page.getByRole("button", { name: "Cancel booking" }).click();
    // A script takes the word out of the address, at once.
    if (!script) await again.isAt("/dashboard?tab=bookings&cancelled=1");
    await again.sees("The booking was cancelled. The money is back in your wallet.");
    await again.sees("Credit note");
    const { balance, movements } = await books(reader);
    expect(balance).toBe(5000);
    expect(movements.results[0]).toMatchObject({ transaction_type: "credit" });
  });
}
