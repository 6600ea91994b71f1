import { useEffect, useReducer, useRef } from "react";
import { useLocation } from "react-router";
import { DetailsStep } from "../booking/details-step";
import { collect, startDraft, type Draft } from "../booking/draft";
import {
  isInternational,
  reduce,
  START,
  STEP_TITLES,
  stepsOf,
  type Action,
  type Flow,
} from "../booking/flow";
import { keepFlow, keptFlow } from "../booking/kept";
import { KycStep } from "../booking/kyc-step";
import { OtpStep } from "../booking/otp-step";
import { RateStep } from "../booking/rate-step";
import { ReviewStep } from "../booking/review-step";
import { SuccessStep } from "../booking/success-step";
import { useConfirm } from "../booking/use-confirm";
import { formValues } from "../forms";
import { isoDate } from "../format";
import { useSite } from "../page-context";
import { Button } from "../parts/button";
import { Heading } from "../parts/heading";
import { Skeleton } from "../parts/skeleton";
import { Stepper } from "../parts/stepper";
import { queryOf } from "../query";
import { useSession } from "../session";
import { useHydrated } from "../use-hydrated";

/** The wizard from its beginning, or from the review that was left to recharge the wallet. */
export function Courier() {
  const { user } = useSession();
  const resumes = queryOf(useLocation().search)["resume"] === "1";
  // What was left is in this browser only; the server does not know it.
  const hydrated = useHydrated();
  if (!resumes) return <Wizard username={user?.username ?? ""} first={START} />;
  if (!hydrated) return <Resuming />;
  const username = user?.username ?? "";
  return <Wizard username={username} first={keptFlow(username)} />;
}

function Resuming() {
  return (
    <>
      <Heading>New Courier Booking</Heading>
      <Skeleton lines={8} label="Loading your booking" />
    </>
  );
}

function Wizard({ username, first }: { username: string; first: Flow }) {
  const [flow, dispatch] = useReducer(reduce, first);
  const details = useRef<HTMLFormElement>(null);
  const start = useStart(flow);
  useEffect(() => keepFlow(username, flow), [username, flow]);
  const steps = stepsOf(flow);
  useStepArrival(flow.step);
  const back = () => {
    const form = details.current;
    const typed = form === null ? null : formValues(form);
    const draft = typed && start && collect(start, typed, isInternational(flow));
    dispatch(draft ? { type: "went back", draft } : { type: "went back" });
  };
  return (
    <div className="wizard">
      <div className="heading-row">
        <Heading>New Courier Booking</Heading>
        <a className="button button-quiet" href="/dashboard">
          Close
        </a>
      </div>
      <Stepper
        step={steps.indexOf(flow.step) + 1}
        titles={steps.map((step) => STEP_TITLES[step])}
      />
      {flow.step !== "rate" && flow.step !== "success" && (
        <Button kind="quiet" onClick={back}>
          Back
        </Button>
      )}
      <CurrentStep flow={flow} dispatch={dispatch} start={start} details={details} />
    </div>
  );
}

type StepProps = {
  flow: Flow;
  dispatch: (action: Action) => void;
  start: Draft | null;
  details: React.RefObject<HTMLFormElement | null>;
};

function CurrentStep({ flow, dispatch, start, details }: StepProps) {
  const { user } = useSession();
  const confirm = useConfirm(flow, dispatch, isoDate(useSite().now_ms));
  switch (flow.step) {
    case "rate":
      return <RateStep flow={flow} dispatch={dispatch} />;
    case "details":
      return start === null ? null : (
        <DetailsStep flow={flow} dispatch={dispatch} start={start} form={details} />
      );
    case "kyc":
      return <KycStep dispatch={dispatch} />;
    case "review":
      return (
        <ReviewStep
          flow={flow}
          dispatch={dispatch}
          balance={user?.balance ?? 0}
          confirm={confirm}
        />
      );
    case "otp":
      return <OtpStep confirm={confirm} />;
    case "success":
      return flow.result === null ? null : (
        <SuccessStep result={flow.result} onAgain={() => dispatch({ type: "reset" })} />
      );
  }
}

/** What the details form begins with, once a shipment was priced. */
function useStart(flow: Flow): Draft | null {
  const { user } = useSession();
  const { now_ms } = useSite();
  if (flow.quoted === null) return null;
  return startDraft({
    quoted: flow.quoted,
    user,
    today: isoDate(now_ms),
    typed: flow.draft,
  });
}

/** A new step is read from its top. */
function useStepArrival(step: Flow["step"]) {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  }, [step]);
}
