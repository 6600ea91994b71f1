import { useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { useApi } from "../lib/api";
import { formValues } from "../lib/form";
import { useEarlyInput } from "../lib/hooks";
import { SAVE_PAUSE_MS } from "../lib/limits";
import { listen } from "../lib/listen";
import { rateValues } from "../rates/rate-form";
import type { DraftContent, KeptDraft } from "../wire";
import { forgetUnsaved, keepUnsaved, loadUnsaved } from "./device";
import { collectDraft } from "./draft";
import type { Draft } from "./fields";
import { isInternational, type Flow, type TypedValues } from "./flow";
import { draftContent, buildsOn, isSuperseded } from "./draft-flow";
import { canonicalJson } from "./canonical-json";
import { newKey } from "./idempotency";
import { createSaver } from "./saver";

/** Two versions of one booking: the one that is shown, and this one. */
type Conflict = {
  other: DraftContent | null;
  /** Where the other one is. */
  on: "server" | "device";
  revision: number;
};

export type Autosave = {
  conflict: Conflict | null;
  /** Shows the other version, or goes on with this one. */
  decide: (takesOther: boolean) => void;
  /** False while changes stay on this device. */
  reachable: boolean;
  /** The id of the draft that is shown. */
  draftId: () => string;
};

type Props = {
  storedDraft: KeptDraft;
  /** The form of an earlier booking: not a draft until something is changed. */
  isAgain: boolean;
  username: string;
  flow: Flow;
  /** The details form's first values. */
  start: Draft | null;
  /** The wizard's element, around the form of the current step. */
  root: RefObject<HTMLElement | null>;
  restore: (content: DraftContent | null) => void;
  /** Goes on as a version of the draft with this id. */
  adopt: (id: string) => void;
};

/** Saves the wizard on the server at every step and after every pause in typing. */
export function useAutosave(props: Props): Autosave {
  const { storedDraft, isAgain, username, flow, start, root, restore, adopt } = props;
  const api = useApi();
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [reachable, setReachable] = useState(true);
  const [saver] = useState(() =>
    createSaver(
      {
        put: api.saveDraft,
        keep: (revision, content, doubtful, saved) =>
          keepUnsaved({ username, revision, content, doubtful, saved }),
        forget: () => forgetUnsaved(),
        onSaved: removeQuery,
        onReach: setReachable,
        onStale: (theirs) =>
          setConflict({ other: theirs.content, on: "server", revision: theirs.revision }),
      },
      storedDraft,
    ),
  );

  /** For a draft that was not saved yet. */
  const freshId = useRef("");
  const draftId = () => flow.id || (freshId.current ||= newKey());

  const note = (pauseMs: number) => {
    const typedValues = readTypedValues(root.current, flow, start);
    // A form that is being taken away loses the cursor: what was typed in it is noted already.
    if (typedValues === null) return;
    const content = draftContent(flow, typedValues);
    // An earlier booking's form that nobody changed stays what it is.
    const isUntouched =
      flow.id === "" && canonicalJson(content) === canonicalJson(storedDraft.content);
    saver.note(isUntouched || content === null ? content : { ...content, id: draftId() }, pauseMs);
  };

  /** Once, and before anything is noted: a note takes the place of what is found. */
  const recovered = useRef(false);
  const recover = () => {
    if (recovered.current) return;
    recovered.current = true;
    const unsaved = loadUnsaved(username);
    if (unsaved === null) return;
    // The page before may have sent it on its way out.
    saver.recall([...unsaved.doubtful, canonicalJson(unsaved.content)]);
    if (isSuperseded(unsaved, storedDraft)) forgetUnsaved();
    else if (buildsOn(unsaved, storedDraft) && !isAgain && !hasTypedInput(root.current)) {
      restore(unsaved.content);
    } else {
      saver.spareDevice();
      setConflict({ other: unsaved.content, on: "device", revision: storedDraft.revision });
    }
  };
  useEarlyInput(recover);

  const first = useRef(flow);
  const noteStep = useEffectEvent(() => {
    if (flow.step === "success") {
      const id = draftId();
      saver.finish(id);
      setConflict((last) => (last?.other?.id === id ? null : last));
    }
    // An earlier booking's form is no draft yet; else something may have been typed already.
    if (flow !== first.current || !isAgain) note(0);
  });
  useEffect(() => {
    queueMicrotask(() => noteStep());
  }, [flow]);

  const noteTyped = useEffectEvent((pauseMs: number) => {
    recover();
    note(pauseMs);
  });
  useEffect(() => {
    const wizard = root.current;
    const onInput = () => noteTyped(SAVE_PAUSE_MS);
    const onFocusOut = () => noteTyped(0);
    return wizard === null ? undefined : listen(wizard, { input: onInput, focusout: onFocusOut });
  }, [root]);

  useEffect(() => {
    const onVisibilityChange = () => {
      if (document.visibilityState === "hidden") saver.flush();
    };
    // A form that no script sends leads to another page. Safari on phones tells only that.
    const onSubmit = (event: SubmitEvent) => {
      if (!event.defaultPrevented) saver.leave();
    };
    const { leave, flush } = saver;
    const stops = [
      listen(document, { visibilitychange: onVisibilityChange }),
      listen(window, {
        submit: onSubmit,
        beforeunload: leave,
        pagehide: leave,
        online: flush,
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      saver.end();
    };
  }, [saver]);

  const decide = (takesOther: boolean) => {
    if (conflict === null) return;
    const { other, on, revision } = conflict;
    setConflict(null);
    if (on === "server") saver.decide({ revision, content: other }, !takesOther);
    else saver.takeDevice();
    if (takesOther) restore(other);
    // Two versions of one draft are booked once.
    else if (on === "server" && other?.id !== undefined) adopt(other.id);
  };
  return { conflict, decide, reachable, draftId };
}

/**
 * It is a draft from now on: a reload goes on with it instead of copying the earlier booking again,
 * or asking what becomes of it.
 */
function removeQuery() {
  if (/[?&](again|new)=/.test(window.location.search)) {
    window.history.replaceState(window.history.state, "", "/courier");
  }
}

/**
 * The values in the form of the current step, also before hydration; null when that form is not in
 * the page.
 */
export function readTypedValues(
  root: HTMLElement | null,
  { step, quoted }: Flow,
  start: Draft | null,
): TypedValues | null {
  if (step !== "rate" && step !== "details") return {};
  const form = root?.querySelector<HTMLFormElement>(`form[name="${step}"]`);
  if (form === null || form === undefined) return null;
  const values = formValues(form);
  if (step === "rate") return { rate: rateValues(values) };
  return start === null ? null : { details: collectDraft(start, values, isInternational(quoted)) };
}

function hasTypedInput(root: HTMLElement | null): boolean {
  const controls = root?.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select");
  return Array.from(controls ?? []).some((control) => {
    if (control instanceof HTMLSelectElement) {
      const initialIndex = [...control.options].findIndex((option) => option.defaultSelected);
      return control.selectedIndex !== Math.max(0, initialIndex);
    }
    // React keeps what a radio button was drawn with up to date.
    if (control.type === "radio") return false;
    if (control.type === "checkbox") return control.checked !== control.defaultChecked;
    return control.value !== control.defaultValue;
  });
}
