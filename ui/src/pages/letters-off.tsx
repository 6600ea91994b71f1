import { SubmitButton } from "../parts/button";
import { HiddenInputs } from "../parts/field";
import { PageCard } from "../parts/heading";
import { ErrorBox } from "../parts/feedback";
import type { LettersOffData } from "../wire";
import { useWords } from "../words/words";

/** Switches letters of one kind off. A letter leads here, so the data is there. */
export default function LettersOff({ data }: { data: LettersOffData | null }) {
  const t = useWords();
  return (
    <PageCard title="Unsubscribe">
      <Choice data={data} />
      <p>
        <a href="/account#letters">{t("Choose which emails you get")}</a>
      </p>
    </PageCard>
  );
}

function Choice({ data }: { data: LettersOffData | null }) {
  const t = useWords();
  if (data?.done) {
    return (
      <>
        <p role="status">{t("You get no more of these emails:")}</p>
        <p>
          <strong>{t(data.done)}</strong>
        </p>
      </>
    );
  }
  if (!data?.topic) {
    const broken = "This link is not complete. You can choose your emails in your account.";
    return <ErrorBox>{t(data?.message || broken)}</ErrorBox>;
  }
  return (
    <form className="form" method="post" action="/letters-off">
      <HiddenInputs values={{ of: data.of, account: data.account, seal: data.seal }} />
      <p>{t("You get emails of this kind:")}</p>
      <p>
        <strong>{t(data.topic)}</strong>
      </p>
      <SubmitButton kind="primary" wide label="Switch them off" />
    </form>
  );
}
