import { expect } from "vitest";
import { signInWithBooking } from "./harness/setup";
import { journey } from "./harness/journey";
import { untilHydrated } from "./harness/network";
import { PHONE } from "./harness/visitor";

journey("a navigation is one request, to the page's own address", async ({ asha, page }) => {
  await signInWithBooking(asha, "/dashboard");
  await untilHydrated(page);
  await page.waitForLoadState("networkidle");
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith("/assets/")) asked.push(`${request.method()} ${pathname}${search}`);
  });
  for (const [link, at] of [
    ["Bookings", "/dashboard?tab=bookings"],
    ["Transactions", "/dashboard?tab=transactions"],
    ["Courier", "/courier"],
    ["Calculate", "/calculate"],
    ["Recharge", "/recharge"],
    ["Address book", "/addresses"],
    ["All bookings", "/bookings"],
    ["Dashboard", "/dashboard"],
  ] as const) {
    asked.length = 0;
    await asha.follows(link);
    await asha.isAt(at);
    await page.waitForLoadState("networkidle");
    expect(asked).toEqual([`GET ${at}`]);
  }
});

journey("Back leads to where one was, and a new page begins at its heading", async ({ visit }) => {
  const asha = await visit({ viewport: PHONE });
  const { page } = asha;
  const { awb } = await signInWithBooking(asha, "/dashboard");
  await untilHydrated(page);
  await page.evaluate(() => window.scrollTo(0, 400));
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
  await expect.poll(scrolled).toBe(400);
  await asha.follows(awb);
  await page.locator("main h1", { hasText: awb }).waitFor();
  await expect.poll(() => scrolled()).toBe(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(awb);
  await page.goBack();
  await page.locator("main h1", { hasText: "Dashboard" }).waitFor();
  await expect.poll(scrolled).toBe(400);
  await page.goForward();
  await page.locator("main h1", { hasText: awb }).waitFor();
  await expect.poll(scrolled).toBe(0);
});
