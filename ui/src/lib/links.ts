import { useEffect } from "react";
import { useNavigate } from "react-router";
import { hasScript, screenAt } from "../screens";
import { listen } from "./listen";

/**
 * Turns clicks on plain `<a href>` elements into navigation without a page load. One listener
 * instead of a `Link` for each: the markup stays as light as it reads, on the server as well. A
 * link with `data-replace` replaces its page in the history.
 */
export function useLinks(isMember: boolean) {
  const navigate = useNavigate();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = localLink(event, isMember);
      if (link === null) return;
      event.preventDefault();
      const replace = link.dataset["replace"] !== undefined;
      void navigate(link.pathname + link.search + link.hash, { replace });
    };
    return listen(document, { click: onClick });
  }, [navigate, isMember]);
}

/** The link to follow, or null when the browser must follow it itself. */
function localLink(event: MouseEvent, isMember: boolean): HTMLAnchorElement | null {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || modified) return null;
  const link = (event.target as Element | null)?.closest?.("a");
  if (link === null || link === undefined || link.target !== "" || link.hasAttribute("download")) {
    return null;
  }
  if (link.origin !== window.location.origin) return null;
  // "#main" on this page, static pages and files are the browser's own business.
  if (link.hash !== "" && link.pathname === window.location.pathname) return null;
  const entry = screenAt(link.pathname);
  if (!hasScript(entry, isMember) || entry.screen === "not-found") return null;
  return link;
}
