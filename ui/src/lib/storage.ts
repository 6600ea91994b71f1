/** Does what may throw, as the browser's storage does when it is switched off; else null. */
export function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
