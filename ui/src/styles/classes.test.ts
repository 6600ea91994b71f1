import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** The server's own markup around a page uses some of the classes too; letters have others. */
const SHELL = "server/core/ssr/shell.rs";

/** Classes as they are written in markup; "*" stands for what is only known at run time. */
const usedClasses = new Set([
  ...files("ui/src", /\.tsx$/).flatMap(classNames),
  ...[
    ...readFileSync(SHELL, "utf8")
      .replace(/pub fn letter[^]*?\n\}/, "")
      .matchAll(/class=\\"([\w -]+)\\"/g),
  ].flatMap((found) => tokens(found[1] ?? "")),
]);

const styledClasses = new Set(files("ui/src/styles", /\.css$/).flatMap(selectorsClasses));

test("every class has a rule", () => {
  expect(usedClasses.size).toBeGreaterThan(80);
  const known = (name: string) =>
    name !== "*" && [...styledClasses].some((rule) => fits(name, rule));
  expect([...usedClasses].filter((name) => !known(name))).toEqual([]);
});

test("every rule has a class", () => {
  expect(styledClasses.size).toBeGreaterThan(80);
  expect(
    [...styledClasses].filter((rule) => ![...usedClasses].some((name) => fits(name, rule))),
  ).toEqual([]);
});

test("letters have two weights, as each more is another font for the phone to make", () => {
  const sheets = files("ui/src/styles", /\.css$/).map((name) => readFileSync(name, "utf8"));
  const weights = sheets.flatMap((sheet) =>
    [...sheet.matchAll(/font-weight: ([^;]+)/g)].map(firstGroup),
  );
  expect(new Set(weights)).toEqual(new Set(["var(--bold)", "400", "inherit"]));
});

function fits(name: string, rule: string): boolean {
  return new RegExp(`^${name.replaceAll("*", "[\\w-]+")}$`).test(rule);
}

function files(folder: string, wanted: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => wanted.test(name))
    .map((name) => `${folder}/${name}`);
}

/** The classes in a style sheet's selectors: what stands before a brace, comments left out. */
function selectorsClasses(name: string): string[] {
  const bare = readFileSync(name, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const selectors = [...bare.matchAll(/[^{};]+(?=\{)/g)].map(([selector]) => selector);
  const found = selectors.filter((selector) => !selector.trim().startsWith("@"));
  return found.flatMap((selector) => [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(firstGroup));
}

/** The classes of every `className` in a source. */
function classNames(name: string): string[] {
  const found: string[] = [];
  const walk = (node: ts.Node) => {
    if (ts.isJsxAttribute(node) && node.name.getText() === "className" && node.initializer) {
      found.push(...texts(node.initializer).flatMap(tokens));
    }
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile(name, readFileSync(name, "utf8"), ts.ScriptTarget.Latest, true));
  return found;
}

/** The possible texts of an expression. */
function texts(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isJsxExpression(node)) return node.expression === undefined ? [] : texts(node.expression);
  if (ts.isConditionalExpression(node)) return [...texts(node.whenTrue), ...texts(node.whenFalse)];
  if (ts.isIdentifier(node) && node.text === "undefined") return [];
  if (!ts.isTemplateExpression(node)) return ["*"];
  return node.templateSpans.reduce(
    (begun, { expression, literal }) =>
      begun.flatMap((text) => texts(expression).map((part) => text + part + literal.text)),
    [node.head.text],
  );
}

function tokens(text: string): string[] {
  return text.split(/\s+/).filter((token) => token !== "");
}

function firstGroup(found: RegExpExecArray): string {
  return found[1] ?? "";
}
