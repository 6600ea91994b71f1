import { useLocation } from "react-router";
import { useEffect, useRef, useState, type ChangeEvent, type FormEvent } from "react";
import { useAlerts } from "../alerts";
import { ApiError, sentence } from "../api/error";
import { useApi } from "../api/context";
import { errorOf } from "../forms";
import { rupees, rupeesShort } from "../format";
import { RECHARGE_MIN, RECHARGE_PRESETS } from "../limits";
import { messages } from "../messages";
import type { FieldError, RechargeData } from "../page";
import { Button } from "../parts/button";
import { Field } from "../parts/field";
import { Heading } from "../parts/heading";
import { LoadFailed } from "../parts/load-failed";
import { ErrorBox, InfoBox } from "../parts/status";
import { rememberPayment } from "../payment-storage";
import { queryOf } from "../query";
import { useSession } from "../session";
import { PendingPayments } from "./pending-payments";
import { purposeOf, type Purpose } from "../top-up";
import { useHydrated } from "../use-hydrated";
import { useResource } from "../use-resource";
import { useWords } from "../words/words";

export function Recharge({ data: sent }: { data: RechargeData | null }) {
  const t = useWords();
  const recharge = useRechargeData(sent);
  const { data } = recharge;
  const { user } = useSession();
  const balance = data?.balance ?? user?.balance;
  const purpose = purposeOf(queryOf(useLocation().search));
  return (
    <>
      <Heading>{t("Recharge Wallet")}</Heading>
      <section className="card card-narrow">
        <dl className="balance">
          <dt>{t("Current Balance")}</dt>
          <dd>{balance === undefined ? "–" : rupees(balance)}</dd>
        </dl>
        <LoadFailed resource={recharge} />
        {purpose.next !== "" && (
          <InfoBox>
            <p>
              {purpose.short !== null && (
                <strong>{t(`Short by ${rupees(purpose.short)}. `)}</strong>
              )}
              {t("After the payment you come back to where you were.")}
            </p>
          </InfoBox>
        )}
        <RechargeForm data={data} purpose={purpose} />
      </section>
      {data !== null && data.pending.length > 0 && <PendingPayments payments={data.pending} />}
    </>
  );
}

/** Balance, limits and pending payments; the header's balance follows. */
function useRechargeData(sent: RechargeData | null) {
  const api = useApi();
  const { user, setUser } = useSession();
  return useResource<RechargeData>({
    key: "recharge",
    initial: sent,
    fallback: messages.balanceFailed,
    load: async (signal) => {
      const [{ balance }, pending] = await Promise.all([
        api.balance(signal),
        api.pendingPayments(signal),
      ]);
      if (user !== null) setUser({ ...user, balance });
      return { balance, minimum: RECHARGE_MIN, pending: pending.results, form: null };
    },
  });
}

type FormProps = { data: RechargeData | null; purpose: Purpose };

function RechargeForm({ data, purpose }: FormProps) {
  const t = useWords();
  const minimum = data?.minimum ?? RECHARGE_MIN;
  const hydrated = useHydrated();
  const initial = data?.form?.values["amount"] ?? purpose.amount;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(initial);
  const [chosen, setChosen] = useState<number | null>(null);
  useEffect(() => {
    // Typed before JavaScript arrived: the field is right, our copy of it is not.
    const early = input.current?.value ?? "";
    if (early !== initial) queueMicrotask(() => setTyped(early));
  }, [initial]);
  const choose = (preset: number) => {
    if (input.current !== null) input.current.value = String(preset);
    setTyped(String(preset));
    setChosen(preset);
  };
  const type = (event: ChangeEvent<HTMLInputElement>) => {
    const digits = event.currentTarget.value.replace(/\D/g, "");
    if (digits !== event.currentTarget.value) event.currentTarget.value = digits;
    setTyped(digits);
    setChosen(null);
  };
  const payment = usePayment(data, minimum, purpose.next);
  const rupeesTyped = Number(typed);
  const tooSmall = typed === "" || rupeesTyped < minimum;
  return (
    <form
      className="form"
      method="post"
      action="/recharge"
      onSubmit={(event) => payment.submit(event, rupeesTyped)}
    >
      <input type="hidden" name="next" value={purpose.next} />
      {payment.error !== "" && <ErrorBox>{t(payment.error)}</ErrorBox>}
      <Presets chosen={chosen} enabled={hydrated} onChoose={choose} />
      <Field
        form="recharge"
        name="amount"
        label="Or enter an amount (₹)"
        hint={`At least ${rupeesShort(minimum)}, whole rupees`}
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="off"
        maxLength={7}
        required
        ref={input}
        defaultValue={initial}
        onChange={type}
        error={errorOf(payment.errors, "amount")}
      />
      <fieldset className="choice">
        <legend>{t("Payment method")}</legend>
        <label>
          <input type="radio" name="method" value="phonepe" defaultChecked />
          <span>{t("PhonePe: UPI, cards, net banking")}</span>
        </label>
      </fieldset>
      <Button
        kind="primary"
        type="submit"
        busy={payment.busy}
        // Without JavaScript the server checks the amount instead.
        disabled={hydrated && tooSmall}
        wide
      >
        {t(payment.busy ? "Processing..." : `Recharge ${rupeesShort(rupeesTyped || 0)}`)}
      </Button>
    </form>
  );
}

type PresetsProps = {
  chosen: number | null;
  /** false before JavaScript runs: the buttons fill the field, which only it can do. */
  enabled: boolean;
  onChoose: (preset: number) => void;
};

function Presets({ chosen, enabled, onChoose }: PresetsProps) {
  const t = useWords();
  return (
    <fieldset className="presets">
      <legend>{t("Choose an amount")}</legend>
      {RECHARGE_PRESETS.map((preset) => (
        <button
          key={preset}
          type="button"
          className="preset"
          disabled={!enabled}
          aria-pressed={chosen === preset}
          onClick={() => onChoose(preset)}
        >
          {rupeesShort(preset)}
        </button>
      ))}
    </fieldset>
  );
}

function usePayment(data: RechargeData | null, minimum: number, next: string) {
  const api = useApi();
  const { showAlert, clearAlert } = useAlerts();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(data?.form?.message ?? "");
  const [errors, setErrors] = useState<FieldError[]>(data?.form?.errors ?? []);

  const fail = (text: string) => {
    setBusy(false);
    setError(text);
    showAlert("error", text);
  };
  const submit = (event: FormEvent, amount: number) => {
    event.preventDefault();
    setErrors([]);
    setError("");
    if (!(amount >= minimum)) {
      showAlert("error", messages.rechargeMinimum);
      return;
    }
    clearAlert();
    setBusy(true);
    api.createPayment(amount, next).then(
      ({ success, message, payment_data }) => {
        if (!success) {
          fail(message || messages.orderFailed);
          return;
        }
        rememberPayment({ ...payment_data, amount: String(amount) });
        // Stay busy: the page is about to leave for the provider.
        window.location.assign(payment_data.redirect_url);
      },
      (cause: unknown) => {
        setErrors(cause instanceof ApiError ? cause.errors : []);
        fail(sentence(cause, messages.paymentStartFailed));
      },
    );
  };
  return { busy, error, errors, submit };
}
