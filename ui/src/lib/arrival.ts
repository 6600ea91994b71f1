import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router";
import { listen } from "./listen";

/**
 * Another page is read from its top, and from its heading by who listens to it. Going back or
 * forward leads to where one was. `ready` says that the page is there and not on its way.
 */
export function usePageArrival(ready: boolean) {
  const { hash, key, pathname } = useLocation();
  const type = useNavigationType();
  const [scrolled] = useState(() => new Map<string, number>());
  const last = useRef({ pathname, key, ready: true });

  useEffect(() => {
    window.history.scrollRestoration = "manual";
    // A page that is loaded again is as long as before: there the browser does it.
    const leave = () => (window.history.scrollRestoration = "auto");
    return listen(window, { pagehide: leave });
  }, []);
  useEffect(() => {
    const note = () => scrolled.set(key, window.scrollY);
    return listen(window, { scroll: note });
  }, [key, scrolled]);

  useEffect(() => {
    const { current: before } = last;
    last.current = { pathname, key, ready };
    const isElsewhere = before.pathname !== pathname;
    const isHere = ready && (!before.ready || before.key !== key);
    if (isElsewhere || (isHere && document.activeElement === document.body)) focusHeading();
    const top = type === "POP" ? scrolled.get(key) : undefined;
    if (isHere && top !== undefined) window.scrollTo(0, top);
    else if (isHere && hash !== "") document.getElementById(hash.slice(1))?.scrollIntoView();
    else if (isElsewhere) window.scrollTo(0, 0);
  }, [hash, key, pathname, ready, scrolled, type]);
}

/** The heading of the page: where reading begins. */
function focusHeading() {
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
}

/**
 * When another part of a page is shown, reading starts at the top and at its heading, unless an
 * effect of the part then puts the cursor somewhere else.
 */
export function useArrival(part: string) {
  const last = useRef(part);
  useLayoutEffect(() => {
    if (last.current === part) return;
    last.current = part;
    window.scrollTo(0, 0);
    focusHeading();
  }, [part]);
}
