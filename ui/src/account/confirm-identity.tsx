import { useContext, useState, type ComponentProps } from "react";
import { fieldErrorSentence, type FieldProblem } from "../lib/api-error";
import { messages } from "../lib/messages";
import { useSession } from "../lib/session";
import { useSite } from "../lib/site";
import { SubmitButton } from "../parts/button";
import { Field, Form, FormContext } from "../parts/field";
import { Card } from "../parts/heading";
import { useWords } from "../words/words";
import { PasskeyButton } from "./passkey-login";

/** For forms that ask for it now and then only: when. */
type Props = { when?: string };

/** A passkey's word, and what the form had said when it was given: the next refusal ends it. */
type PasskeyConfirmation = { word: string; errors: readonly FieldProblem[] };

/**
 * Asks again who it is: for the password and, where two-step login is on, for a code; or for a
 * passkey in place of both.
 */
export function ConfirmIdentity({ when }: Props) {
  const t = useWords();
  const { errors } = useContext(FormContext);
  const [confirmation, setConfirmation] = useState<PasskeyConfirmation | null>(null);
  const { user } = useSession();
  const canAsk = useSite().passkeys && (user?.passkeys ?? 0) > 0;
  const requirement = when === undefined ? { required: true } : { optional: true, hint: when };
  const ask = async () => {
    const { confirm } = await import("../lib/passkeys");
    setConfirmation({ word: await confirm(), errors });
  };
  if (confirmation?.errors === errors) {
    return (
      <div className="field">
        <input type="hidden" name="passkey" value={confirmation.word} />
        <p role="status">{t("Confirmed with your passkey.")}</p>
      </div>
    );
  }
  return (
    <>
      <Field
        name="current_password"
        label="Current password"
        type="password"
        autoComplete="current-password"
        error={
          fieldErrorSentence(errors, "current_password") ?? fieldErrorSentence(errors, "passkey")
        }
        {...requirement}
      />
      {user?.two_step_at != null && <CodeField {...requirement} />}
      {canAsk && (
        <PasskeyButton label="Use a passkey instead" ask={ask} fallback={messages.unexpected} />
      )}
    </>
  );
}

type CardProps = ComponentProps<typeof Form> & {
  title: string;
  /** Of what is done, in the reader's language. */
  text: string;
  /** Of the button. */
  label: string;
  primary?: boolean;
};

/** A plain form for something that is done once it is known who asks. */
export function ConfirmedCard(props: CardProps) {
  const { title, text, label, primary = false, action, children, ...form } = props;
  return (
    <Card title={title} id={form.idPrefix}>
      <p>{text}</p>
      <Form action={action} {...form}>
        <div className="fields">
          {children}
          <ConfirmIdentity />
        </div>
        <div>
          <SubmitButton kind={primary ? "primary" : "plain"} label={label} />
        </div>
      </Form>
    </Card>
  );
}

/** A code from the app, or a recovery code. */
export function CodeField(field: Partial<ComponentProps<typeof Field>>) {
  return (
    <Field
      name="code"
      label="Code"
      hint="6 digits from your app, or a recovery code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck="false"
      {...field}
    />
  );
}
