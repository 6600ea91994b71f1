import { mkdir, writeFile } from "node:fs/promises";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { hindi } from "../../src/words/hindi";
import { englishWords, type UiText, type Words } from "../../src/words/words";
import { scaleMs } from "./patience";
import type { Server } from "./server";

/** The narrowest screen that is promised. */
export const NARROWEST = { width: 320, height: 640 };
/** Windows that journeys are looked at in. */
export const PHONE = { width: 360, height: 740 };
export const TABLET = { width: 768, height: 1024 };
export const LAPTOP = { width: 1280, height: 800 };
export const DESKTOP = { width: 1920, height: 1080 };
/** A phone that is one to the browser too. */
export const TOUCHED = { viewport: PHONE, hasTouch: true, isMobile: true };
export const DEVICES = [
  ["a laptop", { viewport: LAPTOP }],
  ["a phone", TOUCHED],
] as const;
/** Browsers that run scripts and browsers that run none. */
export const SCRIPTS = [
  { how: "with", script: true },
  { how: "without", script: false },
] as const;
/** True if there is time for pictures of every state by every light. */
export const LOOKS = process.env["DAKIYA_PROVE"] === "looks";
/** The sizes that every state is looked at in. */
export const SIZES = LOOKS ? [LAPTOP, TABLET, PHONE, DESKTOP] : [LAPTOP, TABLET, PHONE];
/** A laptop at 200 %: half as many CSS pixels. */
export const ZOOMED = { width: 640, height: 400 };

/** Nobody waits so long unless something is wrong. */
const WAIT_MS_MAX = scaleMs(30_000);

/** Names and terms of the trade that are the same in every language, and our customers' own. */
const NAMES = new Set(
  [
    "Dakiya English AWB DK DN GST GSTIN CGST SGST IGST KYC OTP MSME ID TAN HSN PhonePe UPI",
    "WhatsApp CSV PDF JPEG PNG MB INR USD EUR UT kg Sample Couriers Private Limited Surface Air cm",
    "Heavy DHL Express Worldwide United States New York Delhi Bengaluru Karnataka India House",
    "FedEx UPS IEC Janpath MG Road Asha Rao Ravi Kumar Marg Handicrafts Brass lamps example com",
    "Chrome Linux Officer",
  ]
    .join(" ")
    .split(" "),
);

/** Addresses of email, numbers with letters in them, whole or mostly hidden, and random keys. */
const CODES = /\S*(@|\d|X{4}|[\w-]{20})\S*/g;

/**
 * One person at one browser, with cookies of their own. Whatever the browser complains about is
 * kept: console errors and warnings (hydration, content security policy), uncaught exceptions,
 * failed requests, answers of 400 and above, dialogs. `leave` fails unless all were expected.
 */
export class Visitor {
  /** The tab. */
  page!: Page;
  /** The product's words, in the visitor's language. */
  readonly t: Words;
  readonly hasScript: boolean;
  readonly context: BrowserContext;
  /** The server that they visit. */
  readonly server: Server;
  readonly #problems: string[] = [];
  readonly #expected: RegExp[] = [];

  private constructor(server: Server, context: BrowserContext, t: Words, hasScript: boolean) {
    this.server = server;
    this.context = context;
    this.hasScript = hasScript;
    this.t = t;
  }

