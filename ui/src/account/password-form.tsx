import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { useForm } from "../lib/form";
import { messages } from "../lib/messages";
import { Button } from "../parts/button";
import { ErrorBox } from "../parts/feedback";
import type { FormState } from "../wire";
import { useWords } from "../words/words";
import { ConfirmIdentity } from "./confirm-identity";
import { newPasswordErrors, NewPassword } from "./new-password";

type Props = {
  form: FormState | null;
  /** All other sessions have ended. */
  onChanged: () => void;
};

/** Changes the password of a customer who knows the present one. */
export function PasswordForm({ form, onChanged }: Props) {
  const t = useWords();
  const api = useApi();
  const { showAlert } = useAlerts();
  const { submitting, errors, message, submit } = useForm({
    refused: form,
    check: newPasswordErrors,
    send: ({ current_password = "", code = "", passkey = "", ...chosen }) => {
      const { password = "", password_confirm = "" } = chosen;
      return api.changePassword({ current_password, code, passkey, password, password_confirm });
    },
    onSent: (answer, _values, inputs) => {
      inputs.reset();
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
          <ConfirmIdentity form="password" errors={errors} />
          <NewPassword form="password" errors={errors} />
        </div>
        <p className="quiet">{t("You will be logged out everywhere else.")}</p>
        <Button kind="primary" type="submit" busy={submitting}>
          {t("Change password")}
        </Button>
      </form>
    </section>
  );
}
