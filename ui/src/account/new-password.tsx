import type { FormValues } from "../lib/form";
import { CheckField, Field } from "../parts/field";
import { PASSWORD_CHARS_MIN, type FieldError, type FormState } from "../wire";
import { useWords } from "../words/words";

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

/** The choice to keep what was added lately: otherwise it ends, as a thief may have added it. */
export function KeepWaysIn({ refused }: { refused: FormState | null }) {
  const t = useWords();
  const isTicked = (refused?.values["keep"] ?? "") !== "";
  return (
    <>
      <CheckField
        name="keep"
        label="Keep my passkeys, codes and confirmed phone number: I added them all myself"
        value="1"
        defaultChecked={isTicked}
      />
      <p className="quiet">
        {t("Otherwise those end that were added lately, as somebody else may have done it.")}
      </p>
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
