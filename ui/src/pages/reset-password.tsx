import { NewPassword } from "../account/new-password";
import { errorOf } from "../lib/api-error";
import { messages } from "../lib/messages";
import { Button } from "../parts/button";
import { ErrorBox } from "../parts/feedback";
import { Form } from "../parts/form";
import { Heading } from "../parts/heading";
import type { ResetData } from "../wire";
import { useWords } from "../words/words";

/** A letter leads here. Its form is plain: the page has no script. */
export default function ResetPassword({ data }: { data: ResetData | null }) {
  const t = useWords();
  const token = data?.token ?? "";
  const { errors = [], message = "" } = data?.form ?? {};
  const over = token === "" || errorOf(errors, "token") !== undefined;
  return (
    <section className="card card-narrow">
      <Heading>{t("Choose a new password")}</Heading>
      {over ? (
        <>
          <ErrorBox>{t(message === "" ? messages.resetOver : message)}</ErrorBox>
          <p>
            <a className="button button-primary" href="/forgot-password">
              {t("Ask for another link")}
            </a>
          </p>
        </>
      ) : (
        <Form idPrefix="reset" action="/reset-password" refused={data?.form ?? null}>
          <input type="hidden" name="token" value={token} />
          <NewPassword />
          <p className="quiet">{t("You will be logged out wherever you are logged in now.")}</p>
          <Button kind="primary" type="submit" wide>
            {t("Change password")}
          </Button>
        </Form>
      )}
    </section>
  );
}
