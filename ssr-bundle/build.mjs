import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { existsSync } from "node:fs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// Only the synchronous renderer: react-dom/server would bring the streaming one along, which
// doubles the bundle and wants MessageChannel, TextEncoder and streams.
const renderer = here(
  "../node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js",
);
if (!existsSync(renderer)) throw new Error(`react-dom moved its renderer: ${renderer}`);

const result = await build({
  entryPoints: [here("entry.tsx")],
  outfile: here("dist/ssr.js"),
  bundle: true,
  minify: true,
  format: "iife",
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["import", "browser", "production"],
  target: "es2020",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  alias: { "react-dom/server": renderer },
  define: { "process.env.NODE_ENV": '"production"', "import.meta.hot": "undefined" },
  metafile: true,
});

const outside = Object.keys(result.metafile.inputs).filter((path) => path.startsWith("node:"));
if (outside.length > 0) throw new Error(`not for a bare engine: ${outside.join(", ")}`);
for (const [path, { bytes }] of Object.entries(result.metafile.outputs)) {
  console.log(`${path} ${(bytes / 1000).toFixed(1)} kB`);
}
