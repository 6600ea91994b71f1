import { useEffect, useEffectEvent, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSearchParams } from "react-router";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { useArrival } from "../lib/arrival";
import { PENDING_BOOKING_RECHECK_MS } from "../lib/limits";
import { bookingMessages } from "./messages";
import { preventDefault } from "../lib/prevent-default";
import { useSession } from "../lib/session";
import { useSite } from "../lib/site";
import { rateErrors } from "../rates/rate-form";
import { Button, ButtonLink, SubmitButton } from "../parts/button";
import { InfoBox, WarningBox } from "../parts/feedback";
import { Heading } from "../parts/heading";
import { Loading } from "../parts/loading";
import { Stepper } from "../parts/stepper";
import type {
  Country,
  EarlierUpload,
  FormState,
  KeptDraft,
  OtpStep,
  Preset,
  Priced,
} from "../wire";
import { useWords } from "../words/words";
import { startDraft } from "./draft";
import { renderLaterSteps, fetchLaterSteps } from "./lazy-steps";
import {
  reduce,
  NEW_FLOW,
  STEP_NAMES,
  STEP_TITLES,
  flowSteps,
  type Action,
  type Flow,
  type Step,
} from "./flow";
import { flowFromDraft, startFlow } from "./draft-flow";
import type { LaterStepsProps } from "./later-steps";
import { newKey } from "./idempotency";
import { lastParcel } from "./last-parcels";
import { presetDraft, presetRate, type PresetFields } from "./presets";
import { priceRequest } from "./price-request";
import { RateStep } from "./rate-step";
import { readTypedValues, useAutosave, type Autosave } from "./use-autosave";
import { useStepHistory } from "./use-step-history";

type Props = {
  storedDraft: KeptDraft;
  /** Step 1's answer to a plain form. */
  priced: Priced | null;
  /** Documents uploaded before; null when the page was not for the step that asks for some. */
  earlier: readonly EarlierUpload[] | null;
  /** A plain form had a code sent. */
  otp: OtpStep | null;
  /** The plain form that was refused. */
  refused: FormState | null;
  /** The earlier booking that this one begins with; "" for none. */
  again: string;
  presets: readonly Preset[];
  /** The times of pickups, by the hours of a service. */
  pickups: LaterStepsProps["pickups"];
  /** Presets were added. */
  onPresets: () => void;
  countries: Country[] | null;
  /** Asks the server for the draft once more. */
  reload: () => void;
};

