import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router";
import { SiteContext } from "../src/lib/site";
import type { PageData } from "../src/wire";
import { hindi } from "../src/words/hindi";
import { englishWords, WordsContext } from "../src/words/words";
import { Gallery } from "./gallery";

type Language = PageData["language"];

/** Where `./build.sh dev` shows it. */
export const GALLERY = "/__parts";

const SITE = {
  company: {
    name: "Sample Couriers Private Limited",
    address: "1 Sample Marg, New Delhi 110001",
    email: "help@example.com",
    phone: "+91 11 5550 0100",
    gstin: "07AAACD1234E1ZB",
    city: "New Delhi",
    state: "Delhi",
  },
  sandbox: true,
  passkeys: true,
  today: "2026-11-25",
};

/** The gallery as a document with these style sheets. It has no script: each state is drawn. */
export function galleryDocument(language: Language, styles: readonly string[]): string {
  const body = renderToString(
    <StaticRouter location={`${GALLERY}?language=${language}`}>
      <WordsContext value={language === "hi" ? hindi.words : englishWords}>
        <SiteContext value={{ ...SITE, language }}>
          <Gallery />
        </SiteContext>
      </WordsContext>
    </StaticRouter>,
  );
  const links = styles.map((path) => `<link rel="stylesheet" href="${path}">`).join("");
  return (
    `<!doctype html><html lang="${language}-IN"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>Parts · Dakiya</title>${links}</head><body><div id="root">${body}</div></body></html>`
  );
}
