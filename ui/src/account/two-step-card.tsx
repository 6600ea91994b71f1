import { date } from "../lib/format";
import { useSession } from "../lib/session";
import { useWords } from "../words/words";
import { SignInCard } from "./sign-in-card";

export function TwoStepCard() {
  const t = useWords();
  const since = useSession().user?.two_step_at ?? null;
  return (
    <SignInCard title="Two-step sign-in" href="/account/two-step" isSetUp={since !== null}>
      {since === null
        ? t("Off. Protect your wallet: let a login ask for a code from your phone as well.")
        : t("On since {day}. A login asks for a code from your phone as well.", {
            day: date(since),
          })}
    </SignInCard>
  );
}
