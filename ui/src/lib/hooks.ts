import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { LEAVING_MS_MAX } from "./limits";
import { listen } from "./listen";

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

/**
 * A text that goes away by itself after so many milliseconds; `token` tells two equal ones apart.
 */
export function useTemporaryText(text: string | null, token: unknown, ms: number): string | null {
  const [endedText, setEndedText] = useState<{ token: unknown } | null>(null);
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => setEndedText({ token }), ms);
    return () => clearTimeout(timer);
  }, [text, token, ms]);
  return endedText !== null && endedText.token === token ? null : text;
}

/** Reads once what was typed or chosen before JavaScript arrived. */
export function useEarlyInput(read: () => void) {
  const early = useEffectEvent(read);
  useEffect(() => queueMicrotask(early), []);
}

type Activity = "none" | "working" | "leaving";

/**
 * The state of a button, which takes no press while it works or its page is being left. A page that
 * is shown again, or is still there after a while, was not left: the customer stopped it or came
 * back.
 */
export function useBusy() {
  const [activity, setActivity] = useState<Activity>("none");
  const isLeaving = activity === "leaving";
  useEffect(() => {
    if (!isLeaving) return;
    const stay = () => setActivity("none");
    const look = () => document.visibilityState === "visible" && stay();
    const timer = setTimeout(stay, LEAVING_MS_MAX);
    const stops = [
      listen(window, { pageshow: look }),
      listen(document, { visibilitychange: look }),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [isLeaving]);
  return [activity !== "none", setActivity] as const;
}
