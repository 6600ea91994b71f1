import { mkdirSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { signIn } from "./harness/customer";
import { bookParcel } from "./harness/setup";
import { journey } from "./harness/journey";
import { scaleMs } from "./harness/patience";
import { TOUCHED, type Visitor } from "./harness/visitor";

/** A phone far from the city: 400 kbit/s, 400 ms there and back, a fourth of our speed. */
const BYTES_A_SECOND = 400_000 / 8;
const LATENCY_MS = 400;
const CPU_SLOWER = 4;

/** Looked at by somebody who is not logged in. */
const PUBLIC: readonly string[] = ["/terms-and-conditions", "/login"];

type Times = {
  first_paint_ms: number;
  largest_paint_ms: number;
  layout_shift: number;
  interactive_ms: number | null;
};

declare global {
  interface Window {
    seen: { largest: number; shift: number; interactive: number };
  }
}

type Entry = PerformanceEntry & { value: number };

/** Slows network and processor, and lets the page note its own times from its first byte on. */
async function slows({ page, context }: Visitor) {
  await page.addInitScript(() => {
    const seen = { largest: 0, shift: 0, interactive: 0 };
    window.seen = seen;
    const watch = (type: string, note: (entry: Entry) => void) =>
      new PerformanceObserver((list) => (list.getEntries() as Entry[]).forEach(note)).observe({
        type,
        buffered: true,
      });
    watch("largest-contentful-paint", (entry) => (seen.largest = entry.startTime));
    watch("layout-shift", (entry) => (seen.shift += entry.value));
    const timer = setInterval(() => {
      if (document.querySelector("html[data-hydrated]") === null) return;
      seen.interactive = performance.now();
      clearInterval(timer);
    }, 20);
  });
  const chromium = await context.newCDPSession(page);
  await chromium.send("Network.enable");
  await chromium.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_A_SECOND,
    uploadThroughput: BYTES_A_SECOND,
  });
  await chromium.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWER });
}

async function measureTimes({ page }: Visitor, path: string, script: boolean): Promise<Times> {
  await page.goto(path);
  if (script) await page.waitForFunction(() => window.seen.interactive > 0);
  await page.waitForLoadState("networkidle");
  return page.evaluate((hasScript) => {
    const { seen } = window;
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return {
      first_paint_ms: Math.round(paint?.startTime ?? NaN),
      largest_paint_ms: Math.round(seen.largest),
      layout_shift: seen.shift,
      interactive_ms: hasScript ? Math.round(seen.interactive) : null,
    };
  }, script);
}

journey(
  "on a slow phone a page can be read before its script is there, and nothing moves",
  async ({ visit, server }) => {
    const { customer } = await bookParcel(server);
    const found: Record<string, Times> = {};
    for (const [path, script] of [
      ["/terms-and-conditions", false],
      ["/login", true],
      ["/dashboard", true],
      ["/courier", true],
      ["/calculate", true],
      ["/bookings", true],
      ["/track", true],
      ["/recharge", true],
    ] as const) {
      // Nothing is in this visitor's cache.
      const asha = await visit(TOUCHED);
      asha.page.setDefaultTimeout(scaleMs(60_000));
      if (!PUBLIC.includes(path)) await signIn(asha, customer);
      await slows(asha);
      found[path] = await measureTimes(asha, path, script);
    }
    mkdirSync("artefacts", { recursive: true });
    writeFileSync("artefacts/slow-network.json", JSON.stringify(found, null, 2));
    console.table(found);
    for (const [path, seen] of Object.entries(found)) {
      expect(seen.layout_shift, path).toBe(0);
      expect(seen.first_paint_ms, path).toBeGreaterThan(0);
      expect(seen.first_paint_ms, path).toBeLessThan(seen.interactive_ms ?? Infinity);
    }
  },
);
