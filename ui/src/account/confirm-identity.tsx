import { errorOf } from "../lib/form";
import { useSession } from "../lib/session";
import { Field } from "../parts/field";
import type { FieldError } from "../wire";

type Props = {
  /** The form's name. */
  form: string;
  errors: readonly FieldError[];
  /** For forms that ask for it now and then only: when. */
  when?: string;
};

/** Asks again who it is: for the password and, where two-step sign-in is on, for a code. */
export function ConfirmIdentity({ form, errors, when }: Props) {
  const asked = when === undefined ? { required: true } : { optional: true, hint: when };
  return (
    <>
      <Field
        form={form}
        name="current_password"
        label="Current password"
        type="password"
        autoComplete="current-password"
        error={errorOf(errors, "current_password")}
        {...asked}
      />
      {useSession().user?.two_step_at != null && (
        <CodeField form={form} errors={errors} {...asked} />
      )}
    </>
  );
}

type CodeProps = { form: string; errors: readonly FieldError[]; optional?: boolean } & Pick<
  Parameters<typeof Field>[0],
  "required" | "hint"
>;

/** A code from the app, or a recovery code. */
export function CodeField({ form, errors, ...field }: CodeProps) {
  return (
    <Field
      form={form}
      name="code"
      label="Code"
      hint="6 digits from your app, or a recovery code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      error={errorOf(errors, "code")}
      {...field}
    />
  );
}
