import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Server } from "./server";

/** A few elements each, one a frame: the browser may paint after each. */
const PIECE_BYTES = 500;
const PIECE_MS = 20;

/** Stands between the browser and the server, and lets documents arrive piece by piece. */
export async function startSlowDelivery({ url }: Server) {
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, host: new URL(url).host, "accept-encoding": "identity" };
    const { method, url: path } = asked;
    const passedOn = request(url + path, { method, headers }, (got) => void deliver(got, answer));
    passedOn.on("error", () => answer.destroy());
    asked.pipe(passedOn);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

async function deliver(got: IncomingMessage, answer: ServerResponse) {
  delete got.headers["content-length"];
  answer.writeHead(got.statusCode ?? 502, got.headers);
  if (!got.headers["content-type"]?.startsWith("text/html")) return got.pipe(answer);
  const whole = Buffer.concat(await got.toArray());
  for (let at = 0; at < whole.length; at += PIECE_BYTES) {
    answer.write(whole.subarray(at, at + PIECE_BYTES));
    await delay(PIECE_MS);
  }
  return answer.end();
}
