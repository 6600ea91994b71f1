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

/** Puts the cursor where the first thing is wrong, once React has drawn the errors. */
export function focusFirstError(form: HTMLFormElement) {
  requestAnimationFrame(() => {
    const wrong = form.querySelector<HTMLElement>("[aria-invalid='true']");
    // It may lie in a section that was folded away.
    wrong?.closest("details")?.setAttribute("open", "");
    wrong?.focus();
  });
}
