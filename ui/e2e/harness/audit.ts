import axe from "axe-core";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { LAPTOP, SIZES, type Visitor } from "./visitor";

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
    return wrong;
  });
  return [...found, ...(await widthFaults(page)), ...(await accessibilityFaults(page))];
}

/**
 * Looks at a page in the middle of a journey, by day and in the dark and in every size: fails on
 * faults, keeps pictures.
 */
export async function look(visitor: Visitor, name: string) {
  const { page } = visitor;
  const own = page.viewportSize() ?? LAPTOP;
  const found: string[] = [];
  // What goes by itself is still there in the visitor's own size.
  for (const size of [own, ...SIZES.filter(({ width }) => width !== own.width)]) {
    await page.setViewportSize(size);
    await visitor.photograph(`${size.width}/${name}`);
    for (const fault of await widthFaults(page)) found.push(`at ${size.width} px: ${fault}`);
  }
  await page.setViewportSize(own);
  await page.emulateMedia({ colorScheme: "dark" });
  for (const fault of await contrastFaults(page)) found.push(`dark: ${fault}`);
  await page.emulateMedia({ colorScheme: "light" });
  found.push(...(await accessibilityFaults(page)));
  found.push(...(await visitor.leftInEnglish()));
  if (found.length > 0) throw new Error(`${name}: ${found.join("\n")}`);
}

export async function widthFaults(page: Page): Promise<string[]> {
  const excess = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  return excess > 0 ? [`${excess} px too wide`] : [];
}

export function accessibilityFaults(page: Page): Promise<string[]> {
  return violations(page, {});
}

/** What differs by night: all else is the same page. */
export function contrastFaults(page: Page): Promise<string[]> {
  return violations(page, { runOnly: ["color-contrast"] });
}

async function violations(page: Page, only: object): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // Nobody reads the elements' selectors, and there is no style sheet that axe has to fetch.
  const options = { ...only, resultTypes: ["violations"], selectors: false, preload: false };
  const results = await page.evaluate((options) => window.axe.run(options), options);
  return results.violations.map(({ id, help, nodes }) => {
    const where = nodes.map((node) => node.html).join("\n    ");
    return `accessibility, ${id}: ${help}\n    ${where}`;
  });
}
