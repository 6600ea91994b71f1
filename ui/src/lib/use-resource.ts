import { useCallback, useState } from "react";
import type { Reloadable } from "../parts/load-failed";
import { errorSentence } from "./api-error";
import { useLoad } from "./use-load";

/** One section's data with its own loading and error state. */
export type Resource<T> = Reloadable & { data: T | null };

type Options<T> = {
  /** Another key loads again; null loads nothing. */
  key?: string | null;
  /** The page's data, which replaces data that was loaded before; null: it is loaded now. */
  pageData: T | null;
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
  pageData: T | null;
  sentError: string | null;
  turn: number;
  data: T | null;
  error: string | null;
};

/** Loads a section's data in the browser unless the page brought it. Nothing runs on the server. */
export function useResource<T>(options: Options<T>): Resource<T> {
  const { key = "", pageData, sentError = null } = options;
  const [turn, setTurn] = useState(0);
  const ofPage = { key, pageData, sentError, data: pageData, error: sentError };
  const isEmpty = pageData === null && sentError === null;
  const [settled, setSettled] = useState<Settled<T>>({ ...ofPage, turn: isEmpty ? -1 : 0 });
  // A page that has come since brings the section along.
  if (!isEmpty && (settled.pageData !== pageData || settled.sentError !== sentError)) {
    setSettled({ ...ofPage, turn });
  }
  const isSame = settled.key === key;
  const isLoaded = key === null || (isSame && settled.turn === turn);

  useLoad(
    isLoaded ? null : `${turn} ${key}`,
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
    error: isLoaded && isSame ? settled.error : null,
    loading: !isLoaded,
    reload,
  };
}
