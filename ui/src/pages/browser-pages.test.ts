import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { screens } from "../screens";
import { wordsFor } from "../words/load";
import { browserPages, FETCHED_EARLY } from "./browser-pages";

const names = screens.map(({ screen }) => screen).sort();
const sources = readdirSync("ui/src", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(`ui/src/${name}`, "utf8") }));

describe("the pages", () => {
  test("are one for each screen, in the file of its name", () => {
    const files = readdirSync("ui/src/pages").filter((name) => name.endsWith(".tsx"));
    const pages = files.map((name) => name.replace(".tsx", ""));
    expect(pages.filter((name) => name !== "current-page").sort()).toEqual(names);
  });

  const scripted = screens.filter(({ script }) => script);

  test.each(scripted)("$screen is drawn by the browser too", async ({ screen }) => {
    const pages = browserPages(wordsFor("en"));
    await pages.load(screen);
    expect(pages.find(screen)).toBeDefined();
  });

  test("have no style sheets of their own, which the browser would not load", () => {
    const styled = sources
      .filter(({ name, text }) => !name.includes(".test.") && /^import .*\.css"/m.test(text))
      .map(({ name }) => name);
    expect(styled).toEqual(["client.tsx"]);
  });

  test("use no more of React Router than what keeps its file's name", () => {
    const used = sources
      .filter(({ name }) => !name.endsWith("router-in-use.ts"))
      .flatMap(({ text }) => [...text.matchAll(/import \{([^}]*)\} from "react-router"/g)])
      .flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()));
    const kept = readFileSync("ui/src/lib/router-in-use.ts", "utf8");
    expect(used.filter((name) => name !== "" && !kept.includes(`  ${name},`))).toEqual([]);
  });

  test("that are fetched early are there", () => {
    expect(FETCHED_EARLY.filter((screen) => !names.includes(screen))).toEqual([]);
  });
});
