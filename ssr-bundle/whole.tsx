import pages from "dakiya:pages";
import { StaticRouter } from "react-router";
import { App } from "../ui/src/app";
import { provideLaterSteps } from "../ui/src/booking/lazy-steps";
import { LaterSteps } from "../ui/src/booking/later-steps";
import type { PageSource } from "../ui/src/pages/page-source";
import { Screen, type Boundary } from "../ui/src/routes";
import { screenAt } from "../ui/src/screens";
import type { PageData } from "../ui/src/wire";
import { hindi } from "../ui/src/words/hindi";
import { englishWords } from "../ui/src/words/words";

provideLaterSteps(LaterSteps);

type Props = { pageData: PageData; boundary: Boundary };

/** A page with all around it, as it is sent. */
export function Whole({ pageData, boundary }: Props) {
  const query = Object.entries(pageData.query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
  const location = { pathname: pageData.path, search: query === "" ? "" : `?${query}` };
  return (
    <StaticRouter location={location}>
      <App
        pageData={pageData}
        pages={everyPage}
        words={pageData.language === "hi" ? hindi.words : englishWords}
      >
        <Screen entry={screenAt(pageData.path)} pages={everyPage} boundary={boundary} />
      </App>
    </StaticRouter>
  );
}

/** Nothing is fetched here. */
const everyPage: PageSource = {
  find: (screen) => pages[screen],
  load: () => Promise.resolve(),
};
