import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Without what Vite wraps around `import()`: all styles come with the first script's sheet. */
const bareImports = {
  name: "bare-imports",
  enforce: "pre" as const,
  load: (id: string) =>
    id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null,
};

/** The list of screens without what only the server and search engines read of it. */
const leanScreens = {
  name: "lean-screens",
  apply: "build" as const,
  enforce: "pre" as const,
  transform: (code: string, id: string) =>
    id.endsWith("/ui/src/screens.json")
      ? JSON.stringify(JSON.parse(code), (key, value: unknown) =>
          ["description", "index"].includes(key) ? undefined : value,
        )
      : null,
};

/**
 * Lets the bundler drop the parts of React Router that nothing imports: without this
 * `Link.displayName = …` keeps Link, Form and all they need, a third of the router. Its warnings
 * for developers are switched off.
 */
const leanRouter = {
  name: "lean-router",
  apply: "build" as const,
  transform: (code: string, id: string) =>
    id.includes("/react-router/dist/")
      ? code
          .replace(/^\w+\.displayName = .*;$/gm, "")
          .replace(/\bReact\d*\.(forwardRef|createContext|memo)\(/g, "/* @__PURE__ */ $&")
          .replace("ENABLE_DEV_WARNINGS = true", "ENABLE_DEV_WARNINGS = false")
      : null,
};

/** Modules that every first page runs: most first pages are forms. */
const FIRST_SCRIPT =
  /ui\/src\/(client|app|lib\/session|lib\/form|parts\/field|account\/passkey-login)\./;

/** The browser bundle, and where Vitest finds its tests. The root is the repository. */
export default defineConfig({
  root: at(".."),
  base: "/",
  publicDir: at("public"),
  oxc: { jsx: { runtime: "automatic" } },
  plugins: [bareImports, leanScreens, leanRouter],
  build: {
    outDir: "ui/dist",
    emptyOutDir: true,
    manifest: true,
    target: ["chrome90", "safari14.1", "firefox90"],
    // Every asset keeps its own hashed file: nothing is inlined that the CSP would refuse.
    assetsInlineLimit: 0,
    // No preload tags at run time: they would lack the nonce, and a refused one spoils the import.
    modulePreload: false,
    rolldownOptions: {
      input: ["ui/src/start.ts", "ui/src/lib/router-in-use.ts"],
      preserveEntrySignatures: "allow-extension",
      output: {
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
        // The small parts that pages share come in one file: each file that is asked for costs a
        // phone as much as some kB, before the first paint too.
        codeSplitting: {
          groups: [
            // React and the router change with their versions only, and so does the file's name.
            { name: "react", test: /node_modules/, priority: 1 },
            // Modules that wait for the first paint import nothing else.
            { name: "start", test: /ui\/src\/start|preload-helper/, priority: 1 },
            { name: "client", test: FIRST_SCRIPT, priority: 1 },
            { name: "shared", test: /ui\/src\/\w+\//, minShareCount: 2, maxModuleSize: 1_800 },
          ],
        },
      },
    },
  },
  test: {
    include: [
      "ui/src/**/*.test.{ts,tsx}",
      "ssr-bundle/**/*.test.{ts,tsx}",
      "ui/e2e/spec/coverage.test.ts",
    ],
    environment: "node",
    // A process for each file took half of the processor's time: no test leaves anything behind.
    isolate: false,
  },
});
