import { useSearchParams } from "react-router";
import { CodeField } from "../account/confirm-identity";
import { PasskeyLogin } from "../account/passkey-login";
import { nextIn } from "../lib/local-path";
import { SubmitButton } from "../parts/button";
import { PageCard } from "../parts/heading";
import { Form, HiddenInputs } from "../parts/field";
import type { LoginCodeData } from "../wire";
import { useWords } from "../words/words";

/** The second step of a login. A plain form: the server leads on from here. */
export default function LoginCode({ data }: { data: LoginCodeData | null }) {
  const t = useWords();
  const [query] = useSearchParams();
  const next = data === null ? nextIn(query) : data.next;
  const savedForm = data?.form?.values["form"];
  return (
    <PageCard title="Enter your code">
      <p>{t("Your password is right. Open the authenticator app on your phone for the code.")}</p>
      <Form idPrefix="login-code" action="/login/code" refused={data?.form ?? null}>
        <HiddenInputs values={{ next, form: savedForm }} />
        <CodeField required />
        <SubmitButton kind="primary" wide label="Log In" />
      </Form>
      {savedForm === undefined && <PasskeyLogin next={next} secondStep />}
      <p className="side-note">
        {t("Lost your phone? Use one of your recovery codes. If these are lost too, write to us.")}
      </p>
      <p className="side-note">
        <a href="/login">{t("Log in again")}</a>
      </p>
    </PageCard>
  );
}
