import axe from "axe-core";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** What a page keeps about itself while it loads; see `observe`. */
type Observed = { first: Element | null; shifts: string[] };

declare global {
  interface Window {
    observed: Observed;
    axe: { run: (options: unknown) => Promise<AxeResults> };
  }
}

/** Call before the first page: keeps the server's markup and every shift of the layout. */
export async function observe(page: Page) {
  await page.addInitScript(() => {
    const observed: Observed = { first: null, shifts: [] };
    window.observed = observed;
    new MutationObserver((_, observer) => {
      observed.first = document.querySelector("#root > *");
      if (observed.first !== null) observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        const nodes = entry.sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 200));
        observed.shifts.push(`${entry.value} in ${nodes.join(" and ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Everything wrong with the page as it stands, in words; empty when nothing is. */
export async function faults(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const { first, shifts } = window.observed;
    const wrong = shifts.map((shift) => `layout shift: ${shift}`);
    if (first === null) wrong.push("the server sent no markup");
    else if (!first.isConnected) wrong.push("the browser threw the server's markup away");
    else if (!Object.keys(first).some((key) => key.startsWith("__reactFiber")))
      wrong.push("the page was not hydrated");
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) wrong.push(`${scrollWidth - clientWidth} px too wide`);
    return wrong;
  });
  return [...found, ...(await accessibilityFaults(page))];
}

export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  return results.violations.map(({ id, help, nodes }) => {
    const where = nodes.map((node) => node.html).join("\n    ");
    return `accessibility, ${id}: ${help}\n    ${where}`;
  });
}
