import { expect } from "vitest";
import { widthFaults } from "./harness/audit";
import { signInNewCustomer } from "./harness/customer";
import { journey } from "./harness/journey";
import { signInWithMoney } from "./harness/setup";
import { fillsWizard } from "./harness/steps";
import { NARROWEST, PHONE } from "./harness/visitor";

const PATHS = ["/dashboard", "/courier", "/recharge", "/bookings", "/addresses", "/track", "/help"];

journey("text at 200 % stays on a phone's screen and covers no other text", async ({ visit }) => {
  const asha = await visit({ viewport: PHONE });
  const { page } = asha;
  await signInNewCustomer(asha);
  const wrong: string[] = [];
  for (const path of PATHS) {
    await page.goto(path);
    // As a phone with a large font does: all sizes are multiples of the root's.
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    for (const size of [PHONE, NARROWEST]) {
      await page.setViewportSize(size);
      await asha.photograph(`${size.width}/large-text${path.replaceAll("/", "-")}`);
      const found = [...(await widthFaults(page)), ...(await page.evaluate(overlaps))];
      wrong.push(...found.map((fault) => `${path} at ${size.width} px: ${fault}`));
    }
  }
  expect(wrong).toEqual([]);
});

for (const locale of ["en-IN", "hi-IN"]) {
  journey(`the wizard's buttons have one line on a phone, in ${locale}`, async ({ visit }) => {
    const asha = await visit({ locale, viewport: PHONE });
    const { page } = asha;
    await signInWithMoney(asha);
    const wrong: string[] = [];
    await fillsWizard(asha, async (step) => {
      for (const size of [NARROWEST, PHONE]) {
        await page.setViewportSize(size);
        await asha.photograph(`${size.width}/buttons-${step}-${locale}`);
        const found = [...(await widthFaults(page)), ...(await page.evaluate(brokenButtons))];
        wrong.push(...found.map((fault) => `${step} at ${size.width} px: ${fault}`));
      }
    });
    expect(wrong).toEqual([]);
  });
}

/** Buttons of the bar at the bottom whose words are in two lines. */
function brokenButtons(): string[] {
  const buttons = [...document.querySelectorAll(".action-bar .actions button")];
  if (buttons.length === 0) return ["there is no button"];
  return buttons
    .filter((button) => {
      const range = document.createRange();
      range.selectNodeContents(button);
      const line = Number.parseFloat(getComputedStyle(button).fontSize);
      return range.getBoundingClientRect().height > 2 * line;
    })
    .map((button) => `“${button.textContent}” is in two lines`);
}

/**
 * Labels of the navigation and parts of the header that overlap, texts of the header that are cut,
 * and amounts in two lines.
 */
function overlaps(): string[] {
  const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
  const textOf = (element: Element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };
  const labels = [...document.querySelectorAll(".navigation ul:first-child a")].map(textOf);
  const balance = document.querySelector(".account-balance");
  const pairs = [
    ...labels.slice(1).map((label, at) => ["navigation", labels[at], label] as const),
    ["the last label", labels.at(-1), new DOMRect(window.innerWidth)] as const,
    ["brand", box(".brand"), box(".account")] as const,
    ["balance", balance && textOf(balance), box(".account + *")] as const,
  ];
  const lineOf = (element: Element) => 2 * Number.parseFloat(getComputedStyle(element).fontSize);
  const broken = [...document.querySelectorAll(".amount")]
    .filter((amount) => textOf(amount).height > lineOf(amount))
    .map((amount) => `${amount.textContent} is in two lines`);
  const header = box(".header") ?? new DOMRect();
  const isCut = (element: Element) => {
    const text = textOf(element);
    const frame = element.parentElement?.getBoundingClientRect() ?? header;
    return (
      text.left < frame.left - 1 ||
      text.right > frame.right + 1 ||
      text.top < header.top - 1 ||
      text.bottom > header.bottom + 1
    );
  };
  const cut = [...document.querySelectorAll(".brand span, .account > *")]
    .filter(isCut)
    .map((element) => `${element.textContent} in the header is cut`);
  return pairs
    .filter(([, before, after]) => before && after && before.right > after.left + 1)
    .map(([name]) => `${name} lies upon what follows it`)
    .concat(cut, broken);
}
