import { expect } from "vitest";
import { look, widthFaults } from "./harness/audit";
import { signIn } from "./harness/customer";
import { bookParcel, signInWithBooking, type SentParcel } from "./harness/setup";
import { journey } from "./harness/journey";
import { NARROWEST, PHONE, SCRIPTS, type Visitor } from "./harness/visitor";

const idOf = async ({ reader, awb }: SentParcel) =>
  (await reader.get<{ id: string }>(`shipping/booking/${awb}/`)).id;

/** The number of lines that a word in an element takes. */
function linesOf(element: Element, word: string): number {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let lines = 0;
  while (texts.nextNode()) {
    const at = texts.currentNode.textContent?.indexOf(word) ?? -1;
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(texts.currentNode, at);
    range.setEnd(texts.currentNode, at + word.length);
    lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  }
  return lines;
}

/** The line of the list with this number. */
const lineOf = ({ page }: Visitor, awb: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("link", { name: awb, exact: true }) });

for (const { how, script } of SCRIPTS) {
  journey(`a booking is found, looked at and cancelled ${how} JavaScript`, async ({ visit }) => {
    const asha = await visit({ javaScriptEnabled: script });
    const sent = await signInWithBooking(asha, "/dashboard?tab=bookings");
    const id = await idOf(sent);
    await asha.follows("Search and filter");
    await asha.isAt("/bookings");
    await asha.sees("1 booking");
    await look(asha, "bookings-0-list");

    await asha.page.getByLabel("Search").fill("nobody like that");
    await asha.presses("Search");
    await asha.sees("No bookings match.");
    await look(asha, "bookings-1-none");
    await asha.follows("Clear the search");
    await asha.isAt("/bookings");

    await asha.page.getByLabel("Search").fill("ravi 9123");
    await asha.presses("Search");
    await lineOf(asha, sent.awb).getByText("Bengaluru").waitFor();
    await asha.follows("Delivered");
    await asha.sees("No bookings match.");
    await asha.page
      .getByRole("navigation", { name: "Status" })
      .getByText("Not handed over yet")
      .click();
    await asha.follows(sent.awb);
    await asha.isAt(`/bookings/${id}`);
    await asha.sees(
      "Drop the parcel off at 12 Sample Marg, New Delhi 110001, " +
        "until 7 pm (Mon to Sat, from 10 am).",
    );
    await asha.sees("Report a problem");
    await asha.sees("22 MG Road");
    await look(asha, "bookings-2-one");

    await asha.page.getByText("Cancel this booking").click();
    await asha.presses("Cancel booking");
    await asha.sees(/^Cancelled\. ₹[\d.]+ is back in your wallet\.$/);
    expect(new URL(asha.page.url()).pathname).toBe(`/bookings/${id}`);
    await look(asha, "bookings-3-cancelled");
  });

  journey(`ticked bookings are printed and cancelled ${how} JavaScript`, async ({ visit }) => {
    const asha = await visit({ javaScriptEnabled: script });
    asha.expect(/400: POST|status of 400/);
    const sent = await signInWithBooking(asha, "/bookings");
    const print = asha.page.getByRole("button", { name: "Print labels" });
    await expect.poll(() => print.isVisible(), { message: "nothing is ticked" }).toBe(false);
    await asha.page.getByLabel(`Choose ${sent.awb}`).check();
    const file = asha.page.waitForEvent("download");
    await asha.presses("Print labels");
    expect((await file).suggestedFilename()).toBe("dakiya-labels.pdf");

    await asha.presses("Cancel bookings");
    await asha.sees("Cancel bookings?");
    await look(asha, "bookings-4-asked");
    await asha.presses("Cancel booking");
    await asha.sees("Cancelled bookings");
    await asha.sees(/is back in your wallet\.$/);
    await look(asha, "bookings-5-done");
    await asha.follows("Back to bookings");
    // The result stands at the list's own address.
    await asha.page.getByText("is back in your wallet").waitFor({ state: "detached" });
    await asha.isAt("/bookings");
    await lineOf(asha, sent.awb).getByText("Cancelled", { exact: true }).waitFor();
  });
}

journey("a booking’s menu is used with the keyboard alone", async ({ asha, page }) => {
  const sent = await signInWithBooking(asha, "/bookings");
  const more = page.locator("summary").filter({ hasText: `More ${sent.awb}` });
  await more.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "A4 labels", exact: true }).waitFor();
  await look(asha, "bookings-6-menu");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await expect.poll(() => more.evaluate((here) => here === document.activeElement)).toBe(true);
  await expect
    .poll(() => page.getByRole("link", { name: "A4 labels", exact: true }).isVisible())
    .toBe(false);
  await page.keyboard.press("Enter");
  for (const next of ["View booking", "A4 labels", "Invoice", "Book again", "Track", "Cancel"]) {
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(next);
  }
  await page.keyboard.press("Enter");
  await asha.sees("Cancel bookings?");
});

journey("the list and a booking fit a narrow phone, in Hindi too", async ({ visit, server }) => {
  const sent = await bookParcel(server);
  const id = await idOf(sent);
  for (const locale of ["en-IN", "hi-IN"]) {
    const asha = await visit({ viewport: NARROWEST, locale });
    await signIn(asha, sent.customer);
    for (const path of ["/bookings", "/bookings?status=held", `/bookings/${id}`]) {
      await asha.page.goto(path);
      expect(await widthFaults(asha.page), `${path} in ${locale}`).toEqual([]);
      expect(await asha.leftInEnglish(), `${path} in ${locale}`).toEqual([]);
    }
  }
});

journey(
  "a phone shows an AWB in one line, and the search's button beside its field",
  async ({ visit, server }) => {
    const sent = await bookParcel(server);
    const asha = await visit({ viewport: PHONE });
    await signIn(asha, sent.customer);
    const tabs = ["bookings", "transactions"].map((tab) => `/dashboard?tab=${tab}`);
    for (const path of ["/bookings", "/dashboard", ...tabs]) {
      await asha.page.goto(path);
      const link = asha.page.locator("main a").filter({ hasText: sent.awb }).first();
      await expect.poll(() => link.evaluate(linesOf, sent.awb), { message: path }).toBe(1);
      expect(await widthFaults(asha.page), path).toEqual([]);
    }
    await asha.page.goto("/bookings");
    const field = await asha.page.getByRole("searchbox", { name: "Search" }).boundingBox();
    const button = await asha.page.getByRole("button", { name: "Search" }).boundingBox();
    expect(button?.width, "the button").toBeLessThan(field?.width ?? 0);
    expect(button?.y).toBe(field?.y);
  },
);
