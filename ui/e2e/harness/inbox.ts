import type { Customer } from "./customer";
import type { Server } from "./server";

type Kept = { channel: string; to: string; subject: string; text: string };

/** The e-mails to a customer in the sandbox's inbox, the newest first. */
export async function lettersTo(server: Server, { email }: Customer): Promise<Kept[]> {
  const answer = await fetch(`${server.sandboxUrl}/__sim/inbox?format=json`);
  const kept = (await answer.json()) as Kept[];
  return kept.filter(({ channel, to }) => channel === "email" && to === email);
}

/** The link of the newest e-mail that has one. It is sent soon after it was asked for. */
export async function linkSent(server: Server, customer: Customer): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    for (const { text } of await lettersTo(server, customer)) {
      const link = /https?:\S+\?token=\S+/.exec(text)?.[0];
      if (link !== undefined) return link;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`no link for ${customer.username}`);
}
