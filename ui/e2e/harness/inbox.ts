import type { Customer } from "./customer";
import type { Server } from "./server";

export type Kept = {
  channel: string;
  to: string;
  subject: string;
  text: string;
  html: string | null;
  unsubscribe: string | null;
};

/** The e-mails to an address in the sandbox's inbox, the newest first. */
async function lettersAt(server: Server, email: string): Promise<Kept[]> {
  const answer = await fetch(`${server.sandboxUrl}/__sim/inbox?format=json`);
  const kept = (await answer.json()) as Kept[];
  return kept.filter(({ channel, to }) => channel === "email" && to === email);
}

/** The e-mails to a customer, the newest first. */
export function lettersTo(server: Server, { email }: Customer): Promise<Kept[]> {
  return lettersAt(server, email);
}

/** The link of this kind in the newest e-mail that has one, which is sent after the answer. */
export async function linkTo(
  server: Server,
  email: string,
  kind: "token" | "confirm",
): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    for (const { text } of await lettersAt(server, email)) {
      const link = new RegExp(`https?:\\S+\\?${kind}=\\S+`).exec(text)?.[0];
      if (link !== undefined) return link;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`no link for ${email}`);
}

/** The link of the newest e-mail that leads to a page with something to do. */
export function linkSent(server: Server, { email }: Customer): Promise<string> {
  return linkTo(server, email, "token");
}
