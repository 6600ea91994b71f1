import "./polyfills";
import pages from "dakiya:pages";
import { renderToString } from "react-dom/server";
import { App } from "../ui/src/app";
import { FixedPlace } from "../ui/src/lib/place";
import { drawPage, type PageSource } from "../ui/src/pages/page-source";
import type { LetterData, PageData } from "../ui/src/wire";
import { hindi } from "../ui/src/words/hindi";
import { asWritten } from "../ui/src/words/words";
import { Letter } from "./letter";

/**
 * Draws one page, or one letter. The answer begins with "+" and then has the HTML that belongs
 * inside `<div id="root">`, of a letter inside its body, or with "!" and then says what went wrong.
 * It never throws.
 */
function render(json: string): string {
  try {
    const sent = JSON.parse(json) as PageData | { letter: LetterData };
    return `+${"letter" in sent ? renderToString(<Letter letter={sent.letter} />) : html(sent)}`;
  } catch (error) {
    return `!${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

function html(sent: PageData): string {
  const query = Object.entries(sent.query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
  return renderToString(
    <FixedPlace pathname={sent.path} search={query === "" ? "" : `?${query}`}>
      <App
        sent={sent}
        pages={serverPages}
        words={sent.language === "hi" ? hindi.words : asWritten}
      />
    </FixedPlace>,
  );
}

/** The server has every page at hand. */
const serverPages: PageSource = {
  draw: (screen, data) => drawPage(pages[screen], data),
  load: () => Promise.resolve(),
};

(globalThis as Record<string, unknown>)["render"] = render;
