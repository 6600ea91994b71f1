import { mkdir, writeFile } from "node:fs/promises";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/** Every journey is looked at on a small phone and on a laptop. */
export const PHONE = { width: 360, height: 740 };
export const LAPTOP = { width: 1280, height: 800 };

const WAIT_MS_MAX = 10_000;

/**
 * One person at one browser, with cookies of their own. Whatever the browser complains about is
 * kept: console errors and warnings (hydration, content security policy), uncaught exceptions,
 * failed requests, answers of 400 and above, dialogs. `leave` fails unless all were expected.
 */
export class Visitor {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #problems: string[] = [];
  readonly #expected: RegExp[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    this.#watch(page);
  }

  static async arrive(browser: Browser, url: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      baseURL: url,
      viewport: LAPTOP,
      locale: "en-IN",
      timezoneId: "Asia/Kolkata",
      ...options,
    });
    context.setDefaultTimeout(WAIT_MS_MAX);
    return new Visitor(context, await context.newPage());
  }

  /** Requests that share this visitor's cookies but happen outside of the page. */
  get request() {
    return this.#context.request;
  }

  get context() {
    return this.#context;
  }

  /** From now on, problems that match are part of the journey. */
  expect(problem: RegExp) {
    this.#expected.push(problem);
  }

  /** Waits until the text can be seen. */
  async sees(text: string | RegExp) {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor();
  }

  /** Fills fields by their labels. */
  async fills(fields: Record<string, string>) {
    for (const [label, value] of Object.entries(fields)) {
      await this.page.getByLabel(label, { exact: true }).fill(value);
    }
  }

  async presses(button: string) {
    await this.page.getByRole("button", { name: button, exact: true }).click();
  }

  async follows(link: string) {
    await this.page.getByRole("link", { name: link, exact: true }).first().click();
  }

  /** Waits for the path, query included, both written without escapes. */
  async isAt(path: string | RegExp) {
    await this.page.waitForURL((url) => {
      const at = decodeURIComponent(url.pathname + url.search);
      return typeof path === "string" ? at === path : path.test(at);
    });
  }

  async photograph(name: string) {
    // What is fixed to the window stands where the page is scrolled to.
    await this.page.evaluate(() => window.scrollTo(0, 0));
    await this.page.screenshot({ path: `artefacts/screens/${name}.png`, fullPage: true });
  }

  /** Ends the visit. Keeps a picture and the complaints when the journey failed. */
  async leave(journey: string, failed: boolean) {
    const surprises = this.#problems.filter((text) => !this.#expected.some((e) => e.test(text)));
    if (failed || surprises.length > 0) await this.#keep(journey);
    await this.#context.close();
    if (surprises.length > 0) throw new Error(`the browser complained:\n${surprises.join("\n")}`);
  }

  #watch(page: Page) {
    const note = (problem: string) => this.#problems.push(problem);
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
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
