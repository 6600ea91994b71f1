import { useContext, useState, type ComponentProps } from "react";
import { useAlerts } from "../lib/alerts";
import { fieldErrorSentence, errorSentence, type FieldProblem } from "../lib/api-error";
import { messages } from "../lib/messages";
import { useSession } from "../lib/session";
import { useSite } from "../lib/site";
import { Button } from "../parts/button";
import { Field, FormContext } from "../parts/field";
import { useWords } from "../words/words";

/** For forms that ask for it now and then only: when. */
type Props = { when?: string };

/** A passkey's word, and what the form had said when it was given: the next refusal ends it. */
type PasskeyRefusal = { word: string; errors: readonly FieldProblem[] };

/**
 * Asks again who it is: for the password and, where two-step sign-in is on, for a code; or for a
 * passkey in place of both.
 */
export function ConfirmIdentity({ when }: Props) {
  const t = useWords();
  const { errors } = useContext(FormContext);
  const [confirmation, setConfirmation] = useState<PasskeyRefusal | null>(null);
  const { user } = useSession();
  const canAsk = useSite().passkeys && (user?.passkeys ?? 0) > 0;
  const requirement = when === undefined ? { required: true } : { optional: true, hint: when };
  if (confirmation !== null && confirmation.errors === errors) {
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
      {canAsk && <AskPasskey onConfirmed={(word) => setConfirmation({ word, errors })} />}
    </>
  );
}

function AskPasskey({ onConfirmed }: { onConfirmed: (word: string) => void }) {
  const t = useWords();
  const { showAlert } = useAlerts();
  const [busy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    import("../lib/passkeys")
      .then(({ confirm }) => confirm())
      .then(onConfirmed, (error: unknown) => {
        setBusy(false);
        showAlert("error", errorSentence(error, messages.unexpected));
      });
  };
  return (
    <div className="needs-script">
      <Button busy={busy} onClick={press}>
        {t("Use a passkey instead")}
      </Button>
    </div>
  );
}

type CodeProps = Pick<ComponentProps<typeof Field>, "required" | "hint" | "optional">;

/** A code from the app, or a recovery code. */
export function CodeField(field: CodeProps) {
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
