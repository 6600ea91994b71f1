import type { FormValues } from "../lib/form";
import { Field } from "../parts/field";
import { PASSWORD_CHARS_MIN, type FieldError } from "../wire";

/** The two fields of a new password. */
export function NewPassword() {
  const shared = { type: "password", autoComplete: "new-password", required: true };
  return (
    <>
      <Field
        {...shared}
        name="password"
        label="New password"
        hint={{ text: "At least {count} characters", values: { count: PASSWORD_CHARS_MIN } }}
      />
      <Field {...shared} name="password_confirm" label="Confirm new password" />
    </>
  );
}

/** The errors that need no question to the server. */
export function newPasswordErrors(values: FormValues): FieldError[] {
  const { password = "", password_confirm = "" } = values;
  if (password !== password_confirm) {
    return [{ path: "password_confirm", message: "Passwords do not match" }];
  }
  // Of characters as the server counts them.
  if (Array.from(password).length < PASSWORD_CHARS_MIN) {
    return [{ path: "password", message: "Password must be at least 6 characters long" }];
  }
  return [];
}
