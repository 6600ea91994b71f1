import type { Balance, History, KeptDraft, LoginAnswer } from "../../src/wire";
import { readLink } from "./inbox";
import type { Server } from "./server";
import type { Visitor } from "./visitor";

export type Customer = ReturnType<typeof newCustomer>;

let customers = 0;

/** Someone new, whom the server does not know yet. */
export function newCustomer() {
  customers += 1;
  return {
    first_name: "Asha",
    last_name: "Rao",
    username: `asha.rao.${customers}`,
    email: `asha.rao.${customers}@example.com`,
    phone: "9876543210",
    password: "monsoon-courier-42",
  };
}

/** Someone whom the server knows already. */
export async function registerCustomer(server: Server): Promise<Customer> {
  const customer = newCustomer();
  const body = { ...customer, password_confirm: customer.password };
  await call(server, "POST", "auth/register/", body, 201);
  return customer;
}

/** Someone who, logged in, has opened the link that was sent to their email address too. */
export async function registerConfirmed(server: Server): Promise<Customer> {
  const customer = await registerCustomer(server);
  const link = await readLink(server, customer.email, "confirm");
  const token = await tokenOf(server, customer);
  const headers = { Cookie: `dakiya_session=${token}` };
  const answer = await fetch(link, { headers, redirect: "manual" });
  if (answer.headers.get("location") !== "/account?saved=email") {
    throw new Error(`${link}: ${answer.status} ${answer.headers.get("location")}`);
  }
  await call(server, "POST", "auth/logout/", undefined, 200, token);
  return customer;
}

/**
 * Brings a customer's session into the browser, as the plain login form does. Opens this page then,
 * if one is named.
 */
export async function signIn(visitor: Visitor, customer: Customer, path?: string) {
  const answer = await visitor.request.post("/login", {
    form: { username: customer.username, password: customer.password, next: "" },
    headers: { Origin: visitor.server.url },
    maxRedirects: 0,
  });
  if (answer.status() !== 303) throw new Error(`login: ${answer.status()}`);
  if (path !== undefined) await visitor.page.goto(path);
}

/** Somebody new who is logged in and looks at this page, if one is named. */
export async function signInNewCustomer(visitor: Visitor, path?: string): Promise<Customer> {
  const customer = await registerCustomer(visitor.server);
  await signIn(visitor, customer, path);
  return customer;
}

/** Somebody new at this page, once it has nothing left to load. */
export async function signInAndSettle(visitor: Visitor, path: string): Promise<Customer> {
  const customer = await signInNewCustomer(visitor, path);
  await visitor.page.waitForLoadState("networkidle");
  return customer;
}

/** A program that is logged in with the customer's password. */
export type Account = Awaited<ReturnType<typeof account>>;

export async function account(server: Server, customer: Customer) {
  const token = await tokenOf(server, customer);
  const get = async <T>(path: string) =>
    (await call(server, "GET", path, undefined, 200, token)) as T;
  return {
    get,
    post: async <T>(path: string, body: unknown) =>
      (await call(server, "POST", path, body, 200, token)) as T,
    balance: async () => (await get<Balance>("wallet/balance/")).balance,
    /** The newest bookings. */
    history: () => get<History>("shipping/history/?page=1&limit=20"),
    /** The booking that was begun, if there is one. */
    draft: async () => (await get<KeptDraft>("booking/draft/")).content,
  };
}

async function tokenOf(server: Server, { username, password }: Customer): Promise<string> {
  const login = await call(server, "POST", "auth/login/", { username, password }, 200);
  return (login as LoginAnswer).tokens.access;
}

async function call(
  server: Server,
  method: string,
  path: string,
  body: unknown,
  expected: number,
  token?: string,
): Promise<unknown> {
  const answer = await fetch(`${server.url}/api/v1/${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status !== expected) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
