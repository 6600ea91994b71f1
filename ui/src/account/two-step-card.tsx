import { date } from "../lib/format";
import { useSession } from "../lib/session";
import { Card } from "../parts/card";
import { useWords } from "../words/words";

/** Whether a login asks for a code too, and the way to change that. */
export function TwoStepCard() {
  const t = useWords();
  const since = useSession().user?.two_step_at ?? null;
  return (
    <Card title="Two-step sign-in">
      <p>
        {since === null
          ? t("Off. Protect your wallet: let a login ask for a code from your phone as well.")
          : t(`On since ${date(since)}. A login asks for a code from your phone as well.`)}
      </p>
      <p>
        <a className="button" href="/account/two-step">
          {t(since === null ? "Set up" : "Change")}
          <span className="visually-hidden">{` ${t("Two-step sign-in")}`}</span>
        </a>
      </p>
    </Card>
  );
}
