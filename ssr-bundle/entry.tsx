import "./polyfills";
import pages from "dakiya:pages";
import { renderToString } from "react-dom/server";
import { Router, type Navigator } from "react-router";
import { App } from "../ui/src/app";
import { drawPage, type PageSource } from "../ui/src/pages/page-source";
import type { PageData } from "../ui/src/wire";
import { hindi } from "../ui/src/words/hindi";
import { asWritten } from "../ui/src/words/words";

/**
 * Draws one page. The answer begins with "+" and then has the HTML that belongs inside
 * `<div id="root">`, or with "!" and then says what went wrong. It never throws.
 */
function render(json: string): string {
  try {
    return `+${html(JSON.parse(json) as PageData)}`;
  } catch (error) {
    return `!${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

function html(sent: PageData): string {
  const query = Object.entries(sent.query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
  const location = {
    pathname: sent.path,
    search: query === "" ? "" : `?${query}`,
    hash: "",
    state: null,
    key: "default",
  };
  return renderToString(
    <Router location={location} navigator={still} static>
      <App
        sent={sent}
        pages={serverPages}
        words={sent.language === "hi" ? hindi.words : asWritten}
      />
    </Router>,
  );
}

/** The server has every page at hand. */
const serverPages: PageSource = {
  draw: (screen, data) => drawPage(pages[screen], data),
  load: () => Promise.resolve(),
};

/**
 * What StaticRouter gives the tree, less `encodeLocation`: that needs `URL`, which bare engines
 * lack, and only changes addresses outside of ASCII, of which we have none.
 */
const still: Navigator = {
  createHref: (to) => (typeof to === "string" ? to : `${to.pathname}${to.search}${to.hash}`),
  go: stays,
  push: stays,
  replace: stays,
};

function stays(): never {
  throw new Error("The server does not navigate: it answers with a redirect before rendering.");
}

(globalThis as Record<string, unknown>)["render"] = render;
