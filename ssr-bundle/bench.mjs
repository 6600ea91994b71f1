// Times the server bundle under Node, as the Rust benchmark times it in each engine.
// node ssr-bundle/bench.mjs <page.json> [renders]
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [file, renders = "2000"] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: node ssr-bundle/bench.mjs <page.json> [renders]");
  process.exit(2);
}

vm.runInThisContext(readFileSync(new URL("dist/ssr.js", import.meta.url), "utf8"));
const page = readFileSync(file, "utf8");
const first = globalThis.render(page);
if (!first.startsWith("+")) throw new Error(first);

const count = Number(renders);
for (let i = 0; i < Math.min(count, 500); i++) globalThis.render(page); // warm up
const start = process.hrtime.bigint();
for (let i = 0; i < count; i++) globalThis.render(page);
const nanos = Number(process.hrtime.bigint() - start);

console.log(
  JSON.stringify({
    renders: count,
    micros_per_render: nanos / 1000 / count,
    rss_bytes: process.memoryUsage().rss,
  }),
);
// The bundle's message channel would keep the process alive.
process.exit();
