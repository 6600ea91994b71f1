import { useEffect, useRef } from "react";

/** When something else is shown, reading starts at the top and at its heading. */
export function useArrival(what: string) {
  const last = useRef(what);
  useEffect(() => {
    if (last.current === what) return;
    last.current = what;
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  }, [what]);
}
