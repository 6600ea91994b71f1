import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { escapePattern, ROWS, stateOf, type Row } from "./list";

/** The source of the list. It is not in the repository: a clone alone checks the rest. */
const SPECIFICATION = "../shared/spec.md";

const folder = "ui/e2e/spec";
const journeys = readdirSync(folder)
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(`${folder}/${name}`, "utf8"))
  .join("\n");

test("every row names its section, what is to be seen, and who sees it", () => {
  for (const row of ROWS) {
    expect(
      Object.values(row).every((cell) => cell !== ""),
      JSON.stringify(row),
    ).toBe(true);
  }
  const same = ROWS.filter((row, index) => ROWS.findIndex((one) => equal(one, row)) !== index);
  expect(same).toEqual([]);
});

test("every row is seen by a test that exists", () => {
  expect(ROWS.filter((row) => !isSeen(row)).map(({ words, seen }) => `${words}: ${seen}`)).toEqual(
    [],
  );
});

test("every sentence, label and route that the specification quotes is in the list", () => {
  if (!existsSync(SPECIFICATION)) return;
  const words = ROWS.map((row) => row.words).join("\n");
  const missing = quoted(readFileSync(SPECIFICATION, "utf8")).filter((text) => !has(words, text));
  expect(missing).toEqual([]);
});

test("the list is written as a table to read", () => {
  const cells = ({ section, kind, words, seen }: Row) =>
    [section, kind, words, seen].map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ");
  const head = "| section | kind | words | seen by |\n| --- | --- | --- | --- |";
  const table = [head, ...ROWS.map((row) => `| ${cells(row)} |`), ""].join("\n");
  mkdirSync("artefacts", { recursive: true });
  writeFileSync("artefacts/spec-coverage.md", table);
  expect(table.split("\n")).toHaveLength(ROWS.length + 3);
});

function equal(one: Row, other: Row): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** True if a journey shows the state, or the file has a test of this name. */
function isSeen(row: Row): boolean {
  const state = stateOf(row);
  if (state !== null) return journeys.includes(`"${state}"`);
  if (row.seen.startsWith("never ")) return true;
  const [file = "", name = ""] = row.seen.split(" > ");
  if (!existsSync(file) || name === "") return false;
  const source = readFileSync(file, "utf8");
  return file.endsWith(".rs")
    ? source.includes(`fn ${name}()`)
    : ['"', "`"].some((quote) => source.includes(`${quote}${name}${quote}`));
}

/** The texts between quotes, and the paths of the table of routes. */
function quoted(specification: string): string[] {
  const texts = [...specification.matchAll(/(?<!\w)'([^']+)'/g)].map(([, text]) => text ?? "");
  const table = specification.split("### Route table")[1]?.split("###")[0] ?? "";
  const routes = [...table.matchAll(/\/[\w/-]*/g)].map(([path]) => path);
  return [...new Set([...texts, ...routes])];
}

/** Texts with a number or an amount in them stand in the list with a real one. */
function has(words: string, text: string): boolean {
  const pattern = escapePattern(text.trim())
    .replaceAll(/\b[XYN]\b(?!\/)/g, String.raw`(\d+|N)`)
    .replace("amount", ".*");
  return new RegExp(pattern).test(words);
}