/** The wizard from where it was left, on whichever device. */
export function Wizard(props: Props) {
  const { storedDraft, priced, again, presets, pickups, onPresets, countries } = props;
  const { reload, earlier } = props;
  const isAgain = again !== "";
  const sender = presets.find((preset) => preset.is_default);
  const t = useWords();
  const { user } = useSession();
  const { today } = useSite();
  /** Chosen before a plain form sorted the rates. */
  const service = useSearchParams()[0].get("service");
  const [flow, dispatch] = useReducer(reduce, null, () =>
    startFlow(storedDraft, priced, sender, props.otp, service),
  );
  const [first] = useState(flow);
  /** A plain form's refusal holds until the first action. */
  const refused = flow === first ? props.refused : null;
  /** Inputs keep what is typed in them: another version of the booking needs new inputs. */
  const [version, setVersion] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const { quoted, draft: typedDraft } = flow;
  /** Null until a shipment was priced. */
  const start = quoted === null ? null : startDraft({ quoted, user, sender, today, typedDraft });
  const restore = (to: Flow) => {
    dispatch({ type: "restored", flow: to });
    setVersion((last) => last + 1);
  };
  const autosave = useAutosave({
    storedDraft,
    isAgain,
    flow,
    start,
    root,
    username: user?.username ?? "",
    // Without an id of its own it is another draft than the one before.
    restore: (content) => restore({ ...flowFromDraft(content), id: content?.id ?? newKey() }),
    adopt: (id) => dispatch({ type: "restored", flow: { ...flow, id } }),
  });
  const startOver = () => restore({ ...NEW_FLOW, id: newKey() });
  const steps = flowSteps(flow);
  // Fetched again when it is needed.
  useEffect(() => void fetchLaterSteps().catch(() => undefined), []);
  useArrival(flow.step);
  useTitle(flow.step);
  useFreshPrice(storedDraft, flow, dispatch);
  const currentValues = () => readTypedValues(root.current, flow, start) ?? {};
  useStepHistory(flow.step, (to) => {
    if (storedDraft.pending || to === flow.step) return flow.step;
    const action: Action = { type: "went to", to, typedValues: currentValues() };
    dispatch(action);
    return reduce(flow, action).step;
  });
  /** Fills in a saved address or package, beside what was typed already. */
  const fill = (preset: Preset) => {
    const { rate, details: typedDetails } = currentValues();
    const draft = { ...flow.draft, ...typedDetails, ...presetDraft(preset) };
    if (flow.step !== "rate") {
      restore({ ...flow, draft });
      return;
    }
    const typed = rate ?? flow.usual;
    const measured = typed.weight !== flow.usual.weight;
    const isReceiver = preset.kind === "consignee" && user !== null && !measured;
    const parcel = isReceiver ? lastParcel(user.username, preset.fields) : null;
    const parts = [preset, ...(parcel === null ? [] : [sameParcel(preset, parcel)])];
    const next = parts.reduce((form, part) => presetRate(part, form), typed);
    const details = parcel === null ? draft : { ...draft, ...parcel };
    flushSync(() =>
      restore({ ...NEW_FLOW, id: flow.id, draft: details, kyc: flow.kyc, rate: next }),
    );
    // A receiver is chosen last: with one the form is whole.
    if (preset.kind !== "consignee" || rateErrors(next).length > 0) return;
    root.current?.querySelector<HTMLFormElement>('form[name="rate"]')?.requestSubmit();
  };
  const walkable = flow.step !== "success" && !storedDraft.pending;
  return (
    <div className="wizard" ref={root}>
      <div className="wizard-head">
        <Heading>{t("New Courier Booking")}</Heading>
        {walkable && flow.step !== "rate" && (
          <BackButton
            step={flow.step}
            onBack={() => dispatch({ type: "went back", typedValues: currentValues() })}
          />
        )}
        <ButtonLink kind="quiet" href="/dashboard" label="Close" />
        <Stepper
          step={steps.indexOf(flow.step) + 1}
          titles={steps.map((step) => STEP_TITLES[step])}
          short={STEP_NAMES[flow.step]}
        />
      </div>
      {flow.step !== "success" && <Saving autosave={autosave} />}
      {isAgain && flow.quoted === null && <CopiedBookingNotice replaces={storedDraft.replaces} />}
      <div className="wizard-step" key={version}>
        {storedDraft.pending ? (
          <Pending reload={reload} />
        ) : flow.step === "rate" ? (
          <RateStep {...{ flow, dispatch, countries, presets, fill, priced, again }} />
        ) : (
          <LaterStep
            {...{ flow, dispatch, start, presets, pickups, fill, onPresets, earlier, refused }}
            revision={storedDraft.revision}
            onNew={startOver}
            draftId={autosave.draftId}
          />
        )}
      </div>
      {walkable && flow.rate !== null && !isAgain && (
        <Discard revision={storedDraft.revision} onDiscard={startOver} />
      )}
    </div>
  );
}

/** A parcel like the last one to a receiver. */
function sameParcel(receiver: Preset, fields: PresetFields): Preset {
  return { ...receiver, kind: "package", fields: fields as Preset["fields"] };
}

/** The steps after the first. */
function LaterStep(props: LaterStepsProps) {
  const [, setFetched] = useState(false);
  const steps = renderLaterSteps(props);
  const loaded = () => setFetched(true);
  return steps ?? <Loading load={fetchLaterSteps} onLoaded={loaded} href="/courier" />;
}

