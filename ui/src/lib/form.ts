import { useState, type FormEvent } from "react";
import { flushSync } from "react-dom";
import type { FormState } from "../wire";
import type { UiText } from "../words/words";
import { useAlerts } from "./alerts";
import { ApiError, fieldErrorSentence, errorSentence, type FieldProblem } from "./api-error";
import { useBusy } from "./hooks";
import { messages } from "./messages";

export type FormValues = Record<string, string>;

type Options<Answer> = {
  /** The plain form, when the server refused it. */
  refused?: FormState | null;
  /** Finds errors without asking the server. Files in `body` may be replaced here. */
  check?: (values: FormValues, body: FormData) => FieldProblem[] | Promise<FieldProblem[]>;
  /** One sentence for all that `check` found; "" leaves it to the fields. */
  summary?: (errors: readonly FieldProblem[], values: FormValues) => UiText;
  send: (values: FormValues, body: FormData) => Promise<Answer>;
  onSent?: (answer: Answer, values: FormValues, form: HTMLFormElement) => void;
  /**
   * Where the session has ended, the plain form is sent, which the server takes along through the
   * login. It names its `Owner`, and the call keeps the session.
   */
  throughLogin?: boolean;
  /** Success leaves the page: until it is left, the form takes no second submission. */
  leaves?: boolean;
  /** Shown when a refusal says nothing itself. */
  fallback?: string;
  /** The sentence for a refusal. */
  explain?: (error: unknown, fallback: string) => string;
  /** Where sentences about the whole form are shown. */
  tellIn?: "form" | "both";
  /** Fields that the server calls by other names, and their names here. */
  names?: Readonly<Record<string, string>>;
};

type Form = {
  /** The refused plain form's values; empty once a submission was accepted. */
  values: Readonly<FormValues>;
  /** For `Form`, which shows both: what is wrong as a whole, "" when nothing is, and by field. */
  form: {
    message: UiText;
    errors: readonly FieldProblem[];
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  };
  submitting: boolean;
  /** Takes back what was said beside the field that is being changed. */
  settle: (event: FormEvent<HTMLFormElement>) => void;
  /** Takes back what was said about the last submission. */
  clear: () => void;
};

/**
 * The one way a form is sent by script: checks it, sends it, shows errors at their fields and moves
 * the focus to the first. The inputs hold what is typed, as it may have been typed before
 * JavaScript arrived.
 */
export function useForm<Answer>(options: Options<Answer>): Form {
  const { refused, check, send, onSent, fallback = messages.unexpected } = options;
  const { summary = firstMessage, explain = errorSentence, tellIn = "form", names = {} } = options;
  const { showAlert, clearAlert } = useAlerts();
  const [values, setValues] = useState<FormValues>(refused?.values ?? {});
  const [errors, setErrors] = useState<readonly FieldProblem[]>(refused?.errors ?? []);
  const [message, setMessage] = useState<UiText>(refused?.message ?? "");
  const [submitting, setActivity] = useBusy();

  const clear = () => {
    setErrors([]);
    setMessage("");
  };
  const refuse = (form: HTMLFormElement, text: UiText, wrong: readonly FieldProblem[]) => {
    flushSync(() => {
      setErrors(wrong);
      setMessage(text);
    });
    // A field's error holds until somebody mends the field. The field's own listener comes first:
    // drawn before it, an input that React controls would lose what was typed.
    form.oninput = ({ target }) => setTimeout(mended, 0, (target as HTMLInputElement).name);
    const mended = (name: string) => {
      setErrors((errors) => errors.filter(({ path }) => path !== name));
      if (fieldErrorSentence(wrong, name) === text) setMessage("");
    };
    if (tellIn !== "form" && text !== "") showAlert("error", text);
    focusFirstError(form);
  };
  const run = async (form: HTMLFormElement) => {
    const body = new FormData(form);
    const inputs = textsOf(body);
    const wrong = check === undefined ? [] : await check(inputs, body);
    if (wrong.length > 0) {
      refuse(form, summary(wrong, inputs), wrong);
      return;
    }
    clear();
    if (tellIn !== "form") clearAlert();
    setActivity("working");
    send(inputs, body)
      .then((answer) => {
        setActivity(options.leaves === true ? "leaving" : "none");
        setValues({});
        onSent?.(answer, inputs, form);
      })
      .catch((error: unknown) => {
        const refusal = error instanceof ApiError ? error : null;
        if (options.throughLogin === true && refusal?.status === 401) {
          setActivity("leaving");
          form.submit();
          return;
        }
        setActivity("none");
        const fieldErrors: readonly FieldProblem[] = refusal?.errors ?? [];
        const renamed = fieldErrors.map((one) => ({ ...one, path: names[one.path] ?? one.path }));
        refuse(form, explain(error, fallback), renamed);
      });
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(event.currentTarget);
  };
  const settle = ({ target }: FormEvent) => {
    const { name } = target as HTMLInputElement;
    const sentence = fieldErrorSentence(errors, name);
    if (sentence === undefined) return;
    setErrors(errors.filter(({ path }) => path !== name));
    if (sentence === message) setMessage("");
  };
  return { values, form: { message, errors, onSubmit }, submitting, settle, clear };
}

function firstMessage(errors: readonly FieldProblem[]): UiText {
  return errors[0]?.message ?? "";
}

/** The texts in a form right now, also those typed before hydration. */
export function formValues(form: HTMLFormElement): FormValues {
  return textsOf(new FormData(form));
}

function textsOf(body: FormData): FormValues {
  return Object.fromEntries(
    [...body].filter((field): field is [string, string] => typeof field[1] === "string"),
  );
}

/**
 * Puts the cursor where something is wrong; where several things are, on the form's list of them.
 */
export function focusFirstError(form: HTMLFormElement) {
  const wrong = [...form.querySelectorAll<HTMLElement>("[aria-invalid='true']")];
  // It may lie in a section that was folded away.
  wrong[0]?.closest("details")?.setAttribute("open", "");
  const list = form.querySelector<HTMLElement>(".box-error:has(a)");
  (wrong.length > 1 && list !== null ? list : wrong[0])?.focus();
}
