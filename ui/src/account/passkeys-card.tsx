import { useSession } from "../lib/session";
import { useSite } from "../lib/site";
import { Card } from "../parts/card";
import { useWords } from "../words/words";

/** How many passkeys log in to the account, and the way to change that. */
export function PasskeysCard() {
  const t = useWords();
  const count = useSession().user?.passkeys ?? 0;
  const { passkeys } = useSite();
  if (!passkeys && count === 0) return null;
  return (
    <Card title="Passkeys">
      <p>
        {count === 0
          ? t("Log in with your fingerprint, face or screen lock instead of a password.")
          : t(`Passkeys that log in to your account: ${count}`)}
      </p>
      <p>
        <a className="button" href="/account/passkeys">
          {t(count === 0 ? "Set up" : "Change")}
          <span className="visually-hidden">{` ${t("Passkeys")}`}</span>
        </a>
      </p>
    </Card>
  );
}