/** To the step before. As a plain form, with what is typed in the step's own form. */
function BackButton({ step, onBack }: { step: Step; onBack: () => void }) {
  const id = step === "details" ? "details" : "leave";
  return (
    <>
      {id === "leave" && (
        <form id={id} method="post" action="/courier" hidden>
          <input type="hidden" name="step" value={step} />
        </form>
      )}
      {/* The Enter key presses a form's first button, which must not be Back. */}
      {id === "details" && <button type="submit" form={id} hidden aria-hidden="true" />}
      {/* The documents' step has its own. */}
      {step !== "kyc" && (
        <SubmitButton
          kind="quiet"
          form={id}
          name="back"
          value="1"
          onClick={preventDefault(onBack)}
          label="Back"
        />
      )}
    </>
  );
}

/** Says when the draft is not saved, or when there are two versions of it. */
function Saving({ autosave }: { autosave: Autosave }) {
  const t = useWords();
  const { conflict, decide, reachable } = autosave;
  if (conflict !== null) {
    return (
      <div className="wizard-conflict">
        <WarningBox>
          <p>
            {t(
              conflict.on === "server"
                ? "This booking was changed in another window or on another device."
                : "On this device there is a version of a booking that was not saved.",
            )}{" "}
            {conflict.on === "server" &&
              t("Your changes are kept on this device until you choose.")}
          </p>
          <div className="actions">
            <Button onClick={() => decide(true)}>{t("Show the other version")}</Button>
            <Button onClick={() => decide(false)}>{t("Keep this version")}</Button>
          </div>
        </WarningBox>
      </div>
    );
  }
  if (reachable) return null;
  return (
    <p className="quiet" role="status">
      {t("No connection: what you enter is kept on this device and sent when it is back.")}
    </p>
  );
}

/** Says that the form is filled in from an earlier booking, and what that replaces. */
function CopiedBookingNotice({ replaces }: { replaces: boolean }) {
  const t = useWords();
  return (
    <InfoBox>
      <p>
        {t("Filled in from your earlier booking. We will get a fresh price.")}
        {replaces && (
          <>
            {" "}
            {t("You have an unfinished booking.")} <a href="/courier">{t("Continue that one?")}</a>
          </>
        )}
      </p>
    </InfoBox>
  );
}

/** Asks before what was entered goes; a plain form, so that it works without JavaScript. */
function Discard({ revision, onDiscard }: { revision: number; onDiscard: () => void }) {
  const t = useWords();
  return (
    <details className="disclosure">
      <summary>{t("Start over")}</summary>
      <form method="post" action="/courier/discard" onSubmit={preventDefault(onDiscard)}>
        <input type="hidden" name="revision" value={revision} />
        <p>{t("This deletes what you entered.")}</p>
        <SubmitButton label="Delete and start over" />
      </form>
    </details>
  );
}

/** Another page has confirmed this booking: it waits for the courier's answer like that page. */
function Pending({ reload }: { reload: () => void }) {
  const t = useWords();
  useEffect(() => {
    const timer = setInterval(reload, PENDING_BOOKING_RECHECK_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <InfoBox>
      <p role="status">{t(bookingMessages.confirming)}</p>
    </InfoBox>
  );
}

/** The document is named after the step. */
function useTitle(step: Step) {
  const t = useWords();
  useEffect(() => {
    // After the screen's own title, which is set as late.
    queueMicrotask(() => (document.title = `${t(STEP_TITLES[step])} · Dakiya`));
  }, [step, t]);
}

/** When a draft is opened after its quote expired, its price is calculated again, with a note. */
function useFreshPrice(storedDraft: KeptDraft, flow: Flow, dispatch: (action: Action) => void) {
  const api = useApi();
  const { showAlert } = useAlerts();
  const renew = useEffectEvent(() => {
    const { quoted, draft, quote } = flow;
    if (quoted === null || draft === null || quote === null) return;
    api.rates(priceRequest(quoted, draft)).then(
      ({ data }) => {
        const fresh = data.find((rate) => rate.product_id === quote.product_id);
        if (fresh === undefined) return;
        dispatch({ type: "price renewed", quote: fresh });
        showAlert("success", "The price was calculated again, as the earlier one had expired.");
      },
      // Confirming finds out, and shows the new price.
      () => undefined,
    );
  });
  useEffect(() => {
    if (storedDraft.expired) renew();
  }, [storedDraft]);
}
