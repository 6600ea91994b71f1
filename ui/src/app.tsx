import { Component, useEffect, useState, type ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { UNSAVED } from "./booking/device";
import { AlertsProvider, useAlerts } from "./lib/alerts";
import { ApiContext, createApi, useApi, type Api } from "./lib/api";
import { usePageArrival } from "./lib/arrival";
import { createCalls } from "./lib/call";
import { CurrentPageContext, useLoadedPage } from "./lib/current-page";
import { useHydrated } from "./lib/hooks";
import { FORCE_LOGOUT_REDIRECT_MS } from "./lib/limits";
import { useLinks } from "./lib/links";
import { listen } from "./lib/listen";
import { messages } from "./lib/messages";
import { createForceLogout, FORCE_LOGOUT, SessionProvider, useSession } from "./lib/session";
import { SiteContext } from "./lib/site";
import { attempt } from "./lib/storage";
import type { PageSource } from "./pages/page-source";
import { Button } from "./parts/button";
import { Layout } from "./parts/layout";
import { Notices } from "./parts/notices";
import { screenAt } from "./screens";
import type { PageData } from "./wire";
import { useWords, WordsContext, type Words } from "./words/words";

type Props = {
  pageData: PageData;
  pages: PageSource;
  words: Words;
  /** Shows the screen of the address: on the server the one that it has chosen. */
  children: ReactNode;
};

/** The whole application below a router: the same tree on the server and in the browser. */
export function App({ pageData, pages, words, children }: Props) {
  const [api] = useState<Api>(browserApi);
  return (
    <ApiContext value={api}>
      <WordsContext value={words}>
        <SiteContext value={pageData}>
          <SessionProvider
            initial={pageData.user}
            offline={pageData.screen === "offline"}
            forget={forgetCustomer}
          >
            <AlertsProvider initial={pageData.alert}>
              <AppFrame pageData={pageData} pages={pages}>
                {children}
              </AppFrame>
            </AlertsProvider>
          </SessionProvider>
        </SiteContext>
      </WordsContext>
    </ApiContext>
  );
}

/**
 * Removes what this device keeps of a customer who is not logged in any more. What they typed into
 * a booking waits for them, unless they left of their own will.
 */
function forgetCustomer() {
  attempt(() => {
    for (const key of Object.keys(localStorage)) {
      if (key !== UNSAVED) localStorage.removeItem(key);
    }
  });
}

/** Nothing here runs before the first call, which only the browser makes. */
function browserApi(): Api {
  const fire = () => {
    forgetCustomer();
    window.dispatchEvent(new Event(FORCE_LOGOUT));
  };
  const onUnauthorized = createForceLogout(fire, () => performance.now());
  return createApi(createCalls({ fetch: (input, init) => fetch(input, init), onUnauthorized }));
}

/** Header, navigation, alerts and footer around the screen. */
function AppFrame({ pageData, pages, children }: Omit<Props, "words">) {
  const { user } = useSession();
  const { pathname } = useLocation();
  const current = useLoadedPage(pageData, pages);
  const logout = useLogout();
  useForcedLogout();
  useLinks(user !== null);
  usePageArrival(current.page !== null);
  return (
    <Layout user={user} pathname={pathname} notices={<AlertsShown />} onLogout={logout}>
      <Boundary at={pathname}>
        <CurrentPageContext value={current}>{children}</CurrentPageContext>
      </Boundary>
    </Layout>
  );
}

function AlertsShown() {
  return <Notices {...useAlerts()} closable={useHydrated()} />;
}

function useLogout(): () => void {
  const api = useApi();
  const session = useSession();
  const navigate = useNavigate();
  const alerts = useAlerts();
  return () => {
    api.logout().then(
      () => {
        // Names and addresses do not stay behind for the next person at this computer.
        attempt(() => localStorage.clear());
        void navigate("/login");
        session.signOut();
      },
      // Saying "logged out" while the session lives would be a lie on a shared computer.
      (error: unknown) =>
        alerts.showAlert("error", error instanceof Error ? error.message : messages.unexpected),
    );
  };
}

/** Answers the browser event, whoever fires it: told once, then to the login page. */
function useForcedLogout() {
  const api = useApi();
  const { signOut } = useSession();
  const { showAlert } = useAlerts();
  const navigate = useNavigate();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onForceLogout = () => {
      forgetCustomer();
      // Ends the cookie as well when it was not the server that sent us away.
      api.logout().catch(() => undefined);
      clearTimeout(timer);
      timer = setTimeout(() => {
        // Told now, as the calls that were refused have told their own failures meanwhile.
        showAlert("error", messages.sessionExpired);
        void navigate(loginFrom(window.location), { replace: true });
        signOut();
      }, FORCE_LOGOUT_REDIRECT_MS);
    };
    return listen(window, { [FORCE_LOGOUT]: onForceLogout });
  }, [api, navigate, showAlert, signOut]);
}

/** The login, which leads back to a page that only its customer sees. */
function loginFrom({ pathname, search }: Location): string {
  const isPrivate = screenAt(pathname).access === "private";
  return isPrivate ? `/login?next=${encodeURIComponent(pathname + search)}` : "/login";
}

type BoundaryProps = { at: string; children: ReactNode };

/** A screen that throws says so in its place; header, navigation and other screens stay usable. */
class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(before: BoundaryProps) {
    if (this.state.failed && before.at !== this.props.at) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed ? <ScreenFailed /> : this.props.children;
  }
}

function ScreenFailed() {
  const t = useWords();
  return (
    <div className="card" role="alert">
      <h1>{t("Something went wrong")}</h1>
      <p>
        {t("This page could not be shown. Load it again, or go to the")}{" "}
        <a href="/dashboard">{t("dashboard")}</a>.
      </p>
      <Button onClick={() => window.location.reload()}>{t("Load again")}</Button>
    </div>
  );
}
