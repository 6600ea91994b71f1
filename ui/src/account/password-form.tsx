import { useAlerts } from "../alerts";
import { useApi } from "../api/context";
import { errorOf, newPasswordErrors } from "../forms";
import { messages } from "../messages";
import type { FormState } from "../page";
import { Button } from "../parts/button";
import { Field } from "../parts/field";
import { NewPassword } from "../parts/new-password";
import { ErrorBox } from "../parts/status";
import { useForm } from "../use-form";
import { useWords } from "../words/words";

type Props = {
  form: FormState | null;
  /** All other sessions have ended. */
  onChanged: () => void;
};

/** Another password for somebody who knows the present one. */
export function PasswordForm({ form, onChanged }: Props) {
  const t = useWords();
  const api = useApi();
  const { showAlert } = useAlerts();
  const { busy, errors, message, submit } = useForm({
    form,
    check: newPasswordErrors,
    send: (values) => api.changePassword(values),
    onDone: (answer, element) => {
      element.reset();
      showAlert("success", answer.message);
      onChanged();
    },
    fallback: messages.unexpected,
  });
  return (
    <section className="card">
      <h2>{t("Password")}</h2>
      <form className="form" method="post" action="/account/password" onSubmit={submit}>
        {message !== "" && <ErrorBox>{t(message)}</ErrorBox>}
        <div className="fields">
          <Field
            form="password"
            name="current_password"
            label="Present password"
            type="password"
            autoComplete="current-password"
            required
            error={errorOf(errors, "current_password")}
          />
          <NewPassword form="password" errors={errors} />
        </div>
        <p className="quiet">{t("You will be logged out everywhere else.")}</p>
        <Button kind="primary" type="submit" busy={busy}>
          {t("Change password")}
        </Button>
      </form>
    </section>
  );
}
