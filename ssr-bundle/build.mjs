import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Makes the module `dakiya:pages`: of each screen in screens.json its page, by its name. */
export const pages = {
  name: "pages",
  setup(build) {
    const list = here("../ui/src/screens.json");
    build.onResolve({ filter: /^dakiya:pages$/ }, ({ path }) => ({ path, namespace: "dakiya" }));
    build.onLoad({ filter: /./, namespace: "dakiya" }, () => {
      const screens = JSON.parse(readFileSync(list, "utf8")).map(({ screen }) => screen);
      const imports = screens.map((screen, at) => `import page${at} from "./${screen}";`);
      const entries = screens.map((screen, at) => `"${screen}": page${at}`);
      const contents = `${imports.join("\n")}\nexport default { ${entries.join(", ")} };`;
      return { contents, resolveDir: here("../ui/src/pages"), watchFiles: [list] };
    });
  },
};

/**
 * React as a module with names of its own. As it is packed its names would be looked up through a
 * getter at each use.
 */
const react = {
  name: "react",
  setup(build) {
    const packed = createRequire(import.meta.url);
    build.onResolve({ filter: /^react$/ }, ({ path, kind }) =>
      kind === "import-statement" ? { path, namespace: "named" } : undefined,
    );
    build.onLoad({ filter: /./, namespace: "named" }, ({ path }) => {
      const names = Object.keys(packed(path)).filter((name) => !name.startsWith("__"));
      const real = JSON.stringify(packed.resolve(path));
      const contents = `import all from ${real};
        export const { ${names.join(", ")} } = all;
        export default all;`;
      return { contents, resolveDir: here(".") };
    });
  },
};

/**
 * Also what ui/dev.mjs builds with.
 *
 * @type {import("esbuild").BuildOptions}
 */
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
  alias: { "react/jsx-runtime": here("elements.ts") },
  plugins: [pages, react],
  define: {
    "process.env.NODE_ENV": '"production"',
    "import.meta.hot": "undefined",
    global: "globalThis",
  },
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
