import { NewPassword } from "../account/new-password";
import { errorOf } from "../lib/form";
import { messages } from "../lib/messages";
import { Button } from "../parts/button";
import { ErrorBox } from "../parts/feedback";
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
        <form className="form" method="post" action="/reset-password">
          {message !== "" && <ErrorBox>{t(message)}</ErrorBox>}
          <input type="hidden" name="token" value={token} />
          <NewPassword form="reset" errors={errors} />
          <p className="quiet">{t("You will be logged out wherever you are logged in now.")}</p>
          <Button kind="primary" type="submit" wide>
            {t("Change password")}
          </Button>
        </form>
      )}
    </section>
  );
}
