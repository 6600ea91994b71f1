import { useState } from "react";
import { useAlerts } from "../lib/alerts";
import { errorSentence } from "../lib/api-error";
import { messages } from "../lib/messages";
import { useSite } from "../lib/site";
import { Button } from "../parts/button";
import { useWords } from "../words/words";

type Props = {
  /** Where a login leads. */
  next: string | null;
  /** In place of the code, after the password. */
  secondStep?: boolean;
};

/** Logs in with a passkey. What browsers need for that is loaded when the button is pressed. */
export function PasskeyLogin({ next, secondStep = false }: Props) {
  const t = useWords();
  const { showAlert, clearAlert } = useAlerts();
  const [busy, setBusy] = useState(false);
  if (!useSite().passkeys) return null;
  const press = () => {
    setBusy(true);
    clearAlert();
    import("../lib/passkeys")
      .then(({ logIn }) => logIn(secondStep))
      .then(
        () => window.location.replace(next ?? "/dashboard"),
        (error: unknown) => {
          setBusy(false);
          showAlert("error", errorSentence(error, messages.loginFailed));
        },
      );
  };
  return (
    <div className="needs-script">
      <Button wide busy={busy} onClick={press}>
        {t(secondStep ? "Use a passkey instead" : "Sign in with a passkey")}
      </Button>
    </div>
  );
}
