import { createElement, type ComponentType, type ReactNode } from "react";

/**
 * A page: the component that draws a screen, and the default export of the file that is named after
 * it. `data` is what the server loaded in the shape that the component asks for, or null.
 */
export type Page = ComponentType<{ data: unknown }> & {
  /** Fetches what this data is drawn with besides, before the browser takes the page over. */
  fetch?: (data: never) => Promise<void>;
};

/**
 * A page source: where pages come from. The server has all at hand; the browser loads most in
 * chunks.
 */
export type PageSource = {
  /** undefined: not here yet (`load` it), or not drawn by this bundle. */
  draw: (screen: string, data: unknown) => ReactNode | undefined;
  load: (screen: string, data?: unknown) => Promise<void>;
};

/** The page with its data, when it is here. */
export function drawPage(page: Page | undefined, data: unknown): ReactNode | undefined {
  return page === undefined ? undefined : createElement(page, { data });
}
