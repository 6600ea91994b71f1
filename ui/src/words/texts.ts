/**
 * Finds what the interface says, in the sources themselves: for the test that nothing is forgotten
 * in a message file. Not part of any bundle.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";
import rules from "../../../server/data/booking_fields.json";
import { messages } from "../lib/messages";
import { screens } from "../screens";

/** Where a text for people is written as a plain string. */
const ATTRIBUTES = /^(label|title|hint|placeholder|caption|prompt|aria-label|alt)$/;
const PROPERTIES = /^(label|title|hint|message|text|prompt)$/;
const CALLS = /^(t|numberedChoices)$/;
/** A sentence, or several words that begin with a capital letter. */
const SENTENCE = /^[A-Z][a-z]+\S* \S/;
/** Written for nobody to read. */
const NOT_SAID = ["Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", "Default Company"];
/** The name of the product, and pages that are written twice, in English and in Hindi. */
const BRAND = "Dakiya";
const WRITTEN_TWICE = new Set([
  "ui/src/parts/policy.tsx",
  ...screens
    .filter(({ screen }) => existsSync(`ui/src/words/hi-${screen}.tsx`))
    .map(({ screen }) => `ui/src/pages/${screen}.tsx`),
]);

/** Of these each screen uses a part, which it names or asks for by a call. */
const FOR_ALL = /\/lib\/(messages|api)\.ts$/;

/** A text with what differs left open, so that a key can be compared with a template. */
export function textShape(text: string): string {
  const open = text.replace(/\{[^}]*\}/g, "{}");
  // The beginning of a sentence that goes on.
  return / $/.test(open) && !open.includes("{}") ? `${open}{}` : open;
}

/** All that is said, but for the titles of documents. */
export function interfaceTexts(of: readonly Source[] = SOURCES): Set<string> {
  const hasWords = (text: string) => /[A-Za-z]{2}/.test(text.replace(/\{[^}]*\}/g, ""));
  const said = of.flatMap(nodesOf).flatMap(directTexts);
  return new Set(said.filter((text) => hasWords(text) && !NOT_SAID.includes(text)));
}

export function titles(): string[] {
  return screens.map(({ title }) => title.replace(/ · Dakiya$/, ""));
}

/** The texts of a module and of all that it imports: of the messages, those that they name. */
export function textsFrom(entry: string): Set<string> {
  const all = new Map(SOURCES.map((source) => [source.name, source]));
  const modules = new Map<string, Source>();
  const queue = [entry];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const module = all.get(name);
    if (module === undefined || modules.has(name) || FOR_ALL.test(name)) continue;
    modules.set(name, module);
    for (const from of module.source.statements.flatMap(importedModules)) {
      const path = posix.join(posix.dirname(name), from);
      queue.push(`${path}.ts`, `${path}.tsx`);
    }
  }
  const matches = [...modules.values()].flatMap(({ source }) => [
    ...source.text.matchAll(/\bmessages\.(\w+)/g),
  ]);
  const namedMessages = matches.map(([, name]) => messages[name as keyof typeof messages]);
  return new Set([...interfaceTexts([...modules.values()]), ...namedMessages]);
}

/** Every string of the interface's sources, whatever it is for. */
export function allTexts(): Set<string> {
  return new Set(SOURCES.flatMap(nodesOf).flatMap(texts));
}

/** Texts between tags, and in attributes that people hear, that go past `t`. */
export function untranslated(): string[] {
  return SOURCES.flatMap(nodesOf).flatMap((node) => {
    const text = ts.isJsxText(node) ? node.text.trim() : spokenAttribute(node);
    const isTold = text !== null && /[A-Za-z]{2}/.test(text) && text !== BRAND;
    return isTold ? [`${node.getSourceFile().fileName}: ${text}`] : [];
  });
}

/** Possible answers of the server: every string of its sources, as a template. */
export function serverTexts(): Set<string> {
  const sources = ["server/core", "server/src"].flatMap((folder) => files(folder, /\.rs$/));
  const strings = sources.flatMap((name) => [...stringsOf(name)]);
  return new Set([...strings, ...ruleSentences()]);
}

/** Sentences beside a field of the booking form, here and by the server. */
export function ruleSentences(): string[] {
  const kinds = Object.values(rules.kinds).map(({ sentence }) => sentence);
  return [...Object.values(rules.sentences), ...kinds];
}

/** Parts of the server that speak to operators, to programs, by email or on paper. */
const NOT_ON_A_PAGE =
  /rates\/(file|import|row)|notice|label|invoice|chain|statement_csv|tests|draft|page/;

/** Actions of operators, refunds, and letters about them. */
const TO_OPERATORS = /operator|books|report|unresolved|refunds|notifications/;

/** Answers to calls that no page makes like this. */
const TO_PROGRAMS = [
  "There is no such field.",
  "There is no such call.",
  "Must be a whole number from 1 to {max}.",
  "The booking is not valid JSON.",
  "This was booked a moment ago. It was not booked or charged again.",
  "Please name the service: its number, or its name in courier_name.",
  "This is another service than that of courier_id.",
  "This is another service than the one of this price.",
  "This service cannot carry this shipment. Please choose another.",
  "We do not know this country. Choose from the list.",
  "This is another country than destination_country_id.",
  "Please choose International for another country.",
  "This callback is not from the courier.",
  "This callback is not from the payment gateway.",
];

