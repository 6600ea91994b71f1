import { expect } from "vitest";
import { look } from "../harness/audit";
import { signInNewCustomer } from "../harness/customer";
import { signInWithBooking } from "../harness/setup";
import { journey } from "../harness/journey";
import { drawInBrowser } from "../harness/network";
import { LAPTOP, PHONE, TABLET, type Visitor } from "../harness/visitor";

const REM = 16;

async function box(visitor: Visitor, selector: string) {
  const found = await visitor.page.locator(selector).boundingBox();
  if (found === null) throw new Error(`${selector} is not there`);
  return found;
}

journey("the header, the strip and the side panel have their fixed sizes", async ({ asha }) => {
  await signInNewCustomer(asha);
  for (const viewport of [PHONE, TABLET, LAPTOP]) {
    await asha.page.setViewportSize(viewport);
    await asha.page.goto("/recharge");
    const side = viewport.width >= TABLET.width;
    expect((await box(asha, "header.header")).height).toBe(4 * REM);
    // Fixed: further down the page they stand where they stood.
    await asha.page.evaluate(() => window.scrollTo(0, 200));
    const navigation = await box(asha, "nav[aria-label=Main]");
    const main = await box(asha, "main");
    if (side) {
      expect(navigation).toMatchObject({ x: 0, y: 4 * REM });
      expect(navigation.width).toBe(16 * REM);
      expect(main.x).toBeGreaterThanOrEqual(16 * REM);
    } else {
      // Where the thumb is.
      expect(navigation).toMatchObject({ x: 0, y: viewport.height - 3 * REM });
      expect(navigation.height).toBe(3 * REM);
      const over = await asha.page
        .locator("nav[aria-label=Main]")
        .evaluate((nav) => getComputedStyle(nav).overflowX);
      expect(over).toBe("auto");
    }
  }
});

journey("every page says Sandbox, and the wizard below its steps", async ({ asha }) => {
  await signInNewCustomer(asha, "/dashboard");
  await asha.page.setViewportSize(PHONE);
  for (const [path, isBelow] of [
    ["/dashboard", false],
    ["/courier", true],
  ] as const) {
    await asha.page.goto(path);
    const notice = await box(asha, "aside[aria-label=Sandbox]");
    const main = await box(asha, "main");
    expect(notice.y > main.y, path).toBe(isBelow);
  }
});

journey("somebody logged out sees the content centred and no menus", async ({ guest }) => {
  for (const viewport of [PHONE, LAPTOP]) {
    await guest.page.setViewportSize(viewport);
    await guest.page.goto("/login");
    await expect.poll(() => guest.page.locator("nav[aria-label=Main]").count()).toBe(0);
    const { x, width } = await box(guest, "main .card");
    const whole = await guest.page.evaluate(() => document.body.clientWidth);
    expect(Math.abs(x + width / 2 - whole / 2)).toBeLessThanOrEqual(1);
  }
});

journey("Logout stands in the header where it is wide", async ({ asha }) => {
  await signInNewCustomer(asha, "/dashboard");
  const logout = asha.page.locator("header > .logout");
  for (const viewport of [PHONE, TABLET]) {
    await asha.page.setViewportSize(viewport);
    await expect.poll(() => logout.isVisible()).toBe(false);
  }
  await asha.page.setViewportSize(LAPTOP);
  await logout.getByRole("button", { name: "Logout" }).click();
  await asha.isAt("/login");
});

journey("a booking and a movement are two lines on a phone and a tablet", async ({ visit }) => {
  const asha = await visit({ viewport: PHONE });
  const { awb } = await signInWithBooking(asha, "/dashboard");
  const rows = asha.page.locator(".table-lines tbody tr");
  for (const viewport of [PHONE, TABLET]) {
    await asha.page.setViewportSize(viewport);
    for (const row of await rows.all()) {
      expect((await row.boundingBox())?.height).toBeLessThanOrEqual(8 * REM);
    }
  }
  const texts = await rows.allInnerTexts();
  expect(texts[0]).toContain(awb);
  expect(texts[1]).toMatch(new RegExp(`^Courier booking ${awb}\\s+− ₹`));
  expect(texts[2]).toContain("+ ₹5,000.00");
});

journey("amounts, charts and tables fit where they stand", async ({ visit }) => {
  const asha = await visit({ viewport: PHONE });
  const { page } = asha;
  const profile = page.locator(".key-figure dd");
  await signInWithBooking(asha, "/dashboard");
  await asha.sees("Recent Bookings");
  // One month is no picture.
  await expect.poll(() => page.getByText("Last 6 months").count()).toBe(0);
  await drawInBrowser(page, "/dashboard", (json) =>
    json.replaceAll(/"bookings":0,"amount":0(\.0+)?/g, '"bookings":41,"amount":1234567.9'),
  );
  await page.reload();
  await asha.sees("Last 6 months");
  await asha.sees("₹12L");
  // An amount in lakhs stands in one line too.
  const heights = await profile.evaluateAll((figures) =>
    figures.map((figure) => {
      figure.textContent = "₹12,34,567.90";
      return [figure.clientHeight, figure.scrollWidth - figure.clientWidth];
    }),
  );
  for (const [height, excess] of heights) {
    expect(height).toBeLessThanOrEqual(2 * REM);
    expect(excess).toBe(0);
  }
  for (const viewport of [PHONE, TABLET, LAPTOP]) {
    await page.setViewportSize(viewport);
    const card = await box(asha, ".card:has(.bar-charts)");
    const charts = await page.locator(".bar-chart").evaluateAll((all) =>
      all.map((chart) => {
        const { left, right } = chart.getBoundingClientRect();
        const svg = chart.querySelector("svg")?.getBoundingClientRect();
        return { left, right, width: svg?.width ?? 0, own: right - left };
      }),
    );
    const right = Math.max(...charts.map((chart) => chart.right));
    expect(card.x + card.width - right).toBeLessThanOrEqual(2 * REM);
    for (const { width, own } of charts) expect(Math.abs(width - own)).toBeLessThanOrEqual(1);
    // Beside the side panel of a tablet there is no room for columns.
    const head = page.locator(".table thead").first();
    await expect.poll(() => head.isVisible()).toBe(viewport === LAPTOP);
    const hidden = await page
      .locator(".table-frame")
      .evaluateAll((frames) => frames.map((frame) => frame.scrollWidth - frame.clientWidth));
    expect(Math.max(...hidden)).toBe(0);
  }
  await look(asha, "dashboard-fits");
  await page.goto("/dashboard?tab=bookings");
  await look(asha, "dashboard-fits-bookings");
  await page.goto("/dashboard?tab=transactions");
  await look(asha, "dashboard-fits-transactions");
});
