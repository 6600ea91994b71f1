import { useState } from "react";
import { useLocation, useNavigate, useNavigationType } from "react-router";
import type { PageSource } from "../pages/page-source";
import type { Reloadable } from "../parts/load-failed";
import { screenAt } from "../screens";
import type { PageData, PageRedirect } from "../wire";
import { useAlerts } from "./alerts";
import { useApi } from "./api";
import { errorSentence } from "./api-error";
import { appContext } from "./app-context";
import { PAGES_KEPT_MAX } from "./limits";
import { isOfThisSite } from "./local-path";
import { messages } from "./messages";
import { waitUntilSaved } from "./saving";
import { useSession } from "./session";
import { useLoad } from "./use-load";

/** The page of the current address. `page` is what it is drawn from; null until that is here. */
type CurrentPage = Reloadable & { page: PageData | null };

export const [CurrentPageContext, useCurrentPage] = appContext<CurrentPage>("useCurrentPage");

/** One answer of the server for one address. */
type Loaded = { href: string; turn: number; page: PageData | null; error: string | null };

/** Screens that show nothing without their data. Where the server failed, it is asked again. */
const NEEDS_DATA = [
  ..."account addresses bookings calculate courier".split(" "),
  ..."passkeys recharge track two-step weight-differences".split(" "),
];

/**
 * The message when a page cannot be loaded, by its screen; a slash follows for the pages below it.
 */
const FAILED = new Map<string, string>([
  ["bookings", messages.bookingsFailed],
  ["bookings/", messages.bookingFetchFailed],
  ["courier", messages.courierFailed],
  ["recharge", messages.balanceFailed],
]);

/** Forms that are being filled in: what was kept of them is out of date. */
const NEVER_KEPT: readonly string[] = ["courier"];

/**
 * Follows the address: each navigation asks the server once for what its page is drawn from. Going
 * back shows at once what was there, and then what the server says now. On the same path, as from
 * tab to tab, the last page stays until the next is here. An entry of the history that has a state
 * belongs to the page that made it, which stays.
 */
export function useLoadedPage(first: PageData, pages: PageSource): CurrentPage {
  const api = useApi();
  const session = useSession();
  const { arrive } = useAlerts();
  const navigate = useNavigate();
  const arrivedBy = useNavigationType();
  const { key, pathname, search, state } = useLocation();
  const href = pathname + search;
  const { screen, path } = screenAt(pathname);
  const [turn, setTurn] = useState(0);
  const [loaded, setLoaded] = useState<Loaded>(() => {
    const isWhole = first.data !== null || !NEEDS_DATA.includes(first.screen);
    return { href, turn: isWhole ? turn : -1, page: isWhole ? first : null, error: null };
  });
  /** By the key of the entry in the browser's history. */
  const [pagesByEntry] = useState(() => new Map<string, PageData>([[key, first]]));
  const isOwn = state !== null && loaded.page?.screen === screen;
  const isLoaded = (isOwn || loaded.href === href) && loaded.turn === turn;
  const [arrived, setArrived] = useState({ key, href });
  if (arrived.key !== key) {
    setArrived({ key, href });
    // A link to the page that is shown: it may have been the answer to a form.
    const isAgain = arrived.href === href && arrivedBy !== "POP" && state === null;
    if (isAgain && !NEVER_KEPT.includes(screen)) setTurn(turn + 1);
  }

  const failed = FAILED.get(pathname === path ? screen : `${screen}/`) ?? messages.pageFailed;
  const load = async (signal: AbortSignal) => {
    await waitUntilSaved();
    const [answer] = await Promise.all([api.page(href, failed, signal), pages.load(screen)]);
    if ("screen" in answer) await pages.load(answer.screen, answer.data);
    return answer;
  };
  const show = (answer: PageData | PageRedirect) => {
    if ("redirect" in answer) {
      // The router hands another site's address to the browser.
      void navigate(isOfThisSite(answer.redirect) ? answer.redirect : "/dashboard", {
        replace: true,
      });
      return;
    }
    keepPage(pagesByEntry, key, answer);
    if (answer.user !== null) session.setUser(answer.user);
    if (answer.alert !== null) arrive(answer.alert);
    setLoaded({ href, turn, page: answer, error: null });
  };
  const fail = (cause: unknown) => {
    const error = errorSentence(cause, failed);
    setLoaded((last) => ({ href, turn, page: last.href === href ? last.page : null, error }));
  };
  useLoad(isLoaded ? null : `${turn} ${href}`, load, show, fail);

  const before = arrivedBy === "POP" ? pagesByEntry.get(key) : undefined;
  const isSamePath = loaded.page?.path === pathname && loaded.page.screen === screen;
  const stays = isSamePath && !NEVER_KEPT.includes(screen);
  const isShown = isOwn || loaded.href === href || stays;
  const [reload] = useState(() => () => setTurn((last) => last + 1));
  return {
    page: isShown ? loaded.page : (before ?? null),
    error: isLoaded ? loaded.error : null,
    loading: !isLoaded,
    reload,
  };
}

/** Keeps the pages of the last entries. */
function keepPage(pagesByEntry: Map<string, PageData>, key: string, page: PageData) {
  pagesByEntry.delete(key);
  if (!NEVER_KEPT.includes(page.screen)) pagesByEntry.set(key, page);
  for (const oldest of pagesByEntry.keys()) {
    if (pagesByEntry.size <= PAGES_KEPT_MAX) return;
    pagesByEntry.delete(oldest);
  }
}
