import { PASSWORD_LENGTH_MIN } from "./limits";
import { messages } from "./messages";
import type { FieldError } from "./page";

/** What stands in a form right now, whoever typed it and whenever: before or after hydration. */
export function formValues(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") values[name] = value;
  }
  return values;
}

/** The sentence for one field, if there is one. */
export function errorOf(errors: readonly FieldError[], name: string): string | undefined {
  return errors.find((error) => error.path === name)?.message;
}

/** A busy phone draws what changed some frames later. */
const FRAMES_TO_DRAW = 30;

/** Puts the cursor where the first thing is wrong, once React has drawn the errors. */
export function focusFirstError(form: HTMLFormElement, frames = FRAMES_TO_DRAW) {
  requestAnimationFrame(() => {
    const wrong = form.querySelector<HTMLElement>("[aria-invalid='true']");
    if (wrong === null && frames > 0) focusFirstError(form, frames - 1);
    // It may lie in a section that was folded away.
    wrong?.closest("details")?.setAttribute("open", "");
    wrong?.focus();
  });
}

/** What can be told of a chosen password without asking the server. */
export function newPasswordErrors(values: Record<string, string>): FieldError[] {
  const { password = "", password_confirm = "" } = values;
  if (password !== password_confirm) {
    return [{ path: "password_confirm", message: messages.passwordsDiffer }];
  }
  if (password.length < PASSWORD_LENGTH_MIN) {
    return [{ path: "password", message: messages.passwordShort }];
  }
  return [];
}
