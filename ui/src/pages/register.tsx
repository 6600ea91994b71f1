import type { ComponentProps } from "react";
import { useNavigate } from "react-router";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { useForm, type FormValues } from "../lib/form";
import { messages } from "../lib/messages";
import { SubmitButton } from "../parts/button";
import { PageCard } from "../parts/heading";
import { Field, Form } from "../parts/field";
import { PASSWORD_CHARS_MIN, type RegisterData, type Registration } from "../wire";
import { useWords } from "../words/words";
import type { Registered } from "./login";

type Input = ComponentProps<typeof Field> & { name: keyof Registration };

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
    hint: { text: "At least {count} characters", values: { count: PASSWORD_CHARS_MIN } },
  },
  {
    name: "password_confirm",
    label: "Confirm password",
    type: "password",
    autoComplete: "new-password",
  },
];

const LABELS = Object.fromEntries(INPUTS.map(({ name, label }) => [name, label]));

export default function Register({ data }: { data: RegisterData | null }) {
  const t = useWords();
  const { values, form, submitting } = useRegister(data);
  return (
    <PageCard title="Create your account">
      <Form idPrefix="register" action="/register" noValidate {...form} labels={LABELS}>
        <div className="fields">
          {INPUTS.map((input) => (
            <Field
              key={input.name}
              required
              defaultValue={input.type === "password" ? undefined : values[input.name]}
              {...input}
            />
          ))}
        </div>
        <p className="quiet">
          {t("By signing up you agree to:")}{" "}
          <a href="/terms-and-conditions" target="_blank">
            {t("Terms & Conditions")}
          </a>
          {", "}
          <a href="/privacy-policy" target="_blank">
            {t("Privacy Policy")}
          </a>
        </p>
        <SubmitButton kind="primary" busy={submitting} wide label="Sign up" />
      </Form>
      <p className="side-note">
        {t("Already have an account?")} <a href="/login">{t("Sign in")}</a>
      </p>
    </PageCard>
  );
}

function useRegister(data: RegisterData | null) {
  const api = useApi();
  const { showAlert } = useAlerts();
  const navigate = useNavigate();
  return useForm({
    refused: data?.form ?? null,
    // The server judges all fields at once: what is wrong is told in one round.
    send: (values) => api.register(registrationOf(values)),
    leaves: true,
    onSent: ({ user }) => {
      showAlert("success", "Registration successful! Please login with your credentials.");
      void navigate("/login", { state: { username: user.username } satisfies Registered });
    },
    fallback: messages.registrationFailed,
  });
}

function registrationOf(values: FormValues): Registration {
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
