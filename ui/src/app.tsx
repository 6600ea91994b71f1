import { Component, useEffect, useState, type ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { AlertsProvider, useAlerts } from "./alerts";
import { createApi, type Api } from "./api/api";
import { createCall, createUpload } from "./api/client";
import { ApiContext, useApi } from "./api/context";
import { createForceLogout, FORCE_LOGOUT } from "./api/force-logout";
import { forgetUnsaved } from "./booking/device";
import { FORCE_LOGOUT_REDIRECT_MS } from "./limits";
import { messages } from "./messages";
import type { Page } from "./page";
import { SiteContext } from "./page-context";
import { Button } from "./parts/button";
import { Layout } from "./parts/layout";
import { AppRoutes } from "./routes";
import type { Pages } from "./screens";
import { forget, SessionProvider, useSession } from "./session";
import { useArrival } from "./use-arrival";
import { useHydrated } from "./use-hydrated";
import { useLinks } from "./use-links";
import { useWords, WordsContext, type Words } from "./words/words";

type Props = { page: Page; pages: Pages; words: Words };

/** The whole application below a router: the same tree on the server and in the browser. */
export function App({ page, pages, words }: Props) {
  const [api] = useState<Api>(browserApi);
  return (
    <ApiContext value={api}>
      <WordsContext value={words}>
        <SiteContext value={page}>
          <SessionProvider initial={page.user} offline={page.screen === "offline"}>
            <AlertsProvider initial={page.alert}>
              <Frame page={page} pages={pages} />
            </AlertsProvider>
          </SessionProvider>
        </SiteContext>
      </WordsContext>
    </ApiContext>
  );
}

/** Nothing here runs before the first call, which only the browser makes. */
function browserApi(): Api {
  const fire = () => {
    forget();
    window.dispatchEvent(new Event(FORCE_LOGOUT));
  };
  const onUnauthorized = createForceLogout(fire, () => performance.now());
  return createApi(
    createCall({ fetch: (input, init) => fetch(input, init), onUnauthorized }),
    createUpload({ onUnauthorized }),
  );
}

/** Header, navigation, alerts and footer around the screen. */
function Frame({ page, pages }: Omit<Props, "words">) {
  const { user } = useSession();
  const alerts = useAlerts();
  const location = useLocation();
  const [first] = useState(location);
  const logout = useLogout();
  const hydrated = useHydrated();
  useForcedLogout();
  useLinks();
  useArrival(location.pathname);
  return (
    <Layout
      user={user}
      pathname={location.pathname}
      company={page.company.name}
      sandbox={page.sandbox}
      notices={{
        alert: alerts.alert,
        toast: alerts.toast,
        closable: hydrated,
        onCloseAlert: alerts.clearAlert,
        onCloseToast: alerts.clearToast,
      }}
      onLogout={logout}
    >
      <Boundary at={location.pathname}>
        {/* The data came for the address the visit began with; any later one loads its own. */}
        <AppRoutes data={location === first ? page.data : null} pages={pages} />
      </Boundary>
    </Layout>
  );
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
        forgetUnsaved();
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
      forget();
      // Ends the cookie as well when it was not the server that sent us away.
      api.logout().catch(() => undefined);
      clearTimeout(timer);
      timer = setTimeout(() => {
        // Told now, as the calls that were refused have told their own failures meanwhile.
        showAlert("error", messages.sessionExpired);
        void navigate("/login", { replace: true });
        signOut();
      }, FORCE_LOGOUT_REDIRECT_MS);
    };
    window.addEventListener(FORCE_LOGOUT, onForceLogout);
    return () => {
      window.removeEventListener(FORCE_LOGOUT, onForceLogout);
    };
  }, [api, navigate, showAlert, signOut]);
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
    if (!this.state.failed) return this.props.children;
    return <Broken />;
  }
}

function Broken() {
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
