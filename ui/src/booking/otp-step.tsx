import type { FormEvent } from "react";
import { formValues } from "../forms";
import { Button } from "../parts/button";
import { Field } from "../parts/field";
import type { Confirm } from "./use-confirm";

/** The courier's own confirmation: a code sent to the consignor. */
export function OtpStep({ confirm }: { confirm: Confirm }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const otp = (formValues(event.currentTarget)["otp"] ?? "").trim();
    if (otp !== "") confirm.send(otp);
  };
  return (
    <section className="card card-narrow">
      <h2>Enter OTP</h2>
      <p>
        The courier has sent a code to the consignor’s mobile and e-mail. It is valid 10 minutes.
      </p>
      <form className="form" onSubmit={submit}>
        <Field
          form="otp"
          name="otp"
          label="OTP"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={8}
          required
        />
        <div className="actions">
          <Button kind="primary" type="submit" busy={confirm.busy}>
            Confirm Booking
          </Button>
          <Button disabled={confirm.busy} onClick={() => confirm.send("")}>
            Request OTP Again
          </Button>
        </div>
      </form>
    </section>
  );
}
