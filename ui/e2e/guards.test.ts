import { expect } from "vitest";
import screens from "../src/screens.json";
import { signInNewCustomer, registerCustomer, signInAndSettle } from "./harness/customer";
import { journey } from "./harness/journey";
import { logsIn } from "./harness/steps";

const privatePaths = screens.filter((s) => s.access === "private").map((s) => s.path);

journey("a private page sends a guest to log in, and from there back", async ({ asha, server }) => {
  const customer = await registerCustomer(server);
  for (const path of privatePaths) {
    await asha.page.goto(path);
    await asha.isAt(`/login?next=${path}`);
  }
  await asha.page.goto("/dashboard?tab=transactions");
  await logsIn(asha, customer, "/dashboard?tab=transactions");
});

journey("a next address on another site is ignored", async ({ visit, server }) => {
  const customer = await registerCustomer(server);
  for (const next of [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "javascript:",
  ]) {
    const asha = await visit();
    await asha.page.goto(`/login?next=${encodeURIComponent(next)}`);
    await logsIn(asha, customer);
  }
});

journey("someone who is logged in is led away from login and register", async ({ asha }) => {
  await signInNewCustomer(asha);
  for (const path of ["/login", "/register"]) {
    await asha.page.goto(path);
    await asha.isAt("/dashboard");
  }
});

journey("the start page is the dashboard", async ({ asha }) => {
  await signInNewCustomer(asha, "/");
  await asha.sees("Total Bookings");
});

journey("a session that died is noticed at the next click", async ({ asha, server }) => {
  await signInAndSettle(asha, "/dashboard?tab=bookings");

  // Ended from elsewhere: the browser still has the cookie, and does not know.
  const cookies = await asha.context.cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const url = `${server.url}/api/v1/auth/logout/`;
  const headers = { Cookie: cookie, Origin: server.url };
  expect((await fetch(url, { method: "POST", headers })).status).toBe(200);

  asha.expect(/401/);
  await asha.presses("Refresh");
  await asha.sees("Session expired. Please log in again.");
  await asha.isAt(/^\/login/);
  const stored = await asha.page.evaluate(() => ({ ...localStorage }));
  expect(stored).not.toHaveProperty("user");
  expect(stored).not.toHaveProperty("session");
});

journey("logging out ends the session on the server too", async ({ asha, server }) => {
  await signInNewCustomer(asha);
  const cookies = await asha.context.cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  await asha.page.goto("/dashboard");
  await asha.logsOut();
  await asha.isAt("/login");
  await asha.page.goto("/dashboard");
  await asha.isAt("/login?next=/dashboard");
  const profile = `${server.url}/api/v1/auth/profile/`;
  expect((await fetch(profile, { headers: { Cookie: cookie } })).status).toBe(401);
});

journey("no script can read the session", async ({ asha, server }) => {
  const customer = await registerCustomer(server);
  await asha.page.goto("/login");
  await logsIn(asha, customer);
  const readable = await asha.page.evaluate(() => document.cookie + JSON.stringify(localStorage));
  const cookies = await asha.context.cookies();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie.httpOnly).toBe(true);
    expect(cookie.sameSite).toBe("Lax");
    expect(readable).not.toContain(cookie.value);
  }
});
