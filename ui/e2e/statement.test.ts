import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { lookOn } from "./harness/audit";
import { signIn } from "./harness/customer";
import { signInWithMoney, rechargeWallet, bookParcel } from "./harness/setup";
import { journey } from "./harness/journey";
import { downloads, pdfText, photographPdf } from "./harness/pdf";
import { LAPTOP, PHONE } from "./harness/visitor";

journey("the statement is filtered, read, and kept as CSV and PDF", async ({ asha, server }) => {
  const { customer, reader, awb } = await bookParcel(server);
  await rechargeWallet(server, reader, 1_000);
  await signIn(asha, customer, "/dashboard?tab=transactions");
  await asha.sees(`Courier booking ${awb}`);
  await lookOn([PHONE, LAPTOP], asha, "statement");
  await asha.page.getByLabel("Type").selectOption({ label: "Recharges" });
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Kolkata" }).format();
  await asha.page.getByLabel("From").fill(today);
  await asha.presses("Show");
  await asha.isAt(`/dashboard?tab=transactions&from=${today}&to=&type=recharge`);
  await expect.poll(() => asha.page.locator("tbody tr").count()).toBe(2);
  await asha.presses("Refresh");
  await expect.poll(() => asha.page.locator("tbody tr").count()).toBe(2);
  await lookOn([PHONE, LAPTOP], asha, "statement-filtered");

  const csv = await downloads(asha, "Download CSV");
  expect(csv.name).toBe(`dakiya-statement-${today}-${today}.csv`);
  const rows = readFileSync(csv.path, "utf8").trimEnd().split("\r\n");
  expect(rows[0]?.charCodeAt(0)).toBe(0xfeff);
  expect(rows).toHaveLength(5);
  expect(rows.filter((row) => row.includes(",credit,"))).toHaveLength(2);

  await asha.follows("Show all");
  await asha.sees(`Courier booking ${awb}`);
  const pdf = await downloads(asha, "Download PDF");
  const text = pdfText(pdf.path);
  for (const part of [
    "Wallet statement",
    "Dakiya Sample Couriers Private Limited",
    "GSTIN 07AAACD1234E1ZB",
    "Asha Rao",
    "Opening balance",
    "Closing balance",
    "₹5,000.00",
    `Courier booking ${awb}`,
    "Page 1 of 1",
  ]) {
    expect(text).toContain(part);
  }
  photographPdf(pdf.path, "statement-pdf");

  await asha.follows(`Courier booking ${awb}`);
  await asha.isAt(/^\/bookings\//);
  await asha.sees(awb);
});

journey("a recharge has a receipt with its amount in words", async ({ asha }) => {
  await signInWithMoney(asha, 1_000);
  await asha.page.goto("/dashboard?tab=transactions");
  const receipt = await downloads(asha, "Receipt");
  const text = pdfText(receipt.path);
  for (const part of [
    "Receipt",
    "₹1,000.00",
    "Rupees One Thousand Only",
    "Card",
    "Asha Rao",
    "Sandbox: no real money",
  ]) {
    expect(text).toContain(part);
  }
  photographPdf(receipt.path, "receipt-pdf");
});
