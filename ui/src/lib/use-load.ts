import { useEffect, useEffectEvent } from "react";

/**
 * Loads something in the browser whenever another key asks for it; null loads nothing. The answer
 * to an earlier key is dropped.
 */
export function useLoad<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  onLoaded: (answer: T) => void,
  onFailed: (cause: unknown) => void,
) {
  const begin = useEffectEvent(load);
  const loaded = useEffectEvent(onLoaded);
  const failed = useEffectEvent(onFailed);
  useEffect(() => {
    if (key === null) return;
    const controller = new AbortController();
    const isWanted = () => !controller.signal.aborted;
    begin(controller.signal).then(
      (answer) => isWanted() && loaded(answer),
      (cause: unknown) => isWanted() && failed(cause),
    );
    return () => controller.abort();
  }, [key]);
}
