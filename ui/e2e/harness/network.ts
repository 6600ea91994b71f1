import type { Page, Route } from "playwright-core";

/** From now on these calls are answered so, whatever is asked. Answers a way to end it. */
export async function answerCalls(page: Page, path: string, status: number, body: unknown) {
  const pattern = `**/api/v1/${path}`;
  await page.route(pattern, (route) => route.fulfill({ status, json: body }));
  return () => page.unroute(pattern);
}

/** From now on the browser draws this page itself, from what `change` makes of its data. */
export async function drawInBrowser(page: Page, path: string, change = (json: string) => json) {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    const drawn = /(<div id="root">).*(<\/div><script type="application\/json")(.*)/s;
    const text = await response.text();
    const body = text.replace(drawn, (_, open: string, close: string, rest: string) =>
      [open, close, change(rest)].join(""),
    );
    if (!body.includes('<div id="root"></div>')) throw new Error(`${path} is another document now`);
    await route.fulfill({ response, body });
  });
}

/** From now on this page comes without its data, as where the server could not load it. */
export async function dropPageData(page: Page, path: string) {
  await drawInBrowser(page, path, (json) =>
    json.replace(/"data":.*?\}<\/script>/s, '"data":null}</script>'),
  );
}

/** From now on a navigation to this page is answered so. Answers a way to end it. */
export async function answerPage(page: Page, path: string, status: number, body: unknown) {
  const answer = async (route: Route) => {
    if (route.request().headers()["accept"] !== "application/json") await route.fallback();
    else await route.fulfill({ status, json: body });
  };
  await page.route(`**${path}`, answer);
  return () => page.unroute(`**${path}`, answer);
}

/** From now on these calls reach nobody. Answers a way to end it. */
export async function cutOffCalls(page: Page, path: string) {
  const pattern = `**/api/v1/${path}`;
  await page.route(pattern, (route) => route.abort("internetdisconnected"));
  return () => page.unroute(pattern);
}

/** From now on these calls wait until they are let go. */
export function holdCalls(page: Page, path: string) {
  return holdRequests(page, `**/api/v1/${path}`);
}

/** Opens a page, no script of which arrives until it is let go. */
export async function opensWithoutScripts(page: Page, path: string) {
  const arrive = await holdRequests(page, "**/assets/*.js");
  await page.goto(path, { waitUntil: "commit" });
  return arrive;
}

async function holdRequests(page: Page, pattern: string) {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route(pattern, async (route) => {
    await opened;
    await route.continue().catch(() => undefined);
  });
  return () => open();
}

/** Waits until the page answers by script. */
export async function untilHydrated(page: Page) {
  await page.locator("html[data-hydrated]").waitFor();
}
