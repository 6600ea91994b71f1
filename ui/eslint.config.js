import js from "@eslint/js";
import tseslint from "typescript-eslint";
import hooks from "eslint-plugin-react-hooks";
import a11y from "eslint-plugin-jsx-a11y";

/** Names that the server engines do not have, or that would make two renders differ. */
const unsteady = [
  { name: "Intl", message: "The engines have no Intl: use format.ts." },
  { name: "Date", message: "Pages read no clock: use the page data's today and format.ts." },
  {
    name: "requestAnimationFrame",
    message: "A busy phone draws what changed some frames later: use flushSync.",
  },
];

export default tseslint.config(
  { ignores: ["ui/dist", "ssr-bundle/dist", "ui/src/wire.ts"] },
  js.configs.recommended,
  tseslint.configs.strict,
  {
    files: ["ui/src/**/*.{ts,tsx}", "ssr-bundle/*.{ts,tsx}"],
    extends: [hooks.configs.flat["recommended-latest"], a11y.flatConfigs.strict],
    rules: {
      "no-restricted-globals": ["error", ...unsteady],
      "max-lines": ["error", { max: 420 }],
      "no-console": ["error", { allow: ["error"] }],
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='style']",
          message: "The content security policy allows no inline style: use a class.",
        },
        {
          selector: "MemberExpression[property.name=/^toLocale/]",
          message: "The engines have no locales: use format.ts.",
        },
        {
          // A name that came from elsewhere could be `__proto__`.
          selector:
            "AssignmentExpression > MemberExpression.left[computed=true][property.type!='Literal']",
          message: "Names that are computed belong in a Map, or in Object.fromEntries.",
        },
        {
          selector: "CallExpression[callee.object.name='Object'][callee.property.name='assign']",
          message: "Use a spread: it never runs a setter of the prototype.",
        },
      ],
    },
  },
  {
    // A part draws what it is given: it fetches nothing and knows no session, alerts or forms.
    files: ["ui/src/parts/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: [
                "../lib/api",
                "../lib/call",
                "../lib/session",
                "../lib/alerts",
                "../lib/form",
                "../lib/use-resource",
              ],
            },
          ],
        },
      ],
    },
  },
  {
    // Mail programs know neither our policy nor style sheets.
    files: ["ssr-bundle/letter.tsx"],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    files: ["**/*.test.{ts,tsx}"],
    rules: { "no-restricted-globals": "off", "no-restricted-syntax": "off" },
  },
  {
    files: ["ui/e2e/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.name='expect'] > AwaitExpression > CallExpression" +
            "[callee.property.name=/^(count|inputValue|getAttribute|evaluate|is[A-Z])|Text/]",
          message: "The page may not have drawn it yet: use expect.poll.",
        },
      ],
    },
  },
  {
    files: ["ui/public/sw.js"],
    languageOptions: {
      globals: Object.fromEntries(
        ["self", "caches", "fetch", "Response", "URL"].map((name) => [name, "readonly"]),
      ),
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly" } },
    rules: { "no-console": "off" },
  },
);
