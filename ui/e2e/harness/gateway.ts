import type { Server } from "./server";

/** What a bank does with an order, told to the sandbox from outside of the browser. */
export async function bankDecides(server: Server, order: string, action: "pay" | "decline") {
  const act = `${server.sandboxUrl}/__sim/orders/${order}/act`;
  const code = action === "decline" ? { code: "ZM" } : {};
  const body = JSON.stringify({ action, method: "CARD", ...code });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(act, { method: "POST", headers, body });
  if (answer.status !== 200) throw new Error(`${action}: ${answer.status} ${await answer.text()}`);
}

/** Whether and when the sandbox calls back, until it is told otherwise. */
export async function setCallbacks(server: Server, callbacks: "never" | "after_redirect") {
  const answer = await fetch(`${server.sandboxUrl}/__sim/settings`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ callbacks }),
  });
  if (!answer.ok) throw new Error(`settings: ${answer.status} ${await answer.text()}`);
}
