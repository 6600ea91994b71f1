import { useEffect } from "react";
import { useNavigate } from "react-router";
import { screenAt } from "../screens";

/**
 * Turns clicks on plain `<a href>` elements into navigation without a page load. One listener
 * instead of a component per link: the markup stays as light as it reads, on the server as well.
 */
export function useLinks() {
  const navigate = useNavigate();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const target = localTarget(event);
      if (target === null) return;
      event.preventDefault();
      void navigate(target);
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, [navigate]);
}

/** The address to go to, or null when the browser must follow the link itself. */
function localTarget(event: MouseEvent): string | null {
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
  if (!entry.script || entry.screen === "not-found") return null;
  return link.pathname + link.search + link.hash;
}
