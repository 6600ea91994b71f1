import { useLocation, useNavigate, useSearchParams } from "react-router";
import { PasskeyLogin } from "../account/passkey-login";
import { useApi } from "../lib/api";
import { useForm } from "../lib/form";
import { nextIn } from "../lib/local-path";
import { messages } from "../lib/messages";
import { searchOf } from "../lib/query";
import { useSession } from "../lib/session";
import { SubmitButton } from "../parts/button";
import { InfoBox } from "../parts/feedback";
import { PageCard } from "../parts/heading";
import { Field, Form, HiddenInputs } from "../parts/field";
import type { LoginData } from "../wire";
import { useWords } from "../words/words";

/** The link of a letter, opened where nobody is logged in: the login goes on to it. */
const CONFIRMING = "/account?confirm=";

/** The state that a registration passes on, so that the name need not be typed again. */
export type Registered = { username: string };

export default function Login({ data }: { data: LoginData | null }) {
  const t = useWords();
  const { state } = useLocation();
  const [query] = useSearchParams();
  const next = data === null ? nextIn(query) : data.next;
  const { values, form, submitting } = useLogin(next, data);
  // A form that was being sent when the session ended goes through the login, with no script.
  const sending = values["form"];
  return (
    <PageCard title="Log in">
      {next?.startsWith(CONFIRMING) === true && (
        <InfoBox>{t("Log in to confirm your email address.")}</InfoBox>
      )}
      <Form
        idPrefix="login"
        action="/login"
        {...form}
        onSubmit={sending === undefined ? form.onSubmit : undefined}
      >
        <HiddenInputs values={{ form: sending, next }} />
        <Field
          name="username"
          label="Username"
          hint="Or your email address"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck="false"
          required
          defaultValue={values["username"] ?? (state as Registered | null)?.username}
        />
        <Field
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
        <SubmitButton kind="primary" busy={submitting} wide label="Log In" />
      </Form>
      {sending === undefined && <PasskeyLogin next={next} />}
      <p className="side-note">
        <a href="/forgot-password">{t("Forgot password?")}</a>
      </p>
      <p className="side-note">
        {t("New to Dakiya?")} <a href="/register">{t("Sign up")}</a>
      </p>
      <p className="quiet">
        {t(
          "Dakiya books couriers within India and abroad: compare prices, print the label, and " +
            "pay by UPI, card or net banking.",
        )}
      </p>
      <p className="side-note">
        <a href="/track">{t("Track a shipment")}</a> · <a href="/help">{t("Help")}</a>
      </p>
    </PageCard>
  );
}

function useLogin(next: string | null, data: LoginData | null) {
  const api = useApi();
  const session = useSession();
  const navigate = useNavigate();
  return useForm({
    refused: data?.form ?? null,
    send: ({ username = "", password = "" }) => api.login(username, password),
    leaves: true,
    onSent: (answer) => {
      if ("challenge" in answer) {
        // A page of the server's: its form is plain, and no script of the login knows of codes.
        window.location.assign(`/login/code${searchOf({ next: next ?? "" })}`);
        return;
      }
      void navigate(next ?? "/dashboard", { replace: true });
      session.setUser(answer.user);
    },
    fallback: messages.loginFailed,
  });
}
