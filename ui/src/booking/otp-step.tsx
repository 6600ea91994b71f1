import { useEffect, useRef, useState } from "react";
import { fieldErrorSentence } from "../lib/api-error";
import { useForm } from "../lib/form";
import { useHydrated } from "../lib/hooks";
import { messages } from "../lib/messages";
import { bookingMessages } from "./messages";
import { preventDefault } from "../lib/prevent-default";
import { SubmitButton } from "../parts/button";
import { Card } from "../parts/heading";
import { InfoBox } from "../parts/feedback";
import { Field, Form } from "../parts/field";
import { InboxHint } from "../parts/inbox-hint";
import type { FormState } from "../wire";
import { useWords, type UiText } from "../words/words";
import { BookedBeforeNote } from "./booked-before";
import { parseOtp, secondsUntil, waitText, type OtpRequest } from "./otp";
import { PlainStep } from "./plain-step";
import type { Confirm } from "./use-confirm";

type Props = {
  otp: OtpRequest;
  confirm: Confirm;
  /** The plain form that was refused. */
  refused: FormState | null;
  onNew: () => void;
};

/** Asks for the code that the consignor got by mobile and email. */
export function OtpStep({ otp, confirm, refused, onNew }: Props) {
  const t = useWords();
  const ref = useRef<HTMLFormElement>(null);
  const { form, settle, clear } = useForm({
    refused,
    check: ({ otp: code = "" }) =>
      parseOtp(code) === null ? [{ path: "otp", message: bookingMessages.otpSixDigits }] : [],
    // `confirm` shows the outcome.
    send: async ({ otp: code = "" }) => confirm.send(parseOtp(code) ?? ""),
    fallback: messages.bookingFailed,
  });
  const error =
    fieldErrorSentence(form.errors, "otp") ?? confirm.otpError ?? (form.message || undefined);
  useOtpFocus(ref, otp.againMs, error);
  const again = () => {
    clear();
    confirm.send("");
  };
  return (
    <Card title="Enter OTP" narrow>
      <InfoBox>
        <p role="status">{t(otp.text)}</p>
      </InfoBox>
      {confirm.bookedBefore !== null && (
        <BookedBeforeNote booked={confirm.bookedBefore} onNew={onNew} />
      )}
      <InboxHint url={otp.inboxUrl} />
      <Form
        idPrefix="otp"
        action="/courier"
        {...form}
        ref={ref}
        message=""
        onInput={settle}
        noValidate
      >
        <PlainStep step="otp" />
        <input type="hidden" name="quote_id" value={otp.quoteId} />
        <Field
          key={otp.againMs}
          name="otp"
          label="OTP"
          hint="6 digits"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          error={error}
        />
        <div className="actions">
          <SubmitButton kind="primary" busy={confirm.busy} label="Confirm Booking" />
          <ResendCode
            key={`after ${otp.againMs}`}
            againMs={otp.againMs}
            busy={confirm.busy}
            onClick={again}
          />
        </div>
      </Form>
    </Card>
  );
}

/** Puts the cursor into the field when a code was sent, or the last one was wrong. */
function useOtpFocus(
  form: React.RefObject<HTMLFormElement | null>,
  againMs: number,
  error: UiText | undefined,
) {
  const lastAgainMs = useRef(againMs);
  useEffect(() => {
    if (lastAgainMs.current === againMs && error === undefined) return;
    lastAgainMs.current = againMs;
    form.current?.querySelector<HTMLInputElement>("[name='otp']")?.select();
  }, [form, againMs, error]);
}

type AgainProps = { againMs: number; busy: boolean; onClick: () => void };

/** Asks for another code. Until that is allowed, the seconds are counted down. */
function ResendCode({ againMs, busy, onClick }: AgainProps) {
  const hydrated = useHydrated();
  // A clock is for the browser: what the server draws is the same whenever it does.
  const [now, setNow] = useState(() => (hydrated ? performance.now() : 0));
  const seconds = secondsUntil(againMs, now);
  const isOver = seconds === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  return (
    <SubmitButton
      name="resend"
      value="1"
      disabled={busy || !isOver}
      onClick={preventDefault(onClick)}
      label={
        isOver
          ? "Request OTP Again"
          : { text: "Request OTP Again in {wait}", values: { wait: waitText(seconds) } }
      }
    />
  );
}
