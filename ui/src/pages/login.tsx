import { useState, type FormEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { useAlerts } from "../alerts";
import { ApiError, sentence } from "../api/error";
import { useApi } from "../api/context";
import { errorOf, focusFirstError, formValues } from "../forms";
import { messages } from "../messages";
import type { FieldError, LoginData } from "../page";
import { Button } from "../parts/button";
import { Field } from "../parts/field";
import { Heading } from "../parts/heading";
import { ErrorBox } from "../parts/status";
import { queryOf } from "../query";
import { localPath } from "../screens";
import { useSession } from "../session";
import { useWords } from "../words/words";

export function Login({ data }: { data: LoginData | null }) {
  const t = useWords();
  const { search } = useLocation();
  const next = localPath(data?.next ?? queryOf(search)["next"]);
  const { busy, errors, message, submit } = useLogin(next, data);
  const values = data?.form?.values ?? {};
  return (
    <section className="card card-narrow">
      <Heading>{t("Log in")}</Heading>
      <form className="form" method="post" action="/login" onSubmit={submit}>
        {message !== "" && <ErrorBox>{t(message)}</ErrorBox>}
        {next !== null && <input type="hidden" name="next" value={next} />}
        <Field
          form="login"
          name="username"
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={values["username"]}
          error={errorOf(errors, "username")}
        />
        <Field
          form="login"
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          error={errorOf(errors, "password")}
        />
        <Button kind="primary" type="submit" busy={busy} wide>
          {t("Log In")}
        </Button>
      </form>
      <p className="aside">
        <a href="/forgot-password">{t("Forgot password?")}</a>
      </p>
      <p className="aside">
        {t("New to Dakiya?")} <a href="/register">{t("Sign up")}</a>
      </p>
    </section>
  );
}

function useLogin(next: string | null, data: LoginData | null) {
  const api = useApi();
  const session = useSession();
  const { showAlert, clearAlert } = useAlerts();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldError[]>(data?.form?.errors ?? []);
  const [message, setMessage] = useState(data?.form?.message ?? "");

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { username = "", password = "" } = formValues(form);
    setBusy(true);
    setErrors([]);
    setMessage("");
    clearAlert();
    api.login(username, password).then(
      ({ tokens, user }) => {
        void navigate(next ?? "/dashboard", { replace: true });
        session.signIn(tokens.access, user);
      },
      (error: unknown) => {
        setBusy(false);
        setErrors(error instanceof ApiError ? error.errors : []);
        showAlert("error", sentence(error, messages.loginFailed));
        focusFirstError(form);
      },
    );
  };
  return { busy, errors, message, submit };
}
