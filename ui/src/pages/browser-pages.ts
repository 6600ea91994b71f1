import type { LoadedWords } from "../words/load";
import type { Page, PageSource } from "./page-source";

/** Shown wherever no other page is: it cannot be fetched first. */
const FIRST = import.meta.glob<Page>("./not-found.tsx", {
  eager: true,
  import: "default",
});

/** Not the pages without scripts, which the server sends whole. */
const CHUNKS = import.meta.glob<Page>(
  [
    "./*.tsx",
    "!./not-found.tsx",
    "!./{help,letters-off,privacy,refund,reset-password,shipping,terms,undo-email}.tsx",
  ],
  { import: "default" },
);

/**
 * Where the navigation leads, and the login, as a session may end at any time: fetched before it is
 * asked for, so that a tap is instant.
 */
export const FETCHED_EARLY = ["courier", "dashboard", "calculate", "track", "recharge", "login"];

/** Where a login leads. */
export const FETCHED_BY_GUESTS = ["login", "dashboard"];

/** The browser's pages: each file of this folder draws the screen of its name. */
export function browserPages(words: LoadedWords): PageSource {
  const loaded = new Map(Object.entries(FIRST));
  return {
    find: (screen) => (words.has(screen) ? loaded.get(`./${screen}.tsx`) : undefined),
    load: async (screen, data) => {
      const file = `./${screen}.tsx`;
      const chunk = loaded.get(file) ?? CHUNKS[file]?.();
      const [page] = await Promise.all([chunk, words.load(screen)]);
      if (page === undefined) return;
      if (data !== undefined) await page.fetch?.(data as never);
      loaded.set(file, page);
    },
  };
}
