import { expect } from "vitest";
import { signInAndSettle, signIn } from "../harness/customer";
import { signInWithMoney, rechargeWallet, signInWithBooking } from "../harness/setup";
import { journey } from "../harness/journey";
import { answerCalls, dropPageData, holdCalls } from "../harness/network";
import * as steps from "../harness/steps";
import { checkState } from "./list";

journey("the registration's fields have their types and are all required", async ({ guest }) => {
  await guest.page.goto("/register");
  const names = ["first_name", "last_name", "username", "email", "phone", "password"];
  const all = [...names, "password_confirm"];
  expect(await steps.attributes(guest, "required", all)).toEqual(all.map(() => ""));
  expect(await steps.attributes(guest, "type", ["email", "phone"])).toEqual(["email", "tel"]);
});

journey("the fields that must be filled in say so", async ({ guest }) => {
  await guest.page.goto("/login");
  expect(await steps.attributes(guest, "required", ["username", "password"])).toEqual(["", ""]);
  await guest.page.goto("/track");
  expect(await steps.attributes(guest, "required", ["awb"])).toEqual([""]);
});

journey("the login's button shows a spinner while loading", async ({ guest }) => {
  guest.expect(/401/);
  await guest.page.goto("/login");
  const release = await holdCalls(guest.page, "auth/login/");
  await steps.sendsLogin(guest, { username: "nobody", password: "monsoon-courier-42" });
  const button = guest.page.getByRole("button", { name: "Log In" });
  await button.locator(".spinner").waitFor();
  await expect.poll(() => button.isDisabled()).toBe(true);
  release();
  await guest.page.locator("main .box-error").waitFor();
  await expect.poll(() => button.locator(".spinner").count()).toBe(0);
});

journey(
  "the page counts as logged in while both the marker and the user exist",
  async ({ asha }) => {
    await signInAndSettle(asha, "/track");
    const stored = () => asha.page.evaluate(() => Object.keys(localStorage).sort());
    expect(await stored()).toEqual(["session", "user"]);
    const customer = await signInAndSettle(asha, "/recharge");
    const logsOutBy = async (step: () => Promise<unknown>) => {
      const ended = asha.page.waitForResponse((answer) => answer.url().endsWith("/auth/logout/"));
      await step();
      await asha.isAt(/^\/login/);
      await ended;
      await asha.page.goto("/dashboard");
      await asha.isAt("/login?next=/dashboard");
    };
    const isIn = async () => {
      await signIn(asha, customer, "/recharge");
      await asha.page.waitForLoadState("networkidle");
    };
    const removes = (name: string) => localStorage.removeItem(name);
    for (const key of ["user", "session"]) {
      // By another tab, before the next step in this one, and before it is loaded again.
      await isIn();
      await logsOutBy(async () => {
        const other = await asha.context.newPage();
        await other.goto("/terms-and-conditions");
        await other.evaluate(removes, key);
        await other.close();
      });
      await isIn();
      await asha.page.evaluate(removes, key);
      await logsOutBy(() => asha.follows("Track"));
      await isIn();
      await asha.page.evaluate(removes, key);
      await logsOutBy(() => asha.page.reload());
    }
    await signIn(asha, customer, "/dashboard");
    await asha.page.waitForLoadState("networkidle");
    await asha.page.evaluate(() => {
      localStorage.setItem("phonepe_order_id", "OM1");
      localStorage.setItem("merchant_order_id", "DKR1");
      localStorage.setItem("recharge_amount", "500");
      localStorage.setItem("booking_draft", "{}");
    });
    await asha.logsOut();
    await asha.isAt("/login");
    expect(await stored()).toEqual([]);
  },
);

journey("switching to a tab begins at its first page", async ({ asha, server }) => {
  const reader = await signInWithMoney(asha, 1_000);
  for (let turn = 1; turn < 6; turn += 1) await rechargeWallet(server, reader, 1_000);
  await asha.page.goto("/dashboard");
  const rows = asha.page.locator("main table tbody tr");
  await expect.poll(() => rows.count()).toBe(5);
  await asha.page.goto("/dashboard?tab=transactions&page=2");
  await asha.sees("Page 2 of 2");
  await expect.poll(() => rows.count()).toBe(1);
  await asha.follows("Bookings");
  await asha.sees("Page 1 of 1");
  await asha.follows("Transactions");
  await asha.sees("Page 1 of 2");
  await expect.poll(() => rows.count()).toBe(5);
  expect(await reader.get("wallet/balance/")).toEqual({ balance: 6000 });
});

journey(
  "the dashboard asks for bookings, transactions and balance at the same time",
  async ({ asha }) => {
    await signInAndSettle(asha, "/track");
    await dropPageData(asha.page, "/dashboard");
    const asked: string[] = [];
    asha.page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname.startsWith("/api/")) asked.push(url.pathname + url.search);
    });
    const release = await holdCalls(asha.page, "**");
    await asha.page.goto("/dashboard");
    await expect
      .poll(() => [...asked].sort())
      .toEqual([
        "/api/v1/shipping/history/?page=1&limit=5",
        "/api/v1/wallet/balance/",
        "/api/v1/wallet/transactions/?page=1&limit=5",
      ]);
    release();
    await asha.sees("No transactions found");
  },
);

