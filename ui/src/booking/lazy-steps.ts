import { createElement, type ComponentType, type ReactNode } from "react";
import type { LaterStepsProps } from "./later-steps";

type Steps = ComponentType<LaterStepsProps>;

let steps: Steps | undefined;

/** The current step, which is not the first; undefined: not here yet. */
export function renderLaterSteps(props: LaterStepsProps): ReactNode | undefined {
  return steps === undefined ? undefined : createElement(steps, props);
}

/** Whoever has them at hand, as the server does, gives them before the wizard is drawn. */
export function provideLaterSteps(component: Steps) {
  steps = component;
}

/** A browser fetches them while the first step is filled in. */
export async function fetchLaterSteps() {
  provideLaterSteps((await import("./later-steps")).LaterSteps);
}
