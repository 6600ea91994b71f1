import type { LoadedWords } from "../words/load";
import { drawPage, type Page, type PageSource } from "./page-source";

/** Shown wherever no other page is: it cannot be fetched first. */
const FIRST = import.meta.glob<Page>("./not-found.tsx", {
  eager: true,
  import: "default",
});

/** Not the policies: the server sends them whole, and no script would ever load these chunks. */
const CHUNKS = import.meta.glob<Page>(
  ["./*.tsx", "!./not-found.tsx", "!./{privacy,refund,shipping,terms}.tsx", "!./current-page.tsx"],
  { import: "default" },
);

/** Where the navigation leads: fetched before it is asked for, so that a tap is instant. */
export const FETCHED_EARLY: readonly string[] = [
  "courier",
  "dashboard",
  "calculate",
  "track",
  "recharge",
  // A session may end at any time.
  "login",
];

/** Where a login leads. */
export const FETCHED_BY_GUESTS: readonly string[] = ["login", "dashboard"];

/** The browser's pages: each file of this folder draws the screen of its name. */
export function browserPages(words: LoadedWords): PageSource {
  const here = new Map(Object.entries(FIRST));
  return {
    draw: (screen, data) =>
      words.has(screen) ? drawPage(here.get(`./${screen}.tsx`), data) : undefined,
    load: async (screen, data) => {
      const file = `./${screen}.tsx`;
      const chunk = here.get(file) ?? CHUNKS[file]?.();
      const [page] = await Promise.all([chunk, words.load(screen)]);
      if (page === undefined) return;
      if (data !== undefined) await page.fetch?.(data as never);
      here.set(file, page);
    },
  };
}
