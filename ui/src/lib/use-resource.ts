import { useCallback, useState } from "react";
import { errorSentence } from "./api-error";
import { useLoad } from "./use-load";

/** One section's data with its own loading and error state. */
export type Resource<T> = {
  data: T | null;
  /** Ready to show; null when the last load succeeded. */
  error: string | null;
  loading: boolean;
  reload: () => void;
};

type Options<T> = {
  /** Another key loads again; null loads nothing. */
  key?: string | null;
  /** The page's data, which replaces data that was loaded before; null: it is loaded now. */
  sent: T | null;
  /** Why the server could not load it. */
  sentError?: string | null;
  load: (signal: AbortSignal) => Promise<T>;
  /** Shown when a failure gives no reason. */
  fallback: string;
  onError?: (text: string) => void;
};

type Settled<T> = {
  key: string | null;
  /** The page's data by then. */
  sent: T | null;
  sentError: string | null;
  turn: number;
  data: T | null;
  error: string | null;
};

/** Loads a section's data in the browser unless the page brought it. Nothing runs on the server. */
export function useResource<T>(options: Options<T>): Resource<T> {
  const { key = "", sent, sentError = null } = options;
  const [turn, setTurn] = useState(0);
  const brought = { key, sent, sentError, data: sent, error: sentError };
  const nothing = sent === null && sentError === null;
  const [settled, setSettled] = useState<Settled<T>>({ ...brought, turn: nothing ? -1 : 0 });
  // A page that has come since brings the section along.
  if (!nothing && (settled.sent !== sent || settled.sentError !== sentError)) {
    setSettled({ ...brought, turn });
  }
  const isSame = settled.key === key;
  const done = key === null || (isSame && settled.turn === turn);

  useLoad(
    done ? null : `${turn} ${key}`,
    options.load,
    (data) => setSettled((last) => ({ ...last, key, turn, data, error: null })),
    (cause) => {
      const error = errorSentence(cause, options.fallback);
      setSettled((last) => ({ ...last, key, turn, data: isSame ? last.data : null, error }));
      options.onError?.(error);
    },
  );

  const reload = useCallback(() => setTurn((last) => last + 1), []);
  return {
    data: isSame ? settled.data : null,
    error: done && isSame ? settled.error : null,
    loading: !done,
    reload,
  };
}
