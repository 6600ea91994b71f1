import { useState } from "react";
import { CodeField, ConfirmedCard } from "../account/confirm-identity";
import { date } from "../lib/format";
import { useHydrated } from "../lib/hooks";
import { useSession } from "../lib/session";
import { useSite } from "../lib/site";
import { Button, ButtonLink, SubmitButton } from "../parts/button";
import { Form } from "../parts/field";
import { Card, Heading } from "../parts/heading";
import type { AppSecret, FormState, TwoStepData } from "../wire";
import { useWords } from "../words/words";

/** Two-step login, switched on and off. Its forms are plain: they are sent a few times in all. */
export default function TwoStep({ data }: { data: TwoStepData }) {
  const t = useWords();
  const since = useSession().user?.two_step_at ?? null;
  const refused = (part: string) => (data.part === part ? data.form : null);
  const { setup, codes } = data;
  return (
    <>
      <Heading>{t("Two-step login")}</Heading>
      {codes !== null && <NewCodes codes={codes} />}
      {since === null && setup !== null && <FirstCode setup={setup} form={refused("on")} />}
      {since === null && setup === null && (
        <ConfirmedCard
          title="Set up"
          text={t(
            "You need an authenticator app on your phone, such as Google Authenticator, " +
              "Microsoft Authenticator or Aegis. It shows a new code every 30 seconds. " +
              "Even someone with your password cannot log in without it.",
          )}
          label="Continue"
          primary
          idPrefix="set-up"
          action="/account/two-step/set-up"
          refused={refused("set-up") ?? refused("on") ?? refused("off")}
        />
      )}
      {since !== null && codes === null && (
        <>
          <section className="card">
            <p>
              {t("On since {day}. A login asks for a code from your phone as well.", {
                day: date(since),
              })}
            </p>
            <p>{t("Recovery codes left: {count}", { count: data.codes_left })}</p>
          </section>
          <ConfirmedCard
            title="New recovery codes"
            text={t("The old codes no longer work.")}
            label="Make new codes"
            idPrefix="codes"
            action="/account/two-step/codes"
            refused={refused("codes") ?? refused("set-up") ?? refused("on")}
          />
          <ConfirmedCard
            title="Switch off"
            text={t("Anyone with your password will be able to log in.")}
            label="Switch off"
            idPrefix="off"
            action="/account/two-step/off"
            refused={refused("off")}
          />
        </>
      )}
      <p>
        <a href="/account">{t("Back to your account")}</a>
      </p>
    </>
  );
}

/** Light around it, without which a camera does not find it (modules). */
const QUIET = 4;

function FirstCode({ setup, form }: { setup: AppSecret; form: FormState | null }) {
  const t = useWords();
  const { secret, uri, qr_side, qr_path } = setup;
  const side = qr_side + 2 * QUIET;
  return (
    <Card title="Add Dakiya to your app">
      <p>
        <ButtonLink href={uri} label="Open in my authenticator app" />
      </p>
      <p>{t("If the app is on another device, scan this picture with it.")}</p>
      <svg
        className="qr-code"
        viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
        role="img"
        aria-label={t("QR code for your authenticator app")}
      >
        <path fill="#fff" d={`M${-QUIET} ${-QUIET}h${side}v${side}h${-side}z`} />
        <path fill="#000" d={qr_path} shapeRendering="crispEdges" />
      </svg>
      <p>
        {t("Or type this key into it:")} <code className="secret">{secret}</code>{" "}
        <CopyKey secret={secret} />
      </p>
      <Form idPrefix="on" action="/account/two-step/on" refused={form}>
        <div className="fields">
          <CodeField hint="6 digits that the app shows now" required />
        </div>
        <p className="quiet">{t("You will be logged out everywhere else.")}</p>
        <div>
          <SubmitButton kind="primary" label="Switch on" />
        </div>
      </Form>
    </Card>
  );
}

/** Only with a script, and where the browser lets pages copy. */
function CopyKey({ secret }: { secret: string }) {
  const t = useWords();
  const hydrated = useHydrated();
  const [isCopied, setIsCopied] = useState(false);
  if (!hydrated || !("clipboard" in navigator)) return null;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret.replaceAll(" ", ""));
      setIsCopied(true);
    } catch {
      // Not allowed: the key can still be selected.
    }
  };
  return <Button onClick={() => void copy()}>{t(isCopied ? "Copied" : "Copy the key")}</Button>;
}

function NewCodes({ codes }: { codes: readonly string[] }) {
  const t = useWords();
  const { user } = useSession();
  const { company } = useSite();
  return (
    <Card title="Your recovery codes">
      <p>
        {t(
          "Print this page, or copy the codes to a safe place that is not your phone. " +
            "Each works once if you lose your phone. They are shown only now.",
        )}
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className="quiet">
        {company.name} · {user?.username}
      </p>
      <p>
        <ButtonLink kind="primary" href="/account" label="I have saved them" />
      </p>
    </Card>
  );
}
