import type { ComponentType } from "react";

/**
 * A page: the component that draws a screen, and the default export of the file that is named after
 * it. `data` is what the server loaded in the shape that the component asks for; null where the
 * screen has none, or where the server could not load it.
 */
export type Page = ComponentType<{ data: unknown }> & {
  /** Fetches what this data is drawn with besides, before the page is shown. */
  fetch?: (data: never) => Promise<void>;
};

/** Finds pages. The server has all at hand; the browser loads most in chunks. */
export type PageSource = {
  /** undefined: not loaded yet. */
  find: (screen: string) => Page | undefined;
  /** Makes the page ready for this data. */
  load: (screen: string, data?: unknown) => Promise<void>;
};
