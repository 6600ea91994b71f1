import type { ReactNode } from "react";
import { date } from "../lib/format";
import { useSession } from "../lib/session";
import { useSite } from "../lib/site";
import { Card } from "../parts/heading";
import { ScreenReaderText } from "../parts/unseen";
import { useWords } from "../words/words";

export function TwoStepCard() {
  const t = useWords();
  const since = useSession().user?.two_step_at ?? null;
  return (
    <SignInCard
      id="two-step"
      title="Two-step login"
      href="/account/two-step"
      isSetUp={since !== null}
    >
      {since === null
        ? t("Off. Protect your wallet: let a login ask for a code from your phone as well.")
        : t("On since {day}. A login asks for a code from your phone as well.", {
            day: date(since),
          })}
    </SignInCard>
  );
}

export function PasskeysCard() {
  const t = useWords();
  const count = useSession().user?.passkeys ?? 0;
  const { passkeys } = useSite();
  if (!passkeys && count === 0) return null;
  return (
    <SignInCard id="passkeys" title="Passkeys" href="/account/passkeys" isSetUp={count > 0}>
      {count === 0
        ? t("Log in with your fingerprint, face or screen lock instead of a password.")
        : t("Passkeys that log in to your account: {count}", { count })}
    </SignInCard>
  );
}

type Props = { id: string; title: string; href: string; isSetUp: boolean; children: ReactNode };

/** A way to sign in, with a link to the page that changes it. */
function SignInCard({ id, title, href, isSetUp, children }: Props) {
  const t = useWords();
  return (
    <Card title={title} id={id}>
      <p>{children}</p>
      <p>
        <a className="button" href={href}>
          {t(isSetUp ? "Change" : "Set up")}
          <ScreenReaderText>{t(title)}</ScreenReaderText>
        </a>
      </p>
    </Card>
  );
}
