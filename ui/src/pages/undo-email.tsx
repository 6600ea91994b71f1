import { ButtonLink, SubmitButton } from "../parts/button";
import { PageCard } from "../parts/heading";
import { ErrorBox } from "../parts/feedback";
import type { UndoEmailData } from "../wire";
import { useWords } from "../words/words";

/** Takes a change of one's email address back. A letter leads here, so the data is there. */
export default function UndoEmail({ data }: { data: UndoEmailData | null }) {
  const t = useWords();
  return (
    <PageCard title="Undo this change">
      {data === null || data.email === null ? (
        <>
          <ErrorBox>
            {t(data?.message || "This link was used already, is too old, or is not complete.")}
          </ErrorBox>
          <p>
            <ButtonLink kind="primary" href="/forgot-password" label="Choose a new password" />
          </p>
        </>
      ) : (
        <form className="form" method="post" action="/undo-email">
          <input type="hidden" name="token" value={data.token} />
          <p>{t("Use {email} for your account again?", { email: data.email })}</p>
          <p className="quiet">
            {t("Everybody is logged out, and the password ends: you choose another one next.")}
          </p>
          <SubmitButton kind="primary" wide label="Use this address again" />
        </form>
      )}
    </PageCard>
  );
}
