import { expect } from "vitest";
import { screenAt, screens } from "../src/screens";
import { contrastFaults, faults, observe, widthFaults } from "./harness/audit";
import { signInNewCustomer, signIn } from "./harness/customer";
import { markupFaults } from "./harness/markup";
import { bookParcel, signInWithBooking, type SentParcel } from "./harness/setup";
import { journey } from "./harness/journey";
import { drawInBrowser } from "./harness/network";
import { LAPTOP, LOOKS, PHONE, SIZES, ZOOMED, type Visitor } from "./harness/visitor";

/** The policies have a journey of their own. */
const POLICIES = ["privacy", "refund", "shipping", "terms"];

const inspectedScreens = screens.filter(
  ({ screen, path }) => path.startsWith("/") && !POLICIES.includes(screen),
);

/** Looks at one address in every size, loaded anew in each, and then at 200 % and in the dark. */
async function inspect(visitor: Visitor, path: string, name: string, hasScript: boolean) {
  const { page } = visitor;
  expect(await markupFaults(visitor, path), `the HTML of ${path}`).toEqual([]);
  await observe(page);
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport);
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    const found = await faults(page, hasScript);
    // Taking a picture of the whole page resizes the window, which moves things.
    await visitor.photograph(`${viewport.width}/${name}`);
    expect(found, `${path} at ${viewport.width} px`).toEqual([]);
  }
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await contrastFaults(page), `${path} in the dark`).toEqual([]);
  await visitor.photograph(`dark/${name}`);
  await page.setViewportSize(ZOOMED);
  expect(await widthFaults(page), `${path} at 200 %`).toEqual([]);
}

for (const { screen, path, title, script } of inspectedScreens.filter(
  (s) => s.access !== "private",
)) {
  journey(`a guest sees ${path} whole, steady and accessible`, async ({ guest }) => {
    await inspect(guest, path, `guest-${screen}`, script === true);
    await expect.poll(() => guest.page.title()).toBe(title);
  });
}

/** A customer's screens: by name, their addresses once a parcel was sent. */
const MEMBERS: Readonly<Record<string, (sent: SentParcel) => string>> = {
  ...Object.fromEntries(
    inspectedScreens
      .filter(({ access }) => access !== "guest")
      .map(({ screen, path }) => [screen, () => path]),
  ),
  "dashboard-bookings": () => "/dashboard?tab=bookings",
  "dashboard-transactions": () => "/dashboard?tab=transactions",
  "bookings-one": ({ awb }) => `/bookings/${awb}`,
  track: ({ awb }) => `/track/${awb}`,
  "recharge-success": ({ order }) => `/recharge/success?merchantTransactionId=${order}`,
};

const customerJourney = journey.extend("sent", { scope: "file" }, ({ server }) =>
  bookParcel(server),
);

for (const [name, pathOf] of Object.entries(MEMBERS)) {
  customerJourney(
    `a customer sees ${name} whole, steady and accessible`,
    async ({ asha, sent }) => {
      await signIn(asha, sent.customer);
      // A device that knows who uses it, as everybody's does after the first screen.
      await asha.page.goto("/dashboard");
      await asha.page.waitForLoadState("networkidle");
      const { script } = screenAt(pathOf(sent).split("?")[0] ?? "");
      await inspect(asha, pathOf(sent), name, script !== false);
    },
  );
}

/** Texts left in English at these addresses, by their names; keeps pictures. */
async function inEnglish(visitor: Visitor, paths: Readonly<Record<string, string>>) {
  const found: string[] = [];
  for (const [name, path] of Object.entries(paths)) {
    await visitor.page.goto(path);
    await visitor.page.waitForLoadState("networkidle");
    for (const viewport of LOOKS ? [LAPTOP, PHONE] : [PHONE]) {
      await visitor.page.setViewportSize(viewport);
      await visitor.photograph(`hindi-${viewport.width}/${name}`);
      const faults = [...(await visitor.leftInEnglish()), ...(await widthFaults(visitor.page))];
      found.push(...faults.map((fault) => `${path}: ${fault}`));
    }
  }
  return found;
}

journey(
  "every screen is in Hindi for those who read it, but for names",
  async ({ visit, server }) => {
    const guest = await visit({ locale: "hi-IN", viewport: PHONE });
    const open = screens.filter(({ access, path }) => access !== "private" && path.startsWith("/"));
    const paths = open.map(({ screen, path }) => [`guest-${screen}`, path]);
    const found = await inEnglish(guest, Object.fromEntries(paths));
    const sent = await bookParcel(server);
    const asha = await visit({ locale: "hi-IN", viewport: PHONE });
    await signIn(asha, sent.customer);
    const own = Object.entries(MEMBERS).map(([name, pathOf]) => [name, pathOf(sent)]);
    found.push(...(await inEnglish(asha, Object.fromEntries(own))));
    expect(found).toEqual([]);
  },
);

journey("an address that does not exist says so, and how to go on", async ({ guest }) => {
  guest.expect(/404/);
  const answer = await guest.page.goto("/no/such/page");
  expect(answer?.status()).toBe(404);
  await inspect(guest, "/no/such/page", "not-found", false);
});

journey(
  "going from screen to screen loads no page anew and leaves no complaint",
  async ({ asha }) => {
    await signInWithBooking(asha, "/dashboard");
    await asha.page.evaluate(() => Object.assign(window, { sameDocument: true }));
    const navigation = asha.page.getByRole("navigation", { name: "Main" });
    for (const entry of ["Courier", "Calculate", "Track", "Recharge", "Dashboard"]) {
      await navigation.getByRole("link", { name: entry, exact: true }).click();
      await asha.isAt(`/${entry.toLowerCase()}`);
      const current = await navigation.locator("[aria-current=page]").innerText();
      expect(current).toBe(entry);
    }
    await expect.poll(() => asha.page.evaluate(() => "sameDocument" in window)).toBe(true);
  },
);

for (const locale of ["en-IN", "hi-IN"]) {
  journey(
    `what the server could not draw is drawn by the browser (${locale})`,
    async ({ visit }) => {
      const asha = await visit({ locale });
      await signInNewCustomer(asha);
      await drawInBrowser(asha.page, "/dashboard");
      await asha.page.goto("/dashboard");
      await asha.sees("No bookings found");
      await asha.sees("Asha Rao");
      await expect.poll(() => asha.page.locator("html").getAttribute("lang")).toBe(locale);
    },
  );
}
