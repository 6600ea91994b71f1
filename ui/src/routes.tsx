import { createElement, Suspense, useEffect, type Fragment } from "react";
import { Navigate, Route, Routes, useLocation, useSearchParams } from "react-router";
import { useCurrentPage } from "./lib/current-page";
import { nextIn } from "./lib/local-path";
import { useSession } from "./lib/session";
import type { PageSource } from "./pages/page-source";
import { PageLoading } from "./parts/page-loading";
import { screenNamed, screens, type ScreenEntry } from "./screens";
import { useWords, type Words } from "./words/words";

/** One route for each address of screens.json. */
export function ScreenRoutes({ pages }: { pages: PageSource }) {
  return (
    <Routes>
      {screens.flatMap((entry) => {
        const element = (
          <Screen key={entry.screen} entry={entry} pages={pages} boundary={Suspense} />
        );
        return routePaths(entry).map((path) => <Route key={path} path={path} element={element} />);
      })}
    </Routes>
  );
}

/** A screen's addresses as patterns: its own, and those one step below it. */
function routePaths({ screen, path, item }: ScreenEntry): string[] {
  if (screen === "dashboard") return ["/", path];
  return item === undefined ? [path] : [path, `${path}/:${item}`];
}

/** Around a page. */
export type Boundary = typeof Suspense | typeof Fragment;

type Props = { entry: ScreenEntry; pages: PageSource; boundary: Boundary };

/** Shows a screen only to those who may see it, and names the document after it. */
export function Screen({ entry, pages, boundary: Boundary }: Props) {
  const t = useWords();
  const { user } = useSession();
  const { pathname, search, state } = useLocation();
  const current = useCurrentPage();
  const { page } = current;
  // An entry of the page's own shows something else by now.
  const own = state === null ? page?.title : null;
  const title = documentTitle(t, screenNamed(page?.screen ?? entry.screen), own);
  useEffect(() => {
    document.title = title;
  }, [title]);

  if (entry.access === "private" && user === null) {
    return <Navigate to={`/login?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (entry.access === "guest" && user !== null) return <AfterLogin />;
  const Page = page === null ? undefined : pages.find(page.screen);
  if (page === null || Page === undefined) return <PageLoading title={title} resource={current} />;
  // A boundary is hydrated in slices of a few milliseconds, and first where somebody taps.
  return (
    <Boundary>
      {createElement(Page, { key: page.screen, data: page.data })}
      <HydrationMarker />
    </Boundary>
  );
}

/** A page's own title or the screen's, which ends with our name. */
function documentTitle(t: Words, { title }: ScreenEntry, own: string | null | undefined): string {
  const [name = "", ...ending] = title.split(" · ");
  return [t(own ?? name), ...ending].join(" · ");
}

/** Tells that the page answers by script: journeys wait for it, and measurements. */
function HydrationMarker() {
  useEffect(() => {
    document.documentElement.dataset["hydrated"] = "";
  }, []);
  return null;
}

/** Where a new login leads: the local address asked for, else the dashboard. */
function AfterLogin() {
  const [query] = useSearchParams();
  return <Navigate to={nextIn(query) ?? "/dashboard"} replace />;
}
