import "./polyfills";
import { Fragment, Suspense } from "react";
import { renderToString } from "react-dom/server";
import type { LetterData, PageData } from "../ui/src/wire";
import { Letter } from "./letter";
import { Whole } from "./whole";

/**
 * Draws one page, or one letter. The answer begins with "+" and then has the HTML that belongs
 * inside `<div id="root">`, of a letter inside its body, or with "!" and then says what went wrong.
 * It never throws.
 */
function render(json: string): string {
  try {
    const data = JSON.parse(json) as PageData | { letter: LetterData };
    if ("letter" in data) return `+${renderToString(<Letter letter={data.letter} />)}`;
    const html = renderToString(<Whole pageData={data} boundary={Suspense} />);
    // React leaves what failed inside of a boundary to the browser. Without one it says why.
    if (html.includes("<!--$!-->")) renderToString(<Whole pageData={data} boundary={Fragment} />);
    return `+${html}`;
  } catch (error) {
    return `!${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

(globalThis as Record<string, unknown>)["render"] = render;
