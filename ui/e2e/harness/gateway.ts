import type { Server } from "./server";

/** Tells the sandbox something from outside of the browser. */
export async function tellsSandbox(server: Server, method: string, path: string, what: object) {
  const answer = await fetch(`${server.sandboxUrl}/__sim/${path}`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(what),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** A bank pays an order. */
export function bankPays(server: Server, order: string) {
  return tellsSandbox(server, "POST", `orders/${order}/act`, { action: "pay", method: "CARD" });
}

/** Sets if and when the sandbox calls back, until it is told otherwise. */
export function setCallbacks(server: Server, callbacks: "never" | "after_redirect") {
  return tellsSandbox(server, "PATCH", "settings", { callbacks });
}
