import { useEffect, useMemo, useState, type ReactNode } from "react";
import type { ShownNotice } from "../parts/notices";
import type { Arrival } from "../wire";
import type { UiText } from "../words/words";
import { appContext } from "./app-context";
import { ALERT_CLEARS_MS } from "./limits";

type Alerts = {
  alert: ShownNotice | null;
  toast: ShownNotice | null;
  /** The alert at the top, which clears itself after five seconds. */
  showAlert: (kind: ShownNotice["kind"], text: UiText) => void;
  /** The toast in the top right: of what went well it goes by itself, else it is closed. */
  showToast: (kind: ShownNotice["kind"], text: UiText) => void;
  /** The alert that an address asks for. */
  arrive: (arrival: Arrival) => void;
  clearAlert: () => void;
  clearToast: () => void;
};

const [AlertsContext, useAlerts] = appContext<Alerts>("useAlerts");
export { useAlerts };

type Props = { initial: Arrival | null; children: ReactNode };

export function AlertsProvider({ initial, children }: Props) {
  const [alert, setAlert] = useState<ShownNotice | null>(initial);
  const [toast, setToast] = useState<ShownNotice | null>(null);

  useEffect(() => {
    if (initial !== null) dropParameter(initial.asked_by);
  }, [initial]);

  useClearing(alert, setAlert);
  useClearing(toast?.kind === "success" ? toast : null, setToast);

  const alerts = useMemo<Alerts>(
    () => ({
      alert,
      toast,
      showAlert: (kind, text) => setAlert({ kind, text }),
      showToast: (kind, text) => setToast({ kind, text }),
      arrive: ({ asked_by, ...notice }) => {
        setAlert(notice);
        dropParameter(asked_by);
      },
      clearAlert: () => setAlert(null),
      clearToast: () => setToast(null),
    }),
    [alert, toast],
  );
  return <AlertsContext value={alerts}>{children}</AlertsContext>;
}

function useClearing(shown: ShownNotice | null, set: (notice: null) => void) {
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => set(null), ALERT_CLEARS_MS);
    return () => clearTimeout(timer);
  }, [shown, set]);
}

/** The alert was shown: a reload or a bookmark does not ask for it again. */
function dropParameter(name: string) {
  const url = new URL(window.location.href);
  url.searchParams.delete(name);
  window.history.replaceState(window.history.state, "", url);
}
