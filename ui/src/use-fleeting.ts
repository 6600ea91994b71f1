import { useEffect, useState } from "react";

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
