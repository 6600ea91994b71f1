import { expect } from "vitest";
import type { Customer } from "./customer";
import { eventually } from "./patience";
import type { Server } from "./server";

export type InboxMessage = {
  channel: string;
  to: string;
  subject: string;
  text: string;
  html: string | null;
  unsubscribe: string | null;
};

/** All in the sandbox's inbox, the newest first. */
async function inbox(server: Server): Promise<InboxMessage[]> {
  const answer = await fetch(`${server.sandboxUrl}/__sim/inbox?format=json`);
  return (await answer.json()) as InboxMessage[];
}

type Addressee = Pick<Customer, "email">;

/** The emails to a customer, the newest first. */
export async function readLetters(server: Server, { email }: Addressee): Promise<InboxMessage[]> {
  return (await inbox(server)).filter(({ channel, to }) => channel === "email" && to === email);
}

/** The link of this kind in the newest email that has one, which is sent after the answer. */
export async function readLink(
  server: Server,
  email: string,
  kind: "token" | "confirm",
): Promise<string> {
  const link = new RegExp(`https?:\\S+\\?${kind}=\\S+`);
  return eventually(`a link for ${email}`, async () => {
    const letters = await readLetters(server, { email });
    return letters.map(({ text }) => link.exec(text)?.[0]).find((found) => found !== undefined);
  });
}

/** The link of the newest email that leads to a page with something to do. */
export function readActionLink(server: Server, { email }: Customer): Promise<string> {
  return readLink(server, email, "token");
}

/** The newest code to confirm a booking, which mobile and email got alike. */
export async function readBookingOtp(server: Server): Promise<string> {
  const kept = await inbox(server);
  const [one, two] = kept.filter(({ text }) => /^\d{6}\b/.test(text));
  expect(new Set([one?.channel, two?.channel])).toEqual(new Set(["sms", "email"]));
  const [first, second] = [one, two].map((message) => message?.text.split("\n")[0]);
  expect(first).toBe(second);
  return one?.text.slice(0, 6) ?? "";
}

/** The code in the newest SMS to a customer. */
export async function readSmsCode(server: Server, { phone }: Customer): Promise<string> {
  const kept = await inbox(server);
  const sms = kept.find(({ channel, to }) => channel === "sms" && to.endsWith(phone));
  return sms?.text.slice(0, 6) ?? "";
}
