import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { STEP_TITLES, type Step } from "./flow";

/**
 * Each step is an entry of the browser's history: Back leads to the step before, Forward on again,
 * and a reload stays. `go` tries to show another step and answers the one that is shown.
 */
export function useStepHistory(step: Step, go: (to: Step) => Step) {
  const navigate = useNavigate();
  const { key, state } = useLocation();
  const stepInHistory = stepOfEntry(state);
  const last = useRef<string>(null);
  const follow = useEffectEvent((arrived: boolean) => {
    const shownStep = arrived && stepInHistory !== null ? go(stepInHistory) : step;
    if (shownStep === stepInHistory) return;
    // The address as it stands: an earlier booking that became the draft left it.
    const { pathname, search } = window.location;
    void navigate(pathname + search, { state: { step: shownStep }, replace: arrived });
  });
  useEffect(() => {
    const arrived = last.current !== key;
    last.current = key;
    follow(arrived);
  }, [key, step]);
}

/** The step that an entry of the history is for; null when it is not one of the wizard's own. */
export function stepOfEntry(state: unknown): Step | null {
  const { step } = (state ?? {}) as { step?: unknown };
  return typeof step === "string" && step in STEP_TITLES ? (step as Step) : null;
}
