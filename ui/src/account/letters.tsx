import { SubmitButton } from "../parts/button";
import { Card } from "../parts/heading";
import { CheckField, Field, Form, SelectField } from "../parts/field";
import type { FormState, Language, LetterChoices } from "../wire";
import { useWords } from "../words/words";

type Props = { choices: LetterChoices; language: Language; form: FormState | null };

const LANGUAGES: readonly { value: Language; label: string }[] = [
  { value: "en", label: "English" },
  { value: "hi", label: "Hindi" },
];

/** Chooses letters by a plain form: a box that is not ticked switches its topic off. */
export function Letters({ choices, language, form }: Props) {
  const t = useWords();
  return (
    <Card title="Email notifications" id="letters">
      <p className="quiet">
        {t("Emails about the security of your account and about money are always sent.")}
      </p>
      <Form idPrefix="language" action="/account/language">
        <div className="fields">
          <SelectField
            name="letter_language"
            label="Language of emails and receipts"
            choices={LANGUAGES}
            defaultValue={language}
          />
        </div>
        <div>
          <SubmitButton label="Save language" />
        </div>
      </Form>
      <Form idPrefix="letters" action="/account/letters" refused={form}>
        {choices.topics.map(({ topic, label, is_on: isOn }) => (
          <CheckField
            key={topic}
            name={topic}
            label={label}
            defaultChecked={form === null ? isOn : (form.values[topic] ?? "") !== ""}
          />
        ))}
        <div className="fields">
          <Field
            name="low_balance_below"
            label="Alert me below (₹)"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={form?.values["low_balance_below"] ?? String(choices.low_balance_below)}
          />
        </div>
        <div>
          <SubmitButton label="Save my choice" />
        </div>
      </Form>
    </Card>
  );
}
