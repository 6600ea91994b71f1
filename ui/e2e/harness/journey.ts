import { chromium, type BrowserContextOptions } from "playwright-core";
import { test } from "vitest";
import { startServer } from "./server";
import { Visitor } from "./visitor";

/** As root there is no sandbox; the rest keeps the browser from calling home. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/* eslint no-empty-pattern: ["error", { "allowObjectPatternsAsParameters": true }] */

/**
 * A test with the server of its file, its worker’s browser, and `visit`, which brings a visitor;
 * `asha`, at the tab `page`, and `guest` are visitors whose browser has nothing special. Every
 * visitor leaves when the test ends, and fails it if the browser complained.
 */
export const journey = journeyOn({});

/** A journey on a server with these variables, or under another name. */
export function journeyOn(variables: Record<string, string>, host?: string) {
  return test
    .extend("server", { scope: "file" }, async ({}, { onCleanup }) => {
      const server = await startServer(variables, host);
      onCleanup(server.stop);
      return server;
    })
    .extend("browser", { scope: "worker" }, async ({}, { onCleanup }) => {
      const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
      const browser = await chromium.launch({ executablePath, args: FLAGS });
      onCleanup(() => browser.close());
      return browser;
    })
    .extend("visit", async ({ server, browser, task }, { onCleanup }) => {
      const visitors: Visitor[] = [];
      onCleanup(async () => {
        const failed = task.result?.state === "fail";
        for (const visitor of visitors) await visitor.leave(task.name, failed);
      });
      return async (options: BrowserContextOptions = {}) => {
        const visitor = await Visitor.arrive(browser, server, options);
        visitors.push(visitor);
        return visitor;
      };
    })
    .extend("asha", ({ visit }) => visit())
    .extend("page", ({ asha }) => asha.page)
    .extend("guest", ({ visit }) => visit());
}
