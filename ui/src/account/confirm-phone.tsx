import { phone } from "../lib/format";
import { useSession } from "../lib/session";
import { SubmitButton } from "../parts/button";
import { Card } from "../parts/heading";
import { ErrorBox } from "../parts/feedback";
import { Field, Form } from "../parts/field";
import type { FormState } from "../wire";
import { useWords } from "../words/words";
import { ConfirmIdentity } from "./confirm-identity";

type Props = {
  /** A code is on its way. */
  isCodeSent: boolean;
  form: FormState | null;
};

/** Proves by plain forms that the phone is the customer's. */
export function ConfirmPhone({ isCodeSent, form }: Props) {
  const t = useWords();
  const user = useSession().user;
  if (user === null || user.phone === "") return null;
  const errors = form?.errors ?? [];
  if (user.phone_confirmed) {
    return (
      <Card title="Your phone">
        <p>
          {phone(user.phone)} <span className="badge badge-green">{t("Confirmed")}</span>
        </p>
      </Card>
    );
  }
  return (
    <Card title="Confirm your phone" id="phone">
      <p>
        {t(
          "Confirm your number so that we can help you get back into your account. We send an " +
            "OTP by SMS to {phone}.",
          { phone: phone(user.phone) },
        )}
      </p>
      {form !== null && errors.length === 0 && <ErrorBox>{t(form.message)}</ErrorBox>}
      <form method="post" action="/account/phone/send">
        <SubmitButton label={isCodeSent ? "Send another OTP" : "Send OTP"} />
      </form>
      <details className="disclosure" open={isCodeSent || errors.length > 0}>
        <summary>{t("I have an OTP")}</summary>
        <Form idPrefix="phone" action="/account/phone/confirm" errors={errors}>
          <div className="fields">
            <Field
              name="otp"
              label="OTP"
              hint="The 6-digit code from the SMS"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
            />
            <ConfirmIdentity />
          </div>
          <div>
            <SubmitButton kind="primary" label="Confirm" />
          </div>
        </Form>
      </details>
    </Card>
  );
}
