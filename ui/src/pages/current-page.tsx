import { useEffect, useState } from "react";
import { Redirect, usePlace } from "../lib/place";
import { queryOf } from "../lib/query";
import { useSession } from "../lib/session";
import { Loading } from "../parts/loading";
import { localPath, screenAt, type ScreenEntry } from "../screens";
import { useWords } from "../words/words";
import type { PageSource } from "./page-source";

type Props = { data: unknown; pages: PageSource };

/** The page of the current address. */
export function CurrentPage({ data, pages }: Props) {
  const entry = screenAt(usePlace().pathname);
  return <Guarded key={entry.screen} entry={entry} pages={pages} data={data} />;
}

type GuardedProps = { entry: ScreenEntry; pages: PageSource; data: unknown };

/** Shows a page only to those who may see its screen, and names the document after it. */
function Guarded({ entry, pages, data }: GuardedProps) {
  const t = useWords();
  const { user } = useSession();
  const { pathname, search } = usePlace();
  const [, setLoaded] = useState(false);
  useEffect(() => {
    document.title = t(entry.title);
  }, [entry, t]);

  if (entry.access === "private" && user === null) {
    return <Redirect to={`/login?next=${encodeURIComponent(pathname + search)}`} />;
  }
  if (entry.access === "guest" && user !== null) {
    return <Redirect to={afterLogin(search)} />;
  }
  const page = pages.draw(entry.screen, data);
  const load = () => pages.load(entry.screen);
  return page ?? <Loading load={load} onLoaded={() => setLoaded(true)} href={entry.path} />;
}

/** Where a fresh login leads: the local address asked for, else the dashboard. */
function afterLogin(search: string): string {
  return localPath(queryOf(search)["next"]) ?? "/dashboard";
}
