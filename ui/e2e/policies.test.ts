import { expect } from "vitest";
import screens from "../src/screens.json";
import { accessibilityFaults } from "./harness/audit";
import { signInNewCustomer } from "./harness/customer";
import { markupFaults } from "./harness/markup";
import { journey } from "./harness/journey";
import { LAPTOP, PHONE, TABLET, type Visitor } from "./harness/visitor";

const runningScripts = ({ page }: Visitor) =>
  page.locator("script:not([type='application/ld+json'])").count();

const policies = screens.filter(({ screen }) =>
  ["terms", "privacy", "refund", "shipping"].includes(screen),
);

journey(
  "there are four policies, and the footer of every screen leads to them",
  async ({ asha }) => {
    expect(policies).toHaveLength(4);
    await asha.page.goto("/login");
    for (const { path } of policies) {
      await asha.page.locator(`footer a[href="${path}"]`).click();
      await asha.isAt(path);
    }
  },
);

for (const { screen, path, title } of policies) {
  journey(`${path} is a complete page without any script`, async ({ asha, server }) => {
    const source = await (await fetch(`${server.url}${path}`)).text();
    // The data for search engines about the operator is no script.
    const running = source.replaceAll('<script type="application/ld+json">', "");
    expect(running).not.toMatch(/<script|modulepreload|\son\w+=/i);

    expect(await markupFaults(asha, path)).toEqual([]);
    for (const viewport of [LAPTOP, TABLET, PHONE]) {
      await asha.page.setViewportSize(viewport);
      await asha.page.goto(path);
      await expect.poll(() => asha.page.title()).toBe(title);
      expect(await runningScripts(asha)).toBe(0);
      await expect.poll(() => asha.page.locator("main").innerText()).toMatch(/\w{2,}/);
      const width = await asha.page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(viewport.width);
      expect(await accessibilityFaults(asha.page)).toEqual([]);
      await asha.photograph(`${viewport.width}/${screen}`);
    }
  });
}

journey("a policy is the same page for someone who is logged in", async ({ asha }) => {
  await signInNewCustomer(asha, "/terms-and-conditions");
  expect(await runningScripts(asha)).toBe(0);
});

journey("the policies name the periods they promise", async ({ asha }) => {
  await asha.page.goto("/refund-cancellation-policy");
  await asha.sees(/15 days/);
  await asha.sees(/30 days/);
  await asha.page.goto("/shipping-policy");
  await asha.sees(/60 days/);
  await asha.page.goto("/terms-and-conditions");
  for (const days of [/15 days of receipt/, /60 days/]) await asha.sees(days);
});

journey(
  "the terms say who is liable for a delay, and lead to the shipping policy",
  async ({ visit }) => {
    for (const [locale, sentence] of [
      ["en-IN", /we are not liable for the delay/],
      ["hi-IN", /देरी के लिए हम उत्तरदायी नहीं हैं/],
    ] as const) {
      const asha = await visit({ locale });
      await asha.page.goto("/terms-and-conditions");
      const paragraph = asha.page.locator("main p").filter({ hasText: sentence });
      await expect
        .poll(() => paragraph.locator("a").getAttribute("href"))
        .toMatch(/\/shipping-policy$/);
    }
  },
);
