import { expect } from "vitest";
import { look } from "./harness/audit";
import { signInNewCustomer } from "./harness/customer";
import { signInWithBooking } from "./harness/setup";
import { journey } from "./harness/journey";
import { LAPTOP, PHONE, type Visitor } from "./harness/visitor";

/** Complaints of a browser without a network. */
const OFFLINE = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/;

/** With the service worker in place, as a customer has it after their first visit. */
async function hasServiceWorker({ page }: Visitor) {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

journey(
  "without a network the last bookings seen are shown, and it goes on by itself",
  async ({ visit }) => {
    const asha = await visit({ serviceWorkers: "allow" });
    asha.expect(OFFLINE);
    const { awb } = await signInWithBooking(asha, "/dashboard");
    await hasServiceWorker(asha);
    await asha.context.setOffline(true);
    await asha.page.goto("/dashboard?tab=bookings");
    await asha.isAt("/offline?next=/dashboard?tab=bookings");
    for (const viewport of [LAPTOP, PHONE]) {
      await asha.page.setViewportSize(viewport);
      await asha.sees("You are offline");
      await asha.sees(awb);
      await look(asha, "offline");
    }
    await asha.context.setOffline(false);
    await asha.isAt("/dashboard?tab=bookings");
    await asha.sees("Asha Rao");
    await asha.sees(awb);

    await asha.logsOut();
    await asha.isAt("/login");
    await asha.context.setOffline(true);
    await asha.page.goto("/dashboard");
    await asha.sees("No bookings were seen yet");
    await expect.poll(() => asha.page.getByText(awb).count()).toBe(0);
  },
);

journey("without a network a reader of Hindi is told so in Hindi", async ({ visit, server }) => {
  const guest = await visit({ serviceWorkers: "allow", locale: "hi-IN" });
  guest.expect(OFFLINE);
  // The pretended locale does not reach the service worker; a choice does.
  await guest.context.addCookies([{ name: "dakiya_language", value: "hi", url: server.url }]);
  await guest.page.goto("/login");
  await hasServiceWorker(guest);
  await guest.context.setOffline(true);
  await guest.page.goto("/track");
  await guest.sees("You are offline");
  await guest.sees("No bookings were seen yet");
  expect(await guest.leftInEnglish()).toEqual([]);
});

journey("who the browser calls online all the time goes on by itself, too", async ({ visit }) => {
  const guest = await visit({ serviceWorkers: "allow" });
  guest.expect(OFFLINE);
  // As when the server was away, or a network that leads nowhere.
  await guest.page.addInitScript(() => {
    window.addEventListener("online", (event) => event.stopImmediatePropagation());
  });
  await guest.page.goto("/login");
  await hasServiceWorker(guest);
  await guest.context.setOffline(true);
  await guest.page.goto("/track");
  await guest.sees("You are offline");
  await guest.context.setOffline(false);
  await guest.isAt("/track");
});

journey("the offline page goes on to pages of this site only", async ({ guest }) => {
  for (const next of ["/\t/evil.example", "/.//evil.example"]) {
    await guest.page.goto(`/offline?next=${encodeURIComponent(next)}`);
    await guest.isAt("/login?next=/dashboard");
  }
});

journey("what fails without a network is sent again without typing", async ({ asha }) => {
  asha.expect(OFFLINE);
  await signInNewCustomer(asha, "/dashboard");
  await asha.follows("Track");
  await asha.sees("Track Shipment");
  await asha.fills({ "AWB Number": "DK1719216000123" });
  await asha.context.setOffline(true);
  await asha.presses("Track");
  await asha.sees("Network error. Please check your connection.");
  await asha.context.setOffline(false);
  asha.expect(/404/);
  await asha.presses("Track");
  await asha.sees("We have no shipment with this AWB number");
});

journey("the app can be installed", async ({ guest, server }) => {
  await guest.page.goto("/login");
  const href = await guest.page.locator("link[rel=manifest]").getAttribute("href");
  const manifest = await guest.request.get(href ?? "");
  expect(manifest.headers()["content-type"]).toBe("application/manifest+json");
  const { icons, start_url, display } = (await manifest.json()) as {
    icons: { src: string; type: string }[];
    start_url: string;
    display: string;
  };
  expect([start_url, display]).toEqual(["/dashboard", "standalone"]);
  for (const { src, type } of icons) {
    const icon = await guest.request.get(`${server.url}${src}`);
    expect(icon.status(), src).toBe(200);
    expect(icon.headers()["content-type"]?.split(";")[0]).toBe(type);
  }
});
