import { createElement, type ComponentType, type ReactNode } from "react";
import type { Screen } from "../wire";

/** A page: the component that draws a screen. `data` is what the server loaded, or null. */
export type Page = ComponentType<{ data: unknown }>;

/**
 * A page source: where pages come from. The server has all at hand; the browser loads most in
 * chunks.
 */
export type PageSource = {
  /** undefined: not here yet (`load` it), or not drawn by this bundle. */
  draw: (screen: Screen, data: unknown) => ReactNode | undefined;
  load: (screen: Screen) => Promise<void>;
};

/** Forgets the shape of a page's data, which the server promises in the page data. */
export function asPage<D>(component: ComponentType<{ data: D | null }>): Page {
  return component as Page;
}

/** The page with its data, when it is here. */
export function drawPage(page: Page | undefined, data: unknown): ReactNode | undefined {
  return page === undefined ? undefined : createElement(page, { data });
}