journey("a list that comes without its page is read as well", async ({ asha }) => {
  await signInAndSettle(asha, "/track");
  const booking = {
    id: "b1",
    awb_number: "DK1719216000123",
    consignee_name: "Ravi Kumar",
    consignee_pincode: "560001",
    rate: 94.16,
    amount: 94.16,
    status: "booked",
    booking_date: 1_790_000_000_000,
    created_at: 1_790_000_000_000,
    origin_city: "New Delhi",
    destination_city: "Bengaluru",
    weight: 2,
  };
  await answerCalls(asha.page, "shipping/history/**", 200, [booking]);
  await answerCalls(asha.page, "wallet/transactions/**", 200, { results: [], total: 0 });
  await dropPageData(asha.page, "/dashboard");
  await asha.page.goto("/dashboard");
  await asha.sees("DK1719216000123");
  await asha.sees("No transactions found");
});

journey("a tracked shipment shows its status, places, remarks and comments", async ({ asha }) => {
  const event = {
    airwaybill_no: "",
    courier_code: "",
    status: "In Transit",
    date: Date.UTC(2026, 8, 1),
    update_location: "Nagpur",
    remarks: "in transit",
    comments: "",
  };
  const later = {
    ...event,
    date: event.date + 1,
    status: "Delivered",
    remarks: "Left at the door",
  };
  const first = { ...event, date: event.date - 1, airwaybill_no: "AWB7", courier_code: "DTDC" };
  const data = [{ ...later, comments: "Signed by Ravi" }, event, first];
  await signInAndSettle(asha, "/track");
  await answerCalls(asha.page, "shipping/track/**", 200, { data });
  await asha.fills({ "AWB Number": "TYPED1" });
  await asha.presses("Track");
  await asha.sees("Tracking History");
  const facts = await asha.page.locator(".tracking-summary").innerText();
  expect(facts).toMatch(/AWB7[\s\S]*Delivered[\s\S]*DTDC/);
  const items = await asha.page.locator("main ol li").allInnerTexts();
  expect(items.map((item) => item.split("\n")[0])).toEqual([
    "Delivered",
    "In transit",
    "In transit",
  ]);
  expect(items[0]).toMatch(/Nagpur[\s\S]*Left at the door[\s\S]*Signed by Ravi/);
  expect(items[1]?.match(/in transit/gi)).toHaveLength(1);
});

journey("a suggested amount fills the field, and typing releases it", async ({ asha }) => {
  await signInAndSettle(asha, "/recharge");
  const amount = asha.page.getByLabel(/enter an amount/);
  const preset = asha.page.getByRole("button", { name: "₹1,000", exact: true });
  await preset.click();
  await expect.poll(() => amount.inputValue()).toBe("1000");
  await expect.poll(() => preset.getAttribute("aria-pressed")).toBe("true");
  await amount.fill("123");
  await expect.poll(() => preset.getAttribute("aria-pressed")).toBe("false");
  await asha.page.getByRole("button", { name: "Recharge ₹123" }).waitFor();
  await expect
    .poll(() => asha.page.getByRole("radio").count(), { message: "one provider" })
    .toBe(1);
});

journey("a payment on its way is remembered under four fixed keys", async ({ asha }) => {
  await signInAndSettle(asha, "/recharge");
  await steps.goesToPay(asha, "₹500");
  const [origin] = (await asha.context.storageState()).origins;
  const kept = new Map(origin?.localStorage.map(({ name, value }) => [name, value]));
  expect(kept.get("recharge_amount")).toBe("500");
  const order = kept.get("merchant_order_id");
  expect(order).toMatch(/^DKR/);
  expect(kept.get("recharge_transaction_id")).toBe(order);
  expect(kept.get("phonepe_order_id")).toBeTruthy();
  await steps.paysAtGateway(asha);
  await asha.sees("Payment Successful!");
  const left = await asha.page.evaluate(() => Object.keys(localStorage));
  expect(left).not.toContain("merchant_order_id");
  expect(left).not.toContain("recharge_amount");
});

journey("what is booked counts as pending", async ({ asha }) => {
  await signInWithBooking(asha, "/dashboard");
  const figures = asha.page.locator(".key-figure");
  await expect
    .poll(() => figures.allInnerTexts())
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Total Bookings\s+1$/),
        expect.stringMatching(/^Pending\s+1$/),
        expect.stringMatching(/^Delivered\s+0$/),
      ]),
    );
});

journey("whatever part of the dashboard fails at first is told of", async ({ asha }) => {
  asha.expect(/500/);
  await signInAndSettle(asha, "/track");
  await dropPageData(asha.page, "/dashboard");
  for (const path of ["shipping/history/**", "wallet/transactions/**", "wallet/balance/"]) {
    const end = await answerCalls(asha.page, path, 500, {});
    await asha.page.goto("/dashboard");
    await checkState(asha, "dashboard-broken");
    await end();
    await asha.page.goto("/track");
    await asha.page.waitForLoadState("networkidle");
  }
});

journey("a tracking or dashboard section fails alone", async ({ asha }) => {
  asha.expect(/500/);
  await signInAndSettle(asha, "/track");
  await answerCalls(asha.page, "shipping/history/**", 500, {});
  await dropPageData(asha.page, "/dashboard");
  await asha.page.goto("/dashboard");
  await checkState(asha, "dashboard-bookings-broken");
  await asha.sees("No transactions found");
  await asha.sees("₹0.00");
});
