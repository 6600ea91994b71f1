import { useState } from "react";
import { useSearchParams } from "react-router";
import { useApi } from "../lib/api";
import { useForm } from "../lib/form";
import { useArrival } from "../lib/arrival";
import { SubmitButton } from "../parts/button";
import { PageCard } from "../parts/heading";
import { Field, Form } from "../parts/field";
import { InboxHint } from "../parts/inbox-hint";
import type { ForgottenData } from "../wire";
import { useWords } from "../words/words";

export default function ForgotPassword({ data }: { data: ForgottenData | null }) {
  const t = useWords();
  const api = useApi();
  const [query] = useSearchParams();
  const already = query.has("sent") ? { inbox_url: data?.inbox_url } : null;
  const [sent, setSent] = useState(already);
  const { values, submitting, form } = useForm({
    refused: data?.form ?? null,
    send: ({ username = "" }) => api.forgotPassword(username.trim()),
    onSent: (answer) => setSent(answer),
  });
  useArrival(sent === null ? "asking" : "sent");
  if (sent !== null) return <LinkSent inboxUrl={sent.inbox_url ?? null} />;
  return (
    <PageCard title="Forgot your password?">
      <p>{t("We send a link to your email address. It lets you choose a new password.")}</p>
      <Form idPrefix="forgot" action="/forgot-password" {...form}>
        <Field
          name="username"
          label="Username or email address"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck="false"
          required
          defaultValue={values["username"]}
        />
        <SubmitButton kind="primary" busy={submitting} wide label="Send the link" />
      </Form>
      <p className="side-note">
        {t("Remembered it?")} <a href="/login">{t("Log in")}</a>
      </p>
    </PageCard>
  );
}

function LinkSent({ inboxUrl }: { inboxUrl: string | null }) {
  const t = useWords();
  return (
    <PageCard title="Check your email">
      <p>
        {t(
          "If an account with a confirmed email address matches, we have emailed a reset link. " +
            "It is valid for 30 minutes.",
        )}
      </p>
      <p className="quiet">{t("Not there after a few minutes? Look in your spam folder.")}</p>
      <InboxHint url={inboxUrl} />
      <p className="side-note">
        {/* Plain: the same page anew, with its form. */}
        <a href="/forgot-password" target="_self">
          {t("Send another")}
        </a>
      </p>
    </PageCard>
  );
}
