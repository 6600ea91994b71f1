import { newPasswordErrors, NewPassword } from "../account/new-password";
import { useApi } from "../lib/api";
import { errorOf, useForm } from "../lib/form";
import { messages } from "../lib/messages";
import { usePlace } from "../lib/place";
import { queryOf } from "../lib/query";
import { Button } from "../parts/button";
import { ErrorBox } from "../parts/feedback";
import { Heading } from "../parts/heading";
import type { ResetData } from "../wire";
import { useWords } from "../words/words";

export default function ResetPassword({ data }: { data: ResetData | null }) {
  const t = useWords();
  const api = useApi();
  const { search } = usePlace();
  const token = data?.token ?? queryOf(search)["token"] ?? "";
  const { submitting, errors, message, submit } = useForm({
    refused: data?.form ?? null,
    check: newPasswordErrors,
    send: ({ password = "", password_confirm = "" }) =>
      api.resetPassword(token, password, password_confirm),
    // A page anew: the server knows whether somebody is still logged in here.
    onSent: () => window.location.assign("/login?changed=1"),
    fallback: messages.unexpected,
  });
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
        <form className="form" method="post" action="/reset-password" onSubmit={submit}>
          {message !== "" && <ErrorBox>{t(message)}</ErrorBox>}
          <input type="hidden" name="token" value={token} />
          <NewPassword form="reset" errors={errors} />
          <p className="quiet">{t("You will be logged out wherever you are logged in now.")}</p>
          <Button kind="primary" type="submit" busy={submitting} wide>
            {t("Change password")}
          </Button>
        </form>
      )}
    </section>
  );
}