/** The sentences of rules and flows, with a figure in the place of what differs. */
export function serverSentences(): string[] {
  return ["server/core/model", "server/core/services"]
    .flatMap((folder) => files(folder, /\.rs$/))
    .filter((name) => !NOT_ON_A_PAGE.test(name) && !TO_OPERATORS.test(name))
    .flatMap((name) => [...stringsOf(name)])
    .filter((text) => SENTENCE.test(text) && /[.]$/.test(text) && !text.includes("\\n"))
    .filter((text) => !TO_PROGRAMS.includes(text))
    .map((text) => text.replace(/\{[^}]*\}/g, "7"));
}

/** Letters have both languages in one place. */
const LETTERS = [
  /fn [^{};]*-> Letter \{[\s\S]*?\n {4}\}\n/g,
  /text: \(\n[\s\S]*?\n {16}\),\n/g,
  /LetterText \{[\s\S]*?\n\};\n/g,
];

/** The strings of a Rust source, without those of its letters and tests. */
function stringsOf(name: string): Set<string> {
  const [whole = ""] = readFileSync(name, "utf8").split("#[cfg(test)]");
  const source = LETTERS.reduce((rest, letter) => rest.replace(letter, ""), whole);
  const texts = [...source.replace(/^\s*\/\/.*$/gm, "").matchAll(/"((?:[^"\\]|\\[^])*)"/g)];
  return new Set(texts.map(([, text = ""]) => text.replace(/\\\n\s*/g, "").replaceAll('\\"', '"')));
}

/** The modules that a statement imports to run, not as types. */
function importedModules(statement: ts.Statement): string[] {
  if (!ts.isImportDeclaration(statement) || statement.importClause?.isTypeOnly === true) return [];
  return ts.isStringLiteral(statement.moduleSpecifier) ? [statement.moduleSpecifier.text] : [];
}

type Source = { name: string; source: ts.SourceFile };

/** Parsed once, before any test's time runs. */
const SOURCES: readonly Source[] = files("ui/src", /\.tsx?$/)
  .filter((name) => !/\.test\.ts$|\/sample\.ts$|\/words\//.test(name) && !WRITTEN_TWICE.has(name))
  .map((name) => ({
    name,
    source: ts.createSourceFile(name, readFileSync(name, "utf8"), ts.ScriptTarget.Latest, true),
  }));

function files(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}/${name}`);
}

/** All of a source but its imports and types. */
function nodesOf({ source }: Source): ts.Node[] {
  const withInner = (node: ts.Node): ts.Node[] => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return [];
    const inner: ts.Node[] = [];
    ts.forEachChild(node, (child) => void inner.push(...withInner(child)));
    return [node, ...inner];
  };
  return withInner(source);
}

/** The texts that stand in this very place. */
function directTexts(node: ts.Node): string[] {
  if (ts.isCallExpression(node) && CALLS.test(node.expression.getText())) {
    return node.arguments.flatMap(texts);
  }
  if (ts.isJsxAttribute(node) && ATTRIBUTES.test(node.name.getText())) {
    return node.initializer === undefined ? [] : texts(node.initializer);
  }
  if (ts.isPropertyAssignment(node) && PROPERTIES.test(node.name.getText())) {
    return texts(node.initializer);
  }
  if (ts.isPropertyAssignment(node) && node.getSourceFile().fileName.endsWith("messages.ts")) {
    return texts(node.initializer);
  }
  if (ts.isSourceFile(node)) return [];
  const thrown = ts.isNewExpression(node.parent);
  const joined = ts.isBinaryExpression(node.parent) || ts.isTemplateSpan(node.parent);
  return thrown || joined ? [] : texts(node).filter((text) => SENTENCE.test(text));
}

/** An attribute of an element of HTML that is read out and was not translated. */
function spokenAttribute(node: ts.Node): string | null {
  if (!ts.isJsxAttribute(node) || node.initializer === undefined) return null;
  const element = node.parent.parent.tagName.getText();
  const heard = /^[a-z]/.test(element) && ATTRIBUTES.test(node.name.getText());
  return heard && ts.isStringLiteral(node.initializer) ? node.initializer.text : null;
}

/** The possible texts of an expression, with names in braces where it differs. */
function texts(node: ts.Node): string[] {
  if (ts.isJsxExpression(node)) return node.expression === undefined ? [] : texts(node.expression);
  if (ts.isParenthesizedExpression(node)) return texts(node.expression);
  if (ts.isConditionalExpression(node)) return [...texts(node.whenTrue), ...texts(node.whenFalse)];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [
      node.templateSpans.reduce((all, { literal }) => `${all}{}${literal.text}`, node.head.text),
    ];
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [texts(node.left), texts(node.right)];
    return left.length === 1 && right.length === 1 ? [`${left[0]}${right[0]}`] : [];
  }
  return [];
}
