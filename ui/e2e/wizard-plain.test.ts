import { expect } from "vitest";
import { look } from "./harness/audit";
import { account, registered, signIn, type Account, type Customer } from "./harness/customer";
import { journey } from "./harness/journey";
import type { Server } from "./harness/server";
import * as steps from "./harness/steps";
import { LAPTOP, PHONE, type Visitor } from "./harness/visitor";

type Kept = { content: { step: string; details: Record<string, string> | null } | null };

const kept = async (reader: Account) => (await reader.get<Kept>("booking/draft/")).content;

const valueOf = (visitor: Visitor, field: string) =>
  visitor.page.locator(`[name="${field}"]`).inputValue();

/** What is read in `noscript`, which the browser's other finders pass by. */
async function needsScript({ page }: Visitor) {
  expect(await page.locator("noscript .box").innerText()).toContain("Booking needs JavaScript");
}

/** Fills in step 1, abroad being preselected, without a script. */
async function calculates(visitor: Visitor, server: Server, customer: Customer) {
  const { page } = visitor;
  visitor.expect(/^csp: GET .*\.js$/);
  await signIn(visitor, server, customer);
  await page.goto("/courier");
  expect(await page.getByLabel("Destination Country").locator("option").count()).toBeGreaterThan(
    200,
  );
  await page.getByLabel("Booking Type").selectOption({ label: "Domestic" });
  await page.getByLabel("From Pincode").fill(steps.PARCEL.from);
  await page.getByLabel("To Postal Code").fill("999998");
  await visitor.presses("Calculate Rate");
  await visitor.isAt("/courier?rates=1");
  await visitor.sees("Destination pincode is not serviceable.");
  await page.getByLabel("To Pincode").fill(steps.PARCEL.to);
  await page.getByLabel("Width (cm)").fill("20");
  await visitor.presses("Calculate Rate");
  await visitor.sees("Select a Service");
}

for (const [device, viewport] of [
  ["a laptop", LAPTOP],
  ["a phone", PHONE],
] as const) {
  journey(
    `without JavaScript on ${device} a service is chosen and the details are kept`,
    async ({ visit, server }) => {
      const asha = await visit({ javaScriptEnabled: false, viewport });
      const { page } = asha;
      const customer = await registered(server);
      await calculates(asha, server, customer);
      const reader = await account(server, customer);
      await asha.photograph(`${viewport.width}/plain-1-rates`);
      await page.getByRole("radio", { name: /Air/ }).check();
      await asha.presses("Proceed to Booking Details");
      await asha.isAt("/courier");
      await asha.sees("Step 2 of 4");
      await needsScript(asha);
      expect(await valueOf(asha, "packageWidth")).toBe("20");
      await steps.fillsDetails(asha);
      await asha.photograph(`${viewport.width}/plain-2-details`);
      await page.locator("[name=invoiceValue]").press("Enter");
      await asha.isAt("/courier?kept=1");
      await asha.page.locator(".notice", { hasText: "What you enter is kept." }).waitFor();
      expect(await valueOf(asha, "consigneeName")).toBe("Ravi Kumar");
      expect((await kept(reader))?.details).toMatchObject({
        consigneeName: "Ravi Kumar",
        consignorMobile: "9876543210",
        invoiceValue: "2500",
      });

      // Back keeps what is typed, and another weight takes the choice away.
      await steps.opensFolds(asha);
      await page.locator("[name=remark]").fill("Fragile");
      await asha.presses("Back");
      await asha.sees("Step 1 of 4");
      await page.getByLabel("Weight (kg)").fill("3");
      await asha.presses("Calculate Rate");
      await page.getByRole("radio", { name: /Surface/ }).check();
      await asha.presses("Proceed to Booking Details");
      expect(await valueOf(asha, "remark")).toBe("Fragile");
      expect(await valueOf(asha, "packageWeight")).toBe("3");

      const scripted = await visit({ viewport });
      await scripted.context.addCookies(await asha.context.cookies());
      await scripted.page.goto("/courier");
      await scripted.sees("Step 2 of 4");
      await scripted.presses("Calculate Rate & Review");
      await scripted.sees("Review Booking");
      await scripted.sees("Dakiya Surface");
      await look(scripted, "plain-3-review");
    },
  );
}

