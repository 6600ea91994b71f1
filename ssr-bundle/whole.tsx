import pages from "dakiya:pages";
import { App } from "../ui/src/app";
import { haveLaterSteps } from "../ui/src/booking/fetched-steps";
import { LaterSteps } from "../ui/src/booking/later-steps";
import { FixedPlace } from "../ui/src/lib/place";
import { drawPage, type PageSource } from "../ui/src/pages/page-source";
import type { PageData } from "../ui/src/wire";
import { hindi } from "../ui/src/words/hindi";
import { asWritten } from "../ui/src/words/words";

haveLaterSteps(LaterSteps);

/** A page with all around it, as it is sent. */
export function Whole({ sent }: { sent: PageData }) {
  const query = Object.entries(sent.query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
  return (
    <FixedPlace pathname={sent.path} search={query === "" ? "" : `?${query}`}>
      <App sent={sent} pages={everyPage} words={sent.language === "hi" ? hindi.words : asWritten} />
    </FixedPlace>
  );
}

/** Nothing is fetched here. */
const everyPage: PageSource = {
  draw: (screen, data) => drawPage(pages[screen], data),
  load: () => Promise.resolve(),
};
