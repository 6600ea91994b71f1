import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import { build } from "esbuild";
import type { Page, ViewportSize } from "playwright-core";
import { options, pages } from "../../../ssr-bundle/build.mjs";
import { LAPTOP, SIZES, type Visitor } from "./visitor";

/** Every page reads it anew: it has half the bytes of `axe.source`. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Notes that a page takes about itself while it loads; see `observe`. */
type Observed = { first: Element | null; sent: Element | null; shifts: string[] };

declare global {
  interface Window {
    observed: Observed;
    axe: { run: (options: unknown) => Promise<AxeResults> };
    differences: (sent: Element) => string[];
  }
}

/** Call before the first page: keeps the server's markup and every shift of the layout. */
export async function observe(page: Page) {
  await page.addInitScript(() => {
    const observed: Observed = { first: null, sent: null, shifts: [] };
    window.observed = observed;
    new MutationObserver((_, observer) => {
      observed.first = document.querySelector("#root > *");
      if (observed.first !== null) observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
    // The script comes after all is read, and the document is as the server drew it until then.
    document.addEventListener("readystatechange", () => {
      const root = document.getElementById("root");
      if (document.readyState === "interactive" && root !== null)
        observed.sent = root.cloneNode(true) as Element;
    });
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        const nodes = entry.sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 200));
        observed.shifts.push(`${entry.value} in ${nodes.join(" and ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/**
 * Everything wrong with the page as it stands, in words; empty when nothing is. A page without
 * scripts must stay as it was sent.
 */
export async function faults(page: Page, hasScript: boolean): Promise<string[]> {
  const shifts = await page.evaluate(() => window.observed.shifts);
  const found = shifts.map((shift) => `layout shift: ${shift}`);
  const scripts = await page.locator("script[type=module]").count();
  if (scripts !== Number(hasScript)) found.push(`${scripts} scripts`);
  if (hasScript) found.push(...(await hydrationFaults(page)));
  return [...found, ...(await widthFaults(page)), ...(await accessibilityFaults(page))];
}

async function hydrationFaults(page: Page): Promise<string[]> {
  await page.evaluate(await buildDrawScript());
  return page.evaluate(() => {
    const { first, sent } = window.observed;
    const wrong: string[] = [];
    if (first === null || sent === null) wrong.push("the server sent no markup");
    else if (!first.isConnected) wrong.push("the browser threw the server's markup away");
    else wrong.push(...window.differences(sent));
    if (!("hydrated" in document.documentElement.dataset)) wrong.push("it was not hydrated");
    return wrong;
  });
}

let drawing: Promise<string> | undefined;

/** The script that draws a page anew, to hold it to what the server drew. */
function buildDrawScript(): Promise<string> {
  drawing ??= build({
    ...options,
    entryPoints: [fileURLToPath(new URL("draw.tsx", import.meta.url))],
    plugins: [pages],
    write: false,
    metafile: false,
    outfile: "draw.js",
  }).then(({ outputFiles }) => outputFiles?.[0]?.text ?? "");
  return drawing;
}

/**
 * Looks at a page in the middle of a journey, by day and in the dark and in every size: fails on
 * faults, keeps pictures. Nothing can be asked of a page without script.
 */
export async function look(visitor: Visitor, name: string) {
  if (!visitor.hasScript) return;
  const { page } = visitor;
  const own = page.viewportSize() ?? LAPTOP;
  const found: string[] = [];
  // A notice that goes by itself is still there in the visitor's own size.
  for (const size of [own, ...SIZES.filter(({ width }) => width !== own.width)]) {
    await page.setViewportSize(size);
    await visitor.photograph(`${size.width}/${name}`);
    for (const fault of await widthFaults(page)) found.push(`at ${size.width} px: ${fault}`);
  }
  await page.setViewportSize(own);
  await page.emulateMedia({ colorScheme: "dark" });
  for (const fault of await contrastFaults(page)) found.push(`dark: ${fault}`);
  await visitor.photograph(`dark/${name}`);
  await page.emulateMedia({ colorScheme: "light" });
  found.push(...(await accessibilityFaults(page)));
  found.push(...(await visitor.leftInEnglish()));
  if (found.length > 0) throw new Error(`${name}: ${found.join("\n")}`);
}

/** Looks at a page from each of these screens in turn, and leaves it on the last. */
export async function lookOn(screens: readonly ViewportSize[], visitor: Visitor, name: string) {
  for (const screen of screens) {
    await visitor.page.setViewportSize(screen);
    await look(visitor, name);
  }
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

/** Faults of contrast, which differ by night: all else is the same page. */
export function contrastFaults(page: Page): Promise<string[]> {
  return violations(page, { runOnly: ["color-contrast"] });
}

async function violations(page: Page, only: object): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  // Nobody reads the elements' selectors, and there is no style sheet that axe has to fetch.
  const options = { ...only, resultTypes: ["violations"], selectors: false, preload: false };
  const results = await page.evaluate((options) => window.axe.run(options), options);
  return results.violations.map(({ id, help, nodes }) => {
    const where = nodes.map((node) => node.html).join("\n    ");
    return `accessibility, ${id}: ${help}\n    ${where}`;
  });
}
