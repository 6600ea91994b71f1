import { useEffect, useEffectEvent, useState } from "react";
import { Navigate, useLocation } from "react-router";
import { Skeleton } from "./parts/skeleton";
import { ErrorBox } from "./parts/status";
import { queryOf } from "./query";
import { localPath, screenAt, type Pages, type ScreenEntry } from "./screens";
import { useSession } from "./session";
import { useWords } from "./words/words";

type Props = { data: unknown; pages: Pages };

/**
 * The screen of the current address. The table is screens.json, read directly: react-router's own
 * `Routes` ranks and compiles every path anew at each render, which cost more than the page itself.
 */
export function AppRoutes({ data, pages }: Props) {
  const entry = screenAt(useLocation().pathname);
  return <Slot key={entry.screen} entry={entry} pages={pages} data={data} />;
}

type SlotProps = { entry: ScreenEntry; pages: Pages; data: unknown };

/** Lets a screen in only for those who may see it, and names the document after it. */
function Slot({ entry, pages, data }: SlotProps) {
  const t = useWords();
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const [, setArrived] = useState(false);
  useEffect(() => {
    document.title = t(entry.title);
  }, [entry, t]);

  if (entry.access === "private" && user === null) {
    return <Navigate to={`/login?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (entry.access === "guest" && user !== null)
    return <Navigate to={afterLogin(search)} replace />;
  const drawn = pages.draw(entry.screen, data);
  return drawn ?? <Loading entry={entry} pages={pages} onArrived={() => setArrived(true)} />;
}

/** Where a fresh login leads: the local address asked for, else the dashboard. */
function afterLogin(search: string): string {
  return localPath(queryOf(search)["next"]) ?? "/dashboard";
}

type LoadingProps = { entry: ScreenEntry; pages: Pages; onArrived: () => void };

/** A screen whose chunk is still on its way. */
function Loading({ entry, pages, onArrived }: LoadingProps) {
  const t = useWords();
  const [failed, setFailed] = useState(false);
  const arrive = useEffectEvent(onArrived);
  useEffect(() => {
    let here = true;
    pages.load(entry.screen).then(
      () => here && arrive(),
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
