import { createElement, type ComponentType, type ReactNode } from "react";
import type { Screen } from "./page";
import list from "./screens.json";

export type ScreenEntry = {
  screen: Screen;
  path: string;
  title: string;
  description: string;
  access: "private" | "public" | "guest";
  /** false: a static page without JSON and without JavaScript. */
  script: boolean;
  /** Which words it needs besides those of every screen; see `words/load.ts`. */
  words?: string;
  index: boolean;
};

/** The one list of screens, shared with the Rust server. */
export const screens = list as ScreenEntry[];

const byPath = new Map(screens.map((entry) => [entry.path, entry]));

/** The screen at an address of this site; the not-found screen for one nobody has. */
export function screenAt(pathname: string): ScreenEntry {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, "") : "/dashboard";
  const parent = /^(\/track|\/recharge\/launch)\/[^/]+$/.exec(path)?.[1];
  const entry = byPath.get(parent ?? path) ?? byPath.get("*");
  if (entry === undefined) throw new Error("screens.json lacks the not-found screen");
  return entry;
}

/** The air waybill number in "/track/{awb}"; empty on "/track". */
export function awbOf(pathname: string): string {
  const written = /^\/track\/([^/]+)\/?$/.exec(pathname)?.[1] ?? "";
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** An address of this site, or null: never another host. */
export function localPath(next: string | null | undefined): string | null {
  return typeof next === "string" && /^\/(?![/\\])/.test(next) ? next : null;
}

/** A page gets what the server loaded for it, or null when it must load for itself. */
export type ScreenComponent = ComponentType<{ data: unknown }>;

/** Where the pages are: all at once on the server, in chunks in the browser. */
export type Pages = {
  /** undefined: not there yet (`load` it) or not drawn by this bundle. */
  draw: (screen: Screen, data: unknown) => ReactNode | undefined;
  load: (screen: Screen) => Promise<void>;
};

/** Binds a page to the shape of its data, which the server promises in the page JSON. */
export function page<D>(component: ComponentType<{ data: D | null }>): ScreenComponent {
  return component as ScreenComponent;
}

/** The page with its data, when there is such a page. */
export function draw(component: ScreenComponent | undefined, data: unknown): ReactNode | undefined {
  return component === undefined ? undefined : createElement(component, { data });
}
