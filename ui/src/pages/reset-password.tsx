import { KeepWaysIn, NewPassword } from "../account/new-password";
import { fieldErrorSentence } from "../lib/api-error";
import { ButtonLink, SubmitButton } from "../parts/button";
import { PageCard } from "../parts/heading";
import { ErrorBox } from "../parts/feedback";
import { Form } from "../parts/field";
import type { ResetData } from "../wire";
import { useWords } from "../words/words";

const LINK_OVER =
  "This link was used already, is too old, or is not complete. Please ask for another.";

/** A letter leads here. Its form is plain: the page has no script. */
export default function ResetPassword({ data }: { data: ResetData | null }) {
  const t = useWords();
  const token = data?.token ?? "";
  const { errors = [], message = "" } = data?.form ?? {};
  const isLinkOver = token === "" || fieldErrorSentence(errors, "token") !== undefined;
  return (
    <PageCard title="Choose a new password">
      {isLinkOver ? (
        <>
          <ErrorBox>{t(message === "" ? LINK_OVER : message)}</ErrorBox>
          <p>
            <ButtonLink kind="primary" href="/forgot-password" label="Ask for another link" />
          </p>
        </>
      ) : (
        <Form idPrefix="reset" action="/reset-password" refused={data?.form ?? null}>
          <input type="hidden" name="token" value={token} />
          <NewPassword />
          <KeepWaysIn refused={data?.form ?? null} />
          <p className="quiet">{t("You will be logged out wherever you are logged in now.")}</p>
          <SubmitButton kind="primary" wide label="Change password" />
        </Form>
      )}
    </PageCard>
  );
}
