// Serves Dakiya while it is worked on; `./build.sh dev` starts it with the features to build with.
//
// It watches the sources, builds what changed (the browser's files and the rendering bundle here,
// the server with cargo), starts the server anew, and makes open pages load again. It stands
// before the server: it serves the files of ui/dist, which this build does not embed, adds to
// each page the script that loads it again, and lets requests wait while the server starts.
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { extname, join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { clearTimeout, setTimeout } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { context } from "esbuild";
import { build } from "vite";
import { options } from "../ssr-bundle/build.mjs";

const LOOK_EVERY_MS = 150;
const STOP_MS_MAX = 2_000;
const root = fileURLToPath(new URL("..", import.meta.url));
const listen = new URL(`http://${process.env.DAKIYA_LISTEN ?? "127.0.0.1:8080"}`);

/** Targets to build, and the files and folders whose change asks for each. */
const screens = {
  sources: ["ui/src", "ui/gallery", "ui/public", "ui/vite.config.ts", "ssr-bundle"],
  build: buildScreens,
};
const server = {
  sources: ["server", "migrations", "Cargo.toml", "ui/src/words", "ui/src/screens.json"],
  build: buildServer,
};
const IGNORED = new Set(["dist", "tests", "benches", "docs", "v8", "samples"]);

// --- watching --------------------------------------------------------------------------------

/** Looks at times of change: that works on every system and with every editor. */
function stamp({ sources }) {
  const found = [];
  const visit = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isDirectory()) return found.push(`${path} ${stat?.mtimeMs}`);
    for (const name of readdirSync(path)) if (!IGNORED.has(name)) visit(join(path, name));
  };
  for (const source of sources) visit(join(root, source));
  return found.join("\n");
}

async function watch() {
  const parts = [screens, server];
  const seen = parts.map(stamp);
  for (;;) {
    await sleep(LOOK_EVERY_MS);
    const now = parts.map(stamp);
    const changed = parts.filter((_, index) => now[index] !== seen[index]);
    if (changed.length === 0) continue;
    seen.splice(0, seen.length, ...now);
    const began = performance.now();
    try {
      await Promise.all(changed.map((part) => part.build()));
      await restart();
    } catch (error) {
      console.error(String(error.message ?? error));
      continue;
    }
    for (const page of pages) page.write("data: again\n\n");
    console.log(`Built and started again in ${Math.round(performance.now() - began)} ms`);
  }
}

// --- building --------------------------------------------------------------------------------

const bundle = await context({ ...options, logLevel: "error" });

/** The page of all parts, for the eyes of who works on them: the product does not have it. */
const GALLERY = "/__parts";
const gallery = await context({
  ...options,
  entryPoints: [join(root, "ui/gallery/document.tsx")],
  format: "esm",
  write: false,
  logLevel: "error",
});
let galleryDocument;

async function buildGallery() {
  const { outputFiles } = await gallery.rebuild();
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  ({ galleryDocument } = await import(`data:text/javascript;base64,${code}`));
}

function buildScreens() {
  const browser = build({
    configFile: join(root, "ui/vite.config.ts"),
    logLevel: "error",
    build: { reportCompressedSize: false },
  });
  return Promise.all([browser, bundle.rebuild(), buildGallery()]);
}

async function buildServer() {
  const cargo = spawn("cargo", ["build", "--locked", "--quiet", ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit",
  });
  const [code] = await once(cargo, "exit");
  if (code !== 0) throw new Error("The server was not built; the one before goes on.");
}

// --- the server ------------------------------------------------------------------------------

let running;
/** The port of the server, once it answers. */
let ready;

function restart() {
  ready = start();
  ready.catch(() => {});
  return ready;
}

