import { useState, type ComponentProps, type FormEvent } from "react";
import { useNavigate } from "react-router";
import { useAlerts } from "../alerts";
import type { Registration } from "../api/api";
import { ApiError, sentence } from "../api/error";
import { useApi } from "../api/context";
import { errorOf, focusFirstError, formValues, newPasswordErrors } from "../forms";
import { PASSWORD_LENGTH_MIN } from "../limits";
import { messages } from "../messages";
import type { FieldError, RegisterData } from "../page";
import { Button } from "../parts/button";
import { Field } from "../parts/field";
import { Heading } from "../parts/heading";
import { ErrorBox } from "../parts/status";
import { useWords } from "../words/words";

type Input = { name: keyof Registration; label: string; hint?: string } & Pick<
  ComponentProps<"input">,
  "type" | "autoComplete" | "inputMode" | "autoCapitalize"
>;

const INPUTS: readonly Input[] = [
  { name: "first_name", label: "First name", autoComplete: "given-name" },
  { name: "last_name", label: "Last name", autoComplete: "family-name" },
  { name: "username", label: "Username", autoComplete: "username", autoCapitalize: "none" },
  { name: "email", label: "Email", type: "email", autoComplete: "email" },
  { name: "phone", label: "Phone", type: "tel", autoComplete: "tel", inputMode: "tel" },
  {
    name: "password",
    label: "Password",
    type: "password",
    autoComplete: "new-password",
    hint: `At least ${PASSWORD_LENGTH_MIN} characters`,
  },
  {
    name: "password_confirm",
    label: "Confirm password",
    type: "password",
    autoComplete: "new-password",
  },
];

export function Register({ data }: { data: RegisterData | null }) {
  const t = useWords();
  const { busy, errors, message, submit } = useRegister(data);
  const values = data?.form?.values ?? {};
  return (
    <section className="card card-narrow">
      <Heading>{t("Create your account")}</Heading>
      <form className="form" method="post" action="/register" onSubmit={submit}>
        {message !== "" && <ErrorBox>{t(message)}</ErrorBox>}
        <div className="fields">
          {INPUTS.map((input) => (
            <Field
              key={input.name}
              form="register"
              required
              defaultValue={input.type === "password" ? undefined : values[input.name]}
              error={errorOf(errors, input.name)}
              {...input}
            />
          ))}
        </div>
        <Button kind="primary" type="submit" busy={busy} wide>
          {t("Sign up")}
        </Button>
      </form>
      <p className="aside">
        {t("Already have an account?")} <a href="/login">{t("Sign in")}</a>
      </p>
    </section>
  );
}

function useRegister(data: RegisterData | null) {
  const api = useApi();
  const { showAlert } = useAlerts();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldError[]>(data?.form?.errors ?? []);
  const [message, setMessage] = useState(data?.form?.message ?? "");

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = formValues(form);
    const wrong = newPasswordErrors(values);
    setErrors(wrong);
    setMessage("");
    const [first] = wrong;
    if (first !== undefined) {
      showAlert("error", first.message);
      focusFirstError(form);
      return;
    }
    setBusy(true);
    api.register(registrationOf(values)).then(
      () => {
        showAlert("success", messages.registered);
        void navigate("/login");
      },
      (error: unknown) => {
        setBusy(false);
        setErrors(error instanceof ApiError ? error.errors : []);
        showAlert("error", sentence(error, messages.registrationFailed));
        focusFirstError(form);
      },
    );
  };
  return { busy, errors, message, submit };
}

function registrationOf(values: Record<string, string>): Registration {
  const text = (name: keyof Registration) => values[name] ?? "";
  return {
    username: text("username").trim(),
    email: text("email").trim(),
    password: text("password"),
    password_confirm: text("password_confirm"),
    first_name: text("first_name").trim(),
    last_name: text("last_name").trim(),
    phone: text("phone").trim(),
  };
}
