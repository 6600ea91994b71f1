/** Does something with the browser's storage, which may be switched off or hold nonsense. */
export function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
