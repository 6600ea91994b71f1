import { FORCE_LOGOUT_GUARD_MS } from "../limits";

/** The browser event that logs the user out wherever it comes from. */
export const FORCE_LOGOUT = "force-logout";

/**
 * Fires the forced logout, at most once a second: a page with five sections gets five refusals at
 * once, and the customer should be told once. `now_ms` is any steady clock.
 */
export function createForceLogout(fire: () => void, now_ms: () => number): () => void {
  let last_ms = -Infinity;
  return () => {
    const at_ms = now_ms();
    if (at_ms - last_ms < FORCE_LOGOUT_GUARD_MS) return;
    last_ms = at_ms;
    fire();
  };
}
