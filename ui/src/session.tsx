import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from "react";
import type { User } from "./page";
import { forgetSeen } from "./seen";

/**
 * Local storage: the user object, and a marker that a session cookie exists. Neither is a
 * credential.
 */
const USER = "user";
const MARKER = "session";

export type Session = {
  /** null = logged out */
  user: User | null;
  signIn: (marker: string, user: User) => void;
  /** After the profile or the balance changed. */
  setUser: (user: User) => void;
  signOut: () => void;
};

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("useSession outside of App");
  return session;
}

type Props = {
  initial: User | null;
  /** The page was kept on the device: the server did not say who is logged in. */
  offline: boolean;
  children: ReactNode;
};

/** Holds who is logged in. The server's answer leads; local storage follows it, across tabs. */
export function SessionProvider({ initial, offline, children }: Props) {
  const [user, setUser] = useState(initial);

  useEffect(() => {
    if (offline) return;
    if (initial === null) forget();
    else remember("cookie", initial);
  }, [initial, offline]);

  useEffect(() => {
    // Another tab logged out: both entries must exist for this one to count as logged in.
    const onStorage = (event: StorageEvent) => {
      const ours = event.key === null || event.key === USER || event.key === MARKER;
      if (ours && event.newValue === null) setUser(null);
    };
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, []);

  const session = useMemo<Session>(
    () => ({
      user,
      signIn: (marker, who) => {
        remember(marker, who);
        setUser(who);
      },
      setUser: (who) => {
        remember("cookie", who);
        setUser(who);
      },
      signOut: () => {
        forget();
        setUser(null);
      },
    }),
    [user],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Storage may be switched off; then the session lives as long as the page. */
function remember(marker: string, user: User) {
  try {
    localStorage.setItem(USER, JSON.stringify(user));
    localStorage.setItem(MARKER, marker);
  } catch {
    return;
  }
}

export function forget() {
  try {
    localStorage.removeItem(USER);
    localStorage.removeItem(MARKER);
    forgetSeen();
  } catch {
    return;
  }
}
