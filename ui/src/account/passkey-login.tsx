import { useAlerts } from "../lib/alerts";
import { errorSentence } from "../lib/api-error";
import { useBusy } from "../lib/hooks";
import { loadInstead } from "../lib/local-path";
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

/** Logs in with a passkey. */
export function PasskeyLogin({ next, secondStep = false }: Props) {
  const { clearAlert } = useAlerts();
  if (!useSite().passkeys) return null;
  const logIn = async () => {
    clearAlert();
    await (await import("../lib/passkeys")).logIn(secondStep);
    loadInstead(next ?? "/dashboard");
  };
  const label = secondStep ? "Use a passkey instead" : "Log in with a passkey";
  return <PasskeyButton wide label={label} ask={logIn} fallback={messages.loginFailed} />;
}

type ButtonProps = { label: string; wide?: boolean; ask: () => Promise<void>; fallback: string };

/** Asks for a passkey. What browsers need for that is loaded when the button is pressed. */
export function PasskeyButton({ label, wide = false, ask, fallback }: ButtonProps) {
  const t = useWords();
  const { showAlert } = useAlerts();
  const [busy, setActivity] = useBusy();
  const press = () => {
    setActivity("working");
    ask().then(
      () => setActivity("leaving"),
      (error: unknown) => {
        setActivity("none");
        showAlert("error", errorSentence(error, fallback));
      },
    );
  };
  return (
    <div className="needs-script">
      <Button wide={wide} busy={busy} onClick={press}>
        {t(label)}
      </Button>
    </div>
  );
}
