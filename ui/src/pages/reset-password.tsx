import { useLocation } from "react-router";
import { useApi } from "../api/context";
import { errorOf, newPasswordErrors } from "../forms";
import { messages } from "../messages";
import type { ResetData } from "../page";
import { Button } from "../parts/button";
import { Heading } from "../parts/heading";
import { NewPassword } from "../parts/new-password";
import { ErrorBox } from "../parts/status";
import { queryOf } from "../query";
import { useForm } from "../use-form";
import { useWords } from "../words/words";

export function ResetPassword({ data }: { data: ResetData | null }) {
  const t = useWords();
  const api = useApi();
  const { search } = useLocation();
  const token = data?.token ?? queryOf(search)["token"] ?? "";
  const { busy, errors, message, submit } = useForm({
    form: data?.form ?? null,
    check: newPasswordErrors,
    send: ({ password = "", password_confirm = "" }) =>
      api.resetPassword(token, password, password_confirm),
    // A page anew: the server knows whether somebody is still logged in here.
    onDone: () => window.location.assign("/login?changed=1"),
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
          <Button kind="primary" type="submit" busy={busy} wide>
            {t("Change password")}
          </Button>
        </form>
      )}
    </section>
  );
}