journey(
  "details that are sent before the script is ready are kept, and in no address",
  async ({ visit, server }) => {
    const asha = await visit({ viewport: PHONE });
    const { page } = asha;
    const customer = await registered(server);
    await signIn(asha, server, customer);
    await page.goto("/courier");
    await steps.choosesService(asha);
    const reader = await account(server, customer);
    await expect.poll(async () => (await kept(reader))?.step).toBe("details");

    let arrive: () => unknown = () => undefined;
    const waiting = new Promise<void>((resolve) => (arrive = resolve));
    await page.route("**/assets/*.js", async (route) => {
      await waiting;
      await route.continue().catch(() => undefined);
    });
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.goto("/courier", { waitUntil: "commit" });
    await page.locator("[name=consigneeName]").fill("Ravi Kumar");
    await page.locator("[name=consignorMobile]").fill("9876500000");
    await page
      .getByRole("button", { name: "Calculate Rate & Review" })
      .click({ noWaitAfter: true });
    await page.waitForURL("**/courier?kept=1", { waitUntil: "commit" });
    arrive();
    await asha.page.locator(".notice", { hasText: "What you enter is kept." }).waitFor();
    expect(await valueOf(asha, "consigneeName")).toBe("Ravi Kumar");
    expect((await kept(reader))?.details?.["consignorMobile"]).toBe("9876500000");
    const telling = addresses.filter((address) => /Ravi|98765|consign/.test(address));
    expect(telling).toEqual([]);
    await page.waitForLoadState("networkidle");
    await steps.fillsDetails(asha);
    await asha.presses("Calculate Rate & Review");
    await asha.sees("Review Booking");
  },
);

journey(
  "documents cannot be sent before the script is ready, so none is lost",
  async ({ visit, server }) => {
    const asha = await visit();
    const customer = await registered(server);
    await signIn(asha, server, customer);
    await asha.page.goto("/dashboard");
    await steps.reachesKyc(asha);
    const reader = await account(server, customer);
    await expect.poll(async () => (await kept(reader))?.step).toBe("kyc");
    const plain = await visit({ javaScriptEnabled: false });
    plain.expect(/^csp: GET .*\.js$/);
    await plain.context.addCookies(await asha.context.cookies());
    await plain.page.goto("/courier");
    await plain.sees("KYC Document Upload Required");
    await needsScript(plain);
    const upload = plain.page.getByRole("button", { name: "Upload Documents" });
    expect(await upload.isDisabled()).toBe(true);
    await plain.presses("Back");
    await plain.sees("Enter Booking Details");
    expect(await valueOf(plain, "consigneeName")).toBe("Ravi Kumar");
  },
);

journey(
  "details that are sent when the session has ended come through the login, to their owner alone",
  async ({ visit, server }) => {
    const asha = await visit({ javaScriptEnabled: false, viewport: PHONE });
    asha.expect(/\b401\b/);
    const { page } = asha;
    const other = await registered(server);
    const customer = await registered(server);
    await calculates(asha, server, customer);
    await page.getByRole("radio", { name: /Air/ }).check();
    await asha.presses("Proceed to Booking Details");
    const logsIn = async (password: string, as = customer) => {
      await asha.fills({ Username: as.username, Password: password });
      await asha.presses("Log In");
    };
    const types = async (name: string) => {
      await page.locator("[name=consigneeName]").fill(name);
      await asha.context.clearCookies();
      await asha.presses("Calculate Rate & Review");
      await asha.sees("What you entered is kept: please log in again.");
      expect(page.url()).not.toContain("Ravi");
    };
    await types("Ravi Kumar");
    await asha.photograph("360/plain-session-ended");
    await logsIn("not it");
    await logsIn(customer.password);
    await asha.isAt("/courier?kept=1");
    expect(await valueOf(asha, "consigneeName")).toBe("Ravi Kumar");

    await types("Ravi Rao");
    await logsIn(other.password, other);
    await asha.isAt("/courier");
    const theirs = await kept(await account(server, other));
    expect(theirs).toBeNull();
    const ours = await kept(await account(server, customer));
    expect(ours?.details?.["consigneeName"]).toBe("Ravi Kumar");
  },
);
