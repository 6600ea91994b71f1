import { useEffect, useEffectEvent, useState } from "react";
import { Redirect, usePlace } from "../lib/place";
import { queryOf } from "../lib/query";
import { useSession } from "../lib/session";
import { ErrorBox } from "../parts/feedback";
import { Skeleton } from "../parts/skeleton";
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
  return page ?? <Loading entry={entry} pages={pages} onLoaded={() => setLoaded(true)} />;
}

/** Where a fresh login leads: the local address asked for, else the dashboard. */
function afterLogin(search: string): string {
  return localPath(queryOf(search)["next"]) ?? "/dashboard";
}

type LoadingProps = { entry: ScreenEntry; pages: PageSource; onLoaded: () => void };

/** Stands in for a page whose chunk is still on its way. */
function Loading({ entry, pages, onLoaded }: LoadingProps) {
  const t = useWords();
  const [failed, setFailed] = useState(false);
  const loaded = useEffectEvent(onLoaded);
  useEffect(() => {
    let here = true;
    pages.load(entry.screen).then(
      () => here && loaded(),
      () => here && setFailed(true),
    );
    return () => {
      here = false;
    };
  }, [entry, pages]);
  if (!failed) return <Skeleton lines={8} label="Loading" />;
  return (
    <ErrorBox>
      {t("This page could not be loaded.")} <a href={entry.path}>{t("Try again")}</a>
    </ErrorBox>
  );
}
