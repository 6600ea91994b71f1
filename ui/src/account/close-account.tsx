import { Button } from "../parts/button";
import { ErrorBox } from "../parts/feedback";
import type { FormState } from "../wire";
import { useWords } from "../words/words";
import { ConfirmIdentity } from "./confirm-identity";

/** Closes the account for good. A plain form: it is sent once in the life of an account. */
export function CloseAccount({ form }: { form: FormState | null }) {
  const t = useWords();
  const errors = form?.errors ?? [];
  return (
    <section className="card">
      <h2>{t("Close your account")}</h2>
      <p>
        {t(
          "Your name, address book, drafts and identity documents go, and nobody can log in any " +
            "more. Bookings, invoices and the statement of your wallet stay for eight years, as " +
            "tax law asks. This cannot be taken back.",
        )}
      </p>
      <form className="form" method="post" action="/account/close">
        {form !== null && errors.length === 0 && <ErrorBox>{t(form.message)}</ErrorBox>}
        <div className="fields">
          <ConfirmIdentity form="close" errors={errors} />
        </div>
        <div>
          <Button type="submit">{t("Close my account")}</Button>
        </div>
      </form>
    </section>
  );
}
