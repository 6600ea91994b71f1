import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import type { User } from "../wire";
import { appContext } from "./app-context";
import { FORCE_LOGOUT_GUARD_MS } from "./limits";
import { listen } from "./listen";
import { attempt } from "./storage";

/**
 * Local storage: the user object, and a marker that a session cookie exists. Neither is a
 * credential.
 */
const USER = "user";
const MARKER = "session";

type Session = {
  /** null = logged out */
  user: User | null;
  /** After a login, and after the profile or the balance changed. */
  setUser: (user: User) => void;
  signOut: () => void;
};

const [SessionContext, useSession] = appContext<Session>("useSession");
export { useSession };

/**
 * Names a form's owner. Should the session end before the form is sent, the server takes it along
 * through the login, and nobody else's login sends it.
 */
export function OwnerInput() {
  return <input type="hidden" name="owner" value={useSession().user?.username ?? ""} />;
}

type Props = {
  initial: User | null;
  /** The page was kept on the device: the server did not say who is logged in. */
  offline: boolean;
  /** Removes what this device keeps of a customer who is not logged in any more. */
  forget: () => void;
  children: ReactNode;
};

/**
 * Holds who is logged in. The server's answer leads, and local storage follows it: from then on
 * both entries must exist, whoever removes one, in this tab or in another.
 */
export function SessionProvider({ initial, offline, forget, children }: Props) {
  const [user, setUser] = useState(initial);
  const { key } = useLocation();

  useEffect(() => {
    if (offline) return;
    if (initial === null) forget();
    // One without the other: somebody removed it. Neither: a login by a plain form.
    else if (storedEntryCount() !== 1) storeSession(initial);
  }, [initial, offline, forget]);

  const member = user !== null;
  useEffect(() => {
    if (!member) return;
    const check = () => {
      if (storedEntryCount() < 2) window.dispatchEvent(new Event(FORCE_LOGOUT));
    };
    const timer = setTimeout(check);
    const stop = listen(window, { storage: check, focus: check });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [member, key]);

  const session = useMemo<Session>(
    () => ({
      user,
      setUser: (who) => {
        storeSession(who);
        setUser(who);
      },
      signOut: () => {
        forget();
        setUser(null);
      },
    }),
    [user, forget],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The number of the two entries that exist; without storage nobody can have removed one. */
function storedEntryCount(): number {
  const count = () => [USER, MARKER].filter((name) => localStorage.getItem(name) !== null).length;
  return attempt(count) ?? 2;
}

/** Without storage the session lives as long as the page. */
function storeSession(user: User) {
  attempt(() => {
    localStorage.setItem(USER, JSON.stringify(user));
    localStorage.setItem(MARKER, "cookie");
  });
}

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