  static async arrive(browser: Browser, server: Server, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: LAPTOP,
      locale: "en-IN",
      timezoneId: "Asia/Kolkata",
      // A worker's own requests would pass by what a journey does to the network.
      serviceWorkers: "block",
      ...options,
    });
    context.setDefaultTimeout(WAIT_MS_MAX);
    const t = options.locale === "hi-IN" ? hindi.words : englishWords;
    const visitor = new Visitor(server, context, t, options.javaScriptEnabled !== false);
    // Chromium says so of every script that it does not even fetch.
    if (!visitor.hasScript) visitor.expect(/^csp: GET .*\.js$/);
    await visitor.#opensTab();
    return visitor;
  }

  /** Requests that share this visitor's cookies but happen outside of the page. */
  get request() {
    return this.context.request;
  }

  /** From now on, problems that match are part of the journey. */
  expect(problem: RegExp) {
    this.#expected.push(problem);
  }

  /** Waits until the text can be seen. */
  async sees(text: UiText | RegExp) {
    const written = text instanceof RegExp ? text : this.t(text);
    await this.page.getByText(written).filter({ visible: true }).first().waitFor();
  }

  /** Fills fields by their labels. */
  async fills(fields: Record<string, string>) {
    for (const [label, value] of Object.entries(fields)) {
      await this.page.getByLabel(this.t(label), { exact: true }).fill(value);
    }
  }

  async presses(button: UiText) {
    await this.page.getByRole("button", { name: this.t(button), exact: true }).click();
  }

  /** Opens the menu of the account, which has what is used seldom. */
  async opensAccount() {
    await this.page.locator("header summary").click();
  }

  async logsOut() {
    await this.opensAccount();
    const menu = this.page.locator("header .menu-list");
    await menu.getByRole("button", { name: this.t("Logout") }).click();
  }

  async follows(link: string) {
    await this.page
      .getByRole("link", { name: this.t(link), exact: true })
      .first()
      .click();
  }

  /** Waits for the path, query included, both written without escapes. */
  async isAt(path: string | RegExp) {
    await this.page.waitForURL((url) => {
      const at = decodeURIComponent(url.pathname + url.search);
      return typeof path === "string" ? at === path : path.test(at);
    });
  }

  /** Words of English on the screen of somebody who reads Hindi, but for names. */
  async leftInEnglish(): Promise<string[]> {
    const elsewhere = new URL(this.page.url()).origin !== this.server.url;
    if (this.t === englishWords || elsewhere) return [];
    const seen = (await this.page.locator("body").innerText()).replace(CODES, " ");
    const words = new Set(seen.match(/[A-Za-z]{2,}/g));
    return [...words].filter((word) => !NAMES.has(word)).map((word) => `in English: ${word}`);
  }

  /** The tab dies without a last word, as on a phone that needs its memory; a new one opens. */
  async losesTab() {
    const died = this.page.waitForEvent("crash");
    const devtools = await this.context.newCDPSession(this.page);
    devtools.send("Page.crash").catch(() => undefined);
    await died;
    await this.page.close();
    await this.#opensTab();
  }

  /** Keeps a picture of the whole page, where there is time for pictures. */
  async photograph(name: string) {
    if (!LOOKS) return;
    // A part that is fixed to the window stands where the page is scrolled to.
    await this.page.evaluate(() => window.scrollTo(0, 0));
    // A JPEG is drawn in a fifth of the time that a PNG takes.
    const path = `artefacts/screens/${name}.jpeg`;
    await this.page.screenshot({ path, quality: 70, fullPage: true });
  }

  /** Ends the visit. Keeps a picture and the complaints when the journey failed. */
  async leave(journey: string, failed: boolean) {
    const surprises = this.#problems.filter((text) => !this.#expected.some((e) => e.test(text)));
    if (failed || surprises.length > 0) await this.#keep(journey);
    await this.context.close();
    if (surprises.length > 0) throw new Error(`the browser complained:\n${surprises.join("\n")}`);
  }

  async #opensTab() {
    this.page = await this.context.newPage();
    this.#watch(this.page);
    if (this.hasScript) waitsForScript(this.page);
  }

  #watch(page: Page) {
    const note = (problem: string) => this.#problems.push(problem);
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      if (message.text().includes("registration blocked by Playwright")) return;
      note(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => note(`exception: ${error.stack ?? error.message}`));
    page.on("response", (response) => {
      if (response.status() < 400) return;
      note(`${response.status()}: ${response.request().method()} ${response.url()}`);
    });
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // A page that is left drops what it was still loading.
      if (reason !== "net::ERR_ABORTED") note(`${reason}: ${request.method()} ${request.url()}`);
    });
    page.on("dialog", (dialog) => {
      note(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  async #keep(journey: string) {
    const path = `artefacts/failures/${journey.replaceAll(/[^\w]+/g, "-")}`;
    await mkdir("artefacts/failures", { recursive: true });
    await writeFile(`${path}.txt`, [this.page.url(), ...this.#problems].join("\n"));
    await this.page.screenshot({ path: `${path}.png`, fullPage: true }).catch(() => undefined);
  }
}

/**
 * A page that is gone to, or loaded again, answers by its script before the journey goes on, unless
 * the journey says what it waits for. One that is never taken over is waited for a while.
 */
function waitsForScript(page: Page) {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const ready = page.locator("html:not(:has(script[type=module])), html[data-hydrated]");
  const answers = async (waitUntil: string | undefined) => {
    if (waitUntil !== undefined) return;
    const waiting = ready.waitFor({ state: "attached", timeout: scaleMs(10_000) });
    await waiting.catch(() => undefined);
  };
  page.goto = async (url, options) => {
    const answer = await goto(url, options);
    await answers(options?.waitUntil);
    return answer;
  };
  page.reload = async (options) => {
    const answer = await reload(options);
    await answers(options?.waitUntil);
    return answer;
  };
}
