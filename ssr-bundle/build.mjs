import { existsSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// Only the synchronous renderer: react-dom/server would bring the streaming one along, which
// doubles the bundle and wants MessageChannel, TextEncoder and streams.
const renderer = here(
  "../node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js",
);
// The package's default entry is its development build, which checks every render.
const router = here("../node_modules/react-router/dist/production/index.mjs");
for (const path of [renderer, router]) {
  if (!existsSync(path)) throw new Error(`a package moved its production build: ${path}`);
}

/** Also what ui/dev.mjs builds with. */
export const options = {
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
  tsconfig: here("../ui/tsconfig.json"),
  jsx: "automatic",
  alias: { "react-dom/server": renderer, "react-router": router },
  define: { "process.env.NODE_ENV": '"production"', "import.meta.hot": "undefined" },
  metafile: true,
};

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { metafile } = await build(options);
  const outside = Object.keys(metafile.inputs).filter((path) => path.startsWith("node:"));
  if (outside.length > 0) throw new Error(`not for a bare engine: ${outside.join(", ")}`);
  for (const [path, { bytes }] of Object.entries(metafile.outputs)) {
    console.log(`${path} ${(bytes / 1000).toFixed(1)} kB`);
  }
}
