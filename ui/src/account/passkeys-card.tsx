import { useSession } from "../lib/session";
import { useSite } from "../lib/site";
import { useWords } from "../words/words";
import { SignInCard } from "./sign-in-card";

export function PasskeysCard() {
  const t = useWords();
  const count = useSession().user?.passkeys ?? 0;
  const { passkeys } = useSite();
  if (!passkeys && count === 0) return null;
  return (
    <SignInCard title="Passkeys" href="/account/passkeys" isSetUp={count > 0}>
      {count === 0
        ? t("Log in with your fingerprint, face or screen lock instead of a password.")
        : t("Passkeys that log in to your account: {count}", { count })}
    </SignInCard>
  );
}
