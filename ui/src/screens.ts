import { searchOf } from "./lib/query";
import list from "./screens.json";
import type { DashboardTab } from "./wire";

/** A screen: an entry of screens.json, without what only the server reads of it. */
export type ScreenEntry = {
  /** The page's file in `pages` is named so, and its data's in the server's `http/pages`. */
  screen: string;
  path: string;
  /** The parameter one step below the path: addresses there have this screen as well. */
  item?: string;
  title: string;
  access: "private" | "public" | "guest";
  /** false: the page has no JavaScript; "members": only for customers who are logged in. */
  script: boolean | "members";
  /** Its words besides those of every screen; see `words/load.ts`. */
  words?: string;
};

export function hasScript({ script }: ScreenEntry, isMember: boolean): boolean {
  return script === "members" ? isMember : script;
}

/** The one list of screens, shared with the Rust server. */
export const screens = list as ScreenEntry[];

const byPath = new Map(screens.map((entry) => [entry.path, entry]));

/** The screen at an address of this site; the not-found screen for one nobody has. */
export function screenAt(pathname: string): ScreenEntry {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, "") : "/dashboard";
  const above = byPath.get(path.slice(0, path.lastIndexOf("/")));
  return byPath.get(path) ?? (above?.item ? above : screenNamed("not-found"));
}

/** The screen of a name. */
export function screenNamed(name: string): ScreenEntry {
  const entry = screens.find(({ screen }) => screen === name);
  if (entry === undefined) throw new Error(`screens.json lacks the screen ${name}`);
  return entry;
}

/** The dashboard's address with one of its tabs, a page of its list and a filter. */
export function dashboardHref(
  tab: DashboardTab,
  page: number,
  filter: Readonly<Record<string, string>> = {},
): string {
  if (tab === "overview") return "/dashboard";
  return `/dashboard${searchOf({ tab, page: page === 1 ? "" : String(page), ...filter })}`;
}