async function start() {
  await stop();
  const port = await freePort();
  const binary = join(process.env.CARGO_TARGET_DIR ?? "target", "debug/dakiya");
  running = spawn(resolve(root, binary), [], {
    cwd: root,
    env: {
      ...process.env,
      DAKIYA_LISTEN: `127.0.0.1:${port}`,
      DAKIYA_PUBLIC_URL: process.env.DAKIYA_PUBLIC_URL ?? listen.origin,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // Its first line says that it serves.
  const ended = once(running, "exit").then(() => {
    throw new Error("The server ended.");
  });
  ended.catch(() => {});
  const [greeting] = await Promise.race([once(running.stdout, "data"), ended]);
  running.stdout.resume();
  return { port, greeting: String(greeting).trim() };
}

async function stop() {
  if (!running || running.exitCode !== null || running.signalCode !== null) return;
  const ended = once(running, "exit");
  running.kill("SIGTERM");
  const timer = setTimeout(() => running.kill("SIGKILL"), STOP_MS_MAX);
  await ended;
  clearTimeout(timer);
}

async function freePort() {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address();
  await once(holder.close(), "close");
  return port;
}

// --- before the server -----------------------------------------------------------------------

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};
/** The streams on which open pages wait for the word to load again. */
const pages = new Set();
const RELOAD = `new EventSource("/dev/changes").onmessage = () => location.reload();`;
/** In place of the product's worker, which would keep files of yesterday. */
const NO_WORKER = `self.addEventListener("activate", () => self.registration.unregister());`;

function answer(request, response) {
  const path = decodeURIComponent(new URL(request.url, listen).pathname);
  if (path === "/dev/changes") return listenToChanges(request, response);
  const script = { "/dev/reload.js": RELOAD, "/sw.js": NO_WORKER }[path];
  if (script) return response.writeHead(200, { "content-type": TYPES[".js"] }).end(script);
  if (path === GALLERY) return showGallery(request, response);
  const file = join(root, "ui/dist", path);
  const type = TYPES[extname(path)];
  if (type && file.startsWith(join(root, "ui/dist/"))) {
    const stream = createReadStream(file);
    stream.on("error", () => response.writeHead(404).end());
    stream.on("open", () => response.writeHead(200, { "content-type": type }));
    return stream.pipe(response);
  }
  return pass(request, response);
}

/** In English, or with `?language=hi` in Hindi. */
function showGallery(request, response) {
  const language = new URL(request.url, listen).searchParams.get("language");
  const manifest = JSON.parse(readFileSync(join(root, "ui/dist/.vite/manifest.json"), "utf8"));
  const styles = Object.values(manifest).flatMap(({ css = [] }) => css.map((file) => `/${file}`));
  const page = galleryDocument(language === "hi" ? "hi" : "en", styles);
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(`${page}<script src="/dev/reload.js"></script>`);
}

function listenToChanges(request, response) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.flushHeaders();
  pages.add(response);
  request.on("close", () => pages.delete(response));
}

async function pass(request, response) {
  const fail = (error) => {
    if (!response.headersSent) response.writeHead(502);
    response.end(`${error.message}\n`);
  };
  try {
    const { port } = await ready;
    const headers = { ...request.headers };
    delete headers["accept-encoding"];
    const { method, url: path } = request;
    const inner = ask({ host: "127.0.0.1", port, method, path, headers, agent: false });
    inner.on("response", (answer) => passBack(request, answer, response));
    inner.on("error", fail);
    request.pipe(inner);
  } catch (error) {
    fail(error);
  }
}

/** A page gets the script at its end, and is allowed to run it. */
function passBack(request, answer, response) {
  const { headers } = answer;
  const page = headers["content-type"]?.startsWith("text/html") && request.method !== "HEAD";
  if (page) {
    delete headers["content-length"];
    const policy = headers["content-security-policy"];
    if (policy) {
      const host = request.headers.host ?? listen.host;
      headers["content-security-policy"] = allowReload(policy, host);
    }
  }
  response.writeHead(answer.statusCode, headers);
  answer.on("error", () => response.destroy());
  answer.on("data", (bytes) => response.write(bytes));
  answer.on("end", () => response.end(page ? `<script src="/dev/reload.js"></script>` : ""));
}

const allowReload = (policy, host) =>
  policy.replace(/script-src (?:'none')?/, `script-src http://${host}/dev/reload.js `);

// --- the beginning ---------------------------------------------------------------------------

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await stop();
    process.exit(0);
  });
}
await Promise.all([buildScreens(), buildServer()]);
const front = createServer(answer).listen(Number(listen.port || 80), listen.hostname);
await once(front, "listening");
const { greeting } = await restart();
console.log(`${greeting} · changes show by themselves`);
await watch();
