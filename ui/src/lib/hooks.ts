import { useEffect, useRef, useState, useSyncExternalStore } from "react";

const never = () => () => undefined;

/**
 * False on the server and during hydration, true from then on: for controls that only work with
 * JavaScript, and must not appear before it runs.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

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

/**
 * A text that goes away by itself after so many milliseconds; `token` tells two equal ones apart.
 */
export function useFleeting(text: string | null, token: unknown, ms: number): string | null {
  const [gone, setGone] = useState<{ token: unknown } | null>(null);
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => setGone({ token }), ms);
    return () => clearTimeout(timer);
  }, [text, token, ms]);
  return gone !== null && gone.token === token ? null : text;
}
