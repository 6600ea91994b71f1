import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { sentence } from "./api-error";

/** One section's data with its own loading and error state. */
export type Resource<T> = {
  data: T | null;
  /** Ready to show; null when the last load succeeded. */
  error: string | null;
  loading: boolean;
  reload: () => void;
};

type Options<T> = {
  /** What is loaded; a new key loads anew, null loads nothing. */
  key: string | null;
  /** What the server already sent with the page for this key. */
  initial: T | null;
  /** Why the server could not load this key. */
  initialError?: string | null;
  load: (signal: AbortSignal) => Promise<T>;
  /** Shown when a failure gives no reason. */
  fallback: string;
  onError?: (text: string) => void;
  /** Go on showing the former key's data until the new arrives, so that nothing jumps. */
  keep?: boolean;
};

type Settled<T> = { key: string | null; turn: number; data: T | null; error: string | null };

/** Loads a section's data in the browser unless the page brought it. Nothing runs on the server. */
export function useResource<T>(options: Options<T>): Resource<T> {
  const { key, initial, initialError = null } = options;
  const [turn, setTurn] = useState(0);
  const [settled, setSettled] = useState<Settled<T>>({
    key: initial === null && initialError === null ? null : key,
    turn: 0,
    data: initial,
    error: initialError,
  });
  const done = settled.key === key && settled.turn === turn;

  const load = useEffectEvent((signal: AbortSignal) => options.load(signal));
  const fail = useEffectEvent((cause: unknown) => {
    const error = sentence(cause, options.fallback);
    setSettled((before) => ({ key, turn, data: before.key === key ? before.data : null, error }));
    options.onError?.(error);
  });

  useEffect(() => {
    if (done || key === null) return;
    const controller = new AbortController();
    load(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setSettled({ key, turn, data, error: null });
      },
      (cause: unknown) => {
        if (!controller.signal.aborted) fail(cause);
      },
    );
    return () => controller.abort();
  }, [done, key, turn]);

  const reload = useCallback(() => setTurn((last) => last + 1), []);
  const fresh = settled.key === key || options.keep === true;
  return {
    data: fresh ? settled.data : null,
    error: done ? settled.error : null,
    loading: key !== null && !done,
    reload,
  };
}
