import { useState, type FormEvent } from "react";
import { ApiError, sentence } from "./api/error";
import { focusFirstError, formValues } from "./forms";
import type { FieldError, FormState } from "./page";

type Values = Record<string, string>;

type Options<Answer> = {
  /** The plain form, when the server refused it. */
  form: FormState | null;
  /** What can be told without asking the server. */
  check?: (values: Values) => FieldError[];
  send: (values: Values) => Promise<Answer>;
  onDone: (answer: Answer, element: HTMLFormElement) => void;
  /** Shown when a refusal says nothing itself. */
  fallback: string;
};

export type FormHandle = {
  busy: boolean;
  errors: readonly FieldError[];
  /** What is wrong as a whole; "" when nothing is. */
  message: string;
  submit: (event: FormEvent<HTMLFormElement>) => void;
};

/** Sends a form by script, and shows a refusal where the plain form would. */
export function useForm<Answer>(options: Options<Answer>): FormHandle {
  const { form, check, send, onDone, fallback } = options;
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<readonly FieldError[]>(form?.errors ?? []);
  const [message, setMessage] = useState(form?.message ?? "");

  const refuse = (element: HTMLFormElement, text: string, wrong: readonly FieldError[]) => {
    setMessage(text);
    setErrors(wrong);
    focusFirstError(element);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const values = formValues(element);
    const wrong = check?.(values) ?? [];
    const [first] = wrong;
    if (first !== undefined) {
      refuse(element, first.message, wrong);
      return;
    }
    setBusy(true);
    setErrors([]);
    setMessage("");
    send(values).then(
      (answer) => {
        setBusy(false);
        onDone(answer, element);
      },
      (error: unknown) => {
        setBusy(false);
        const named = error instanceof ApiError ? error.errors : [];
        refuse(element, sentence(error, fallback), named);
      },
    );
  };
  return { busy, errors, message, submit };
}
