import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { useForm } from "../lib/form";
import { SubmitButton } from "../parts/button";
import { Card } from "../parts/heading";
import { Form } from "../parts/field";
import type { FormState } from "../wire";
import { useWords } from "../words/words";
import { ConfirmIdentity } from "./confirm-identity";
import { KeepWaysIn, newPasswordErrors, NewPassword } from "./new-password";

type Props = {
  refused: FormState | null;
  /** All other sessions have ended. */
  onChanged: () => void;
};

/** Changes the password of a customer who knows the present one. */
export function PasswordForm({ refused, onChanged }: Props) {
  const t = useWords();
  const api = useApi();
  const { showAlert } = useAlerts();
  const { submitting, form } = useForm({
    refused,
    check: newPasswordErrors,
    send: ({ current_password = "", code = "", passkey = "", ...chosen }) => {
      const { password = "", password_confirm = "", keep = "" } = chosen;
      const identity = { current_password, code, passkey };
      return api.changePassword({ ...identity, password, password_confirm, keep });
    },
    onSent: (answer, _values, inputs) => {
      inputs.reset();
      showAlert("success", answer.message);
      onChanged();
    },
  });
  return (
    <Card title="Password" id="password">
      <Form idPrefix="password" action="/account/password" {...form}>
        <div className="fields">
          <ConfirmIdentity />
          <NewPassword />
        </div>
        <KeepWaysIn refused={refused} />
        <p className="quiet">{t("You will be logged out everywhere else.")}</p>
        <SubmitButton kind="primary" busy={submitting} label="Change password" />
      </Form>
    </Card>
  );
}
