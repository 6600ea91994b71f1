import { expect } from "vitest";
import { accessibilityFaults, contrastFaults, look, widthFaults } from "./harness/audit";
import { registerConfirmed, signIn, type Customer } from "./harness/customer";
import { bookParcel } from "./harness/setup";
import { readLetters, type InboxMessage } from "./harness/inbox";
import { journey } from "./harness/journey";
import { eventually } from "./harness/patience";
import type { Server } from "./harness/server";
import { LAPTOP, NARROWEST, PHONE, type Visitor } from "./harness/visitor";

/** The letter whose subject has these words, once it has left. */
async function letterOf(server: Server, customer: Customer, words: RegExp): Promise<InboxMessage> {
  return eventually(`a letter ${String(words)}`, async () =>
    (await readLetters(server, customer)).find(({ subject }) => words.test(subject)),
  );
}

/** Looks at a letter as a mail program shows it: by day, in the dark, on a phone and a desktop. */
async function inspect(visitor: Visitor, { html, subject }: InboxMessage, name: string) {
  const { page } = visitor;
  if (html === null) throw new Error(`${subject} has no HTML`);
  const wrong: string[] = [];
  await page.goto("about:blank");
  await page.setContent(html);
  for (const size of [NARROWEST, PHONE, LAPTOP]) {
    await page.setViewportSize(size);
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      wrong.push(...(await widthFaults(page)), ...(await contrastFaults(page)));
      wrong.push(...(await page.evaluate(brokenValues)));
      const folder = scheme === "dark" ? "dark" : String(size.width);
      if (size !== NARROWEST) await visitor.photograph(`${folder}/letter-${name}-${size.width}`);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  wrong.push(...(await accessibilityFaults(page)));
  expect(wrong, subject).toEqual([]);
}

/** Values of the tables with a break within a word, or within a group of a long number. */
function brokenValues(): string[] {
  const isBroken = (node: Node) =>
    [...(node.textContent ?? "").matchAll(/[^\s-]+/g)].some(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
    });
  const values = [...document.querySelectorAll("td")];
  const broken = values.filter((value) => [...value.childNodes].some(isBroken));
  return broken.map((value) => `${value.textContent} is broken`);
}

journey("letters are readable everywhere and are ended by a link", async ({ visit, server }) => {
  const customer = await registerConfirmed(server);
  const asha = await visit({ viewport: LAPTOP });
  const { page } = asha;
  await signIn(asha, customer);
  const { awb } = await bookParcel(server, customer);
  const booked = await letterOf(server, customer, /Booked/);
  expect(booked.subject).toBe(`${awb}: Booked`);
  await inspect(asha, await letterOf(server, customer, /Confirm your/), "confirm");
  await inspect(asha, await letterOf(server, customer, /Welcome/), "welcome");
  await inspect(asha, await letterOf(server, customer, /recharged/), "receipt");
  await inspect(asha, booked, "booked");
  await page.setViewportSize(LAPTOP);

  await page.goto(`${server.sandboxUrl}/__sim/inbox`);
  const frame = page.frameLocator("iframe").first();
  await frame.getByRole("heading").first().waitFor();
  await asha.photograph("1280/letter-inbox");

  await page.goto(booked.unsubscribe ?? "");
  await asha.sees("When a booking is confirmed");
  await look(asha, "letters-off-1");
  await asha.presses("Switch them off");
  await asha.sees("You get no more of these emails:");
  await look(asha, "letters-off-2");
  await asha.follows("Choose which emails you get");
  await asha.sees("Email notifications");
  const tick = page.getByLabel("When a booking is confirmed");
  await expect.poll(() => tick.isChecked()).toBe(false);
  await tick.check();
  await page.getByLabel("Alert me below (₹)").fill("500");
  await page.locator("form[action='/account/letters']").getByRole("button").click();
  await asha.sees("Preferences saved.");
  await expect.poll(() => page.getByLabel("When a booking is confirmed").isChecked()).toBe(true);
});

journey("letters in Hindi are readable everywhere", async ({ visit, server }) => {
  const customer = await registerConfirmed(server);
  const asha = await visit({ viewport: LAPTOP, javaScriptEnabled: false });
  await signIn(asha, customer);
  await asha.page.goto("/account");
  await asha.page.getByLabel("Language of emails and receipts").selectOption("hi");
  await asha.presses("Save language");
  await asha.sees("Preferences saved.");
  const { awb } = await bookParcel(server, customer);
  const booked = await letterOf(server, customer, new RegExp(awb));
  expect(booked.text).toContain("लेबल छापें");
  const other = await visit({ viewport: LAPTOP });
  await inspect(other, booked, "booked-hindi");
});
