import { dateTime, dayInWords } from "../lib/format";
import { SubmitButton } from "../parts/button";
import { Card } from "../parts/heading";
import { ErrorBox } from "../parts/feedback";
import type { Agreement, FormState } from "../wire";
import { useWords } from "../words/words";

const TEXTS: Record<Agreement["document"], string> = {
  terms: "terms and conditions",
  privacy: "privacy policy",
};

type Props = { agreements: readonly Agreement[]; form: FormState | null };

/** Agreements, and everything that we keep about the customer as one file. */
export function YourData({ agreements, form }: Props) {
  const t = useWords();
  return (
    <Card title="Your data">
      <p>
        {t(
          "One file with everything that we keep about you: profile, addresses, bookings, " +
            "invoices, payments, and what happened to your account.",
        )}
      </p>
      {form !== null && <ErrorBox>{t(form.message)}</ErrorBox>}
      <form method="post" action="/account/export">
        <SubmitButton label="Download my data" />
      </form>
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
