import type { FormState } from "../wire";
import { useWords } from "../words/words";
import { ConfirmedCard } from "./confirm-identity";

/** Closes the account for good. A plain form: it is sent once in the life of an account. */
export function CloseAccount({ form }: { form: FormState | null }) {
  const t = useWords();
  return (
    <ConfirmedCard
      title="Close your account"
      text={t(
        "We delete your name, address book, drafts and identity documents, and you can no " +
          "longer log in. Bookings, invoices and the statement of your wallet stay for eight " +
          "years, as tax law asks. This cannot be undone.",
      )}
      label="Close my account"
      idPrefix="close"
      action="/account/close"
      refused={form}
      message={form?.errors.length === 0 ? form.message : ""}
    />
  );
}
