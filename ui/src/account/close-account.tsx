import { Button } from "../parts/button";
import { Card } from "../parts/heading";
import { Form } from "../parts/field";
import type { FormState } from "../wire";
import { useWords } from "../words/words";
import { ConfirmIdentity } from "./confirm-identity";

/** Closes the account for good. A plain form: it is sent once in the life of an account. */
export function CloseAccount({ form }: { form: FormState | null }) {
  const t = useWords();
  return (
    <Card title="Close your account">
      <p>
        {t(
          "Your name, address book, drafts and identity documents go, and nobody can log in any " +
            "more. Bookings, invoices and the statement of your wallet stay for eight years, as " +
            "tax law asks. This cannot be taken back.",
        )}
      </p>
      <Form
        idPrefix="close"
        action="/account/close"
        refused={form}
        message={form?.errors.length === 0 ? form.message : ""}
      >
        <div className="fields">
          <ConfirmIdentity />
        </div>
        <div>
          <Button type="submit">{t("Close my account")}</Button>
        </div>
      </Form>
    </Card>
  );
}
