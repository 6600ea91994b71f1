import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { look } from "../harness/audit";
import { scaleMs } from "../harness/patience";
import type { Visitor } from "../harness/visitor";

/** Kinds of things that rows name. The kind decides how one is looked for on a page. */
const KINDS = [
  "route",
  "heading",
  "section",
  "label",
  "placeholder",
  "button",
  "link",
  "column",
  "option",
  "text",
  "message",
  "constant",
  "rule",
] as const;

export type Kind = (typeof KINDS)[number];

/** A route, label, button, message, constant or rule that is promised, and who sees it. */
export type Row = {
  section: string;
  kind: Kind;
  words: string;
  /**
   * `see` and a state of a screen, or a file of tests, ` > ` and the test's name, or `never` and
   * why no screen can show it.
   */
  seen: string;
};

const LIST = new URL("coverage.tsv", import.meta.url);

export const ROWS: readonly Row[] = readFileSync(LIST, "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [section = "", kind = "", words = "", seen = ""] = line.split("\t");
    if (!KINDS.includes(kind as Kind)) throw new Error(`no kind of row: ${line}`);
    return { section, kind: kind as Kind, words, seen };
  });

/** The state of a screen in which a row is seen; null when a test of its own sees it. */
export function stateOf(row: Row): string | null {
  return row.seen.startsWith("see ") ? row.seen.slice("see ".length) : null;
}

/** Finds on the page everything that the list promises there in this state. */
export async function checkState(visitor: Visitor, state: string) {
  const rows = ROWS.filter((row) => stateOf(row) === state);
  if (rows.length === 0) throw new Error(`the list says nothing of: ${state}`);
  for (const row of rows) {
    if (row.kind === "route")
      await visitor.isAt(new RegExp(`^${escapePattern(row.words)}(\\?.*)?$`));
    else await waitForRow(visitor.page, row, state);
  }
  await look(visitor, `state-${state}`);
}

async function waitForRow(page: Page, row: Row, state: string) {
  const { kind, words } = row;
  const here = locateRow(page, kind, words).first();
  try {
    await here.waitFor({
      state: kind === "option" ? "attached" : "visible",
      timeout: scaleMs(20_000),
    });
  } catch {
    throw new Error(`${state} shows no ${kind} “${words}” (section ${row.section})`);
  }
}

function locateRow(page: Page, kind: Kind, words: string): Locator {
  switch (kind) {
    case "heading":
    case "button":
    case "link":
      return page.getByRole(kind, { name: words, exact: true });
    case "section":
      return page.locator("summary").filter({ hasText: words });
    case "label":
      return page.getByLabel(new RegExp(`^${escapePattern(words)}( \\(optional\\))?$`));
    case "placeholder":
      return page.getByPlaceholder(words, { exact: true });
    case "column":
      return page.getByRole("columnheader", { name: words, exact: true });
    case "option":
      return page.locator("option").filter({ hasText: new RegExp(`^${escapePattern(words)}$`) });
    case "text":
    case "message":
      return page.getByText(words).filter({ visible: true });
    default:
      throw new Error(`a ${kind} is seen by a test of its own`);
  }
}

/** A pattern that this text alone matches. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
