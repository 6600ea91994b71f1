import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react";

/**
 * Where the visitor is, and the way to elsewhere. Screens are found by screens.json and links are
 * plain ones, so that these two are all that is wanted of a router; React Router's were an eighth
 * of what a phone loads before a page answers a tap.
 */
type Place = {
  pathname: string;
  /** Empty, or from its question mark on. */
  search: string;
  /** What whoever led here has left for the page; a reload keeps it. */
  state: unknown;
  /** Another one for each entry of the history. */
  key: string;
};

type NavigateOptions = { replace?: boolean; state?: unknown };
type Navigate = (to: string, options?: NavigateOptions) => void;

type Router = { place: Place; navigate: Navigate };

const RouterContext = createContext<Router | null>(null);

/** What is kept beside an entry of the history. */
type Kept = { state?: unknown; key?: string } | null;

type FixedProps = { pathname: string; search: string; children: ReactNode };

/** One place for good: the server redirects before it draws. */
export function FixedPlace({ pathname, search, children }: FixedProps) {
  const place = { pathname, search, state: null, key: FIRST };
  return <RouterContext value={{ place, navigate: stays }}>{children}</RouterContext>;
}

/** The key of an entry that came with a document. */
const FIRST = "first";

function stays(): never {
  throw new Error("The server does not navigate: it answers with a redirect before rendering.");
}

/** Follows the browser's history. */
export function BrowserPlace({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const onPop = () => setPlace(here());
    window.addEventListener("popstate", onPop);
    return () => window.removeEventListener("popstate", onPop);
  }, []);
  const navigate = useCallback<Navigate>((to, { replace = false, state = null } = {}) => {
    const kept: Kept = { state, key: Math.random().toString(36).slice(2) };
    try {
      if (replace) window.history.replaceState(kept, "", to);
      else window.history.pushState(kept, "", to);
    } catch {
      // Safari takes a hundred entries in half a minute.
      window.location.assign(to);
      return;
    }
    setPlace(here());
  }, []);
  const router = useMemo(() => ({ place, navigate }), [place, navigate]);
  return <RouterContext value={router}>{children}</RouterContext>;
}

function here(): Place {
  const { pathname, search } = window.location;
  const { state = null, key = FIRST } = (window.history.state as Kept) ?? {};
  return { pathname, search, state, key };
}

function useRouter(): Router {
  const router = useContext(RouterContext);
  if (router === null) throw new Error("useRouter outside of a place");
  return router;
}

/** The same object until the visitor goes elsewhere. */
export function usePlace(): Place {
  return useRouter().place;
}

/** Leads elsewhere without loading a document; the function stays the same. */
export function useNavigate(): Navigate {
  return useRouter().navigate;
}

/** Leads elsewhere once it is shown, in the place of this entry. */
export function Redirect({ to }: { to: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    navigate(to, { replace: true });
  }, [navigate, to]);
  return null;
}
