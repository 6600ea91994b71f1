import { dateTime, dayInWords } from "../lib/format";
import { SubmitButton } from "../parts/button";
import { Card } from "../parts/heading";
import { Form } from "../parts/field";
import type { Agreement, FormState } from "../wire";
import { useWords } from "../words/words";
import { ConfirmIdentity } from "./confirm-identity";

const TEXTS: Record<Agreement["document"], string> = {
  terms: "terms and conditions",
  privacy: "privacy policy",
};

type Props = { agreements: readonly Agreement[]; form: FormState | null };

/** Agreements, and everything that we keep about the customer as one file. */
export function YourData({ agreements, form }: Props) {
  const t = useWords();
  return (
    <Card title="Your data" id="data">
      <p>
        {t(
          "One file with everything that we keep about you: profile, addresses, bookings, " +
            "invoices, payments, and what happened to your account.",
        )}
      </p>
      <Form
        idPrefix="data"
        action="/account/export"
        refused={form}
        message={form?.errors.length === 0 ? form.message : ""}
      >
        <div className="fields">
          <ConfirmIdentity />
        </div>
        <div>
          <SubmitButton label="Download my data" />
        </div>
      </Form>
      {agreements.map(({ document, version, agreed_at }) => (
        <p className="quiet" key={`${document} ${version}`}>
          {t("On {when} you agreed to our {document} of {version}.", {
            when: dateTime(agreed_at),
            document: t(TEXTS[document]),
            version: dayInWords(version),
          })}
        </p>
      ))}
    </Card>
  );
}
