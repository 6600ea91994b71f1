import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { eventually, scaleMs } from "./patience";

const STOP_MS_MAX = scaleMs(60_000);

/** The binary on free ports, with an empty data folder and the sandbox providers. */
export type Server = {
  /** Where browsers reach it, without a trailing slash. */
  url: string;
  /** Where the sandbox's payment pages are. */
  sandboxUrl: string;
  /** All it printed so far. */
  log: () => string;
  /** Does what an operator does at a terminal; answers what that printed. */
  operate: (...words: string[]) => Promise<string>;
  /** Ends it as an operator would; fails when it does not end well. */
  stop: () => Promise<void>;
};

/** `host` is what browsers call it: some of what they do needs a name. */
export async function startServer(
  variables: Record<string, string> = {},
  host = "127.0.0.1",
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "dakiya-journey-"));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const url = `http://${host}:${port}`;
  const env = {
    PATH: process.env.PATH,
    DAKIYA_LISTEN: `127.0.0.1:${port}`,
    DAKIYA_PUBLIC_URL: url,
    DAKIYA_SANDBOX_LISTEN: `127.0.0.1:${sandboxPort}`,
    DAKIYA_DATA_DIR: folder,
    DAKIYA_COURIERS: "house",
    // All customers of the journeys come from one address, and most open an account.
    DAKIYA_LIMIT_CLIENTS: "0",
    DAKIYA_PASSWORD_KIB: "64",
    // The browser shares the processors with the server.
    DAKIYA_SSR_MS: "10000",
    ...variables,
  };
  const child = spawn(binary(), [], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
  child.stderr.on("data", (text: Buffer) => (printed += text.toString()));
  const log = () => printed;
  await untilServing(child, url, log);
  return {
    url,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    log,
    operate: async (...words) =>
      (await promisify(execFile)(binary(), words, { cwd: folder, env })).stdout,
    stop: async () => {
      await stop(child, log);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function binary(): string {
  const built = join(process.env.CARGO_TARGET_DIR ?? "target", "debug/dakiya");
  return resolve(process.env.DAKIYA_BINARY ?? built);
}

/** Linux gives none of these to a connection that goes out between the look and the start. */
const PORTS = { first: 15_000, count: 15_000 };
/** Where this worker looks first. Others begin elsewhere. */
let nextPort = process.pid * 61;

async function freePort(): Promise<number> {
  nextPort += 1;
  const port = PORTS.first + (nextPort % PORTS.count);
  const holder = createServer().listen(port, "127.0.0.1");
  try {
    await once(holder, "listening");
  } catch {
    return freePort();
  }
  await once(holder.close(), "close");
  return port;
}

async function untilServing(child: ChildProcess, url: string, log: () => string) {
  let failure = "";
  child.on("error", (error) => (failure = error.message));
  child.on("exit", (code) => (failure = `ended with ${code}`));
  await eventually("dakiya answers", async () => {
    if (failure !== "") throw new Error(`dakiya ${failure}\n${log()}`);
    return (await answers(url)) || undefined;
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/login`)).ok;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess, log: () => string) {
  if (child.exitCode !== null) throw new Error(`dakiya had ended already\n${log()}`);
  const ended = once(child, "exit");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
  child.kill("SIGTERM");
  const [code] = await ended;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`dakiya ended with ${String(code)} on SIGTERM\n${log()}`);
}
