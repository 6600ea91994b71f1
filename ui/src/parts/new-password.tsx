import { errorOf } from "../forms";
import { PASSWORD_LENGTH_MIN } from "../limits";
import type { FieldError } from "../page";
import { Field } from "./field";

/** A password that is chosen, twice. */
export function NewPassword({ form, errors }: { form: string; errors: readonly FieldError[] }) {
  const shared = { form, type: "password", autoComplete: "new-password", required: true };
  return (
    <>
      <Field
        {...shared}
        name="password"
        label="New password"
        hint={`At least ${PASSWORD_LENGTH_MIN} characters`}
        error={errorOf(errors, "password")}
      />
      <Field
        {...shared}
        name="password_confirm"
        label="Confirm new password"
        error={errorOf(errors, "password_confirm")}
      />
    </>
  );
}
