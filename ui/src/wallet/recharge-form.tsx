import { useRef, useState } from "react";
import { useApi } from "../lib/api";
import { ApiError } from "../lib/api-error";
import { useForm } from "../lib/form";
import { rupeesShort } from "../lib/format";
import { useEarlyInput, useHydrated } from "../lib/hooks";
import { RECHARGE_AMOUNTS } from "../lib/limits";
import { messages } from "../lib/messages";
import { preventDefault } from "../lib/prevent-default";
import { OwnerInput } from "../lib/session";
import { SubmitButton } from "../parts/button";
import { Field, Form, HiddenInputs } from "../parts/field";
import type { RechargeData } from "../wire";
import { useWords } from "../words/words";
import { rememberPayment } from "./payment-storage";
import { amountProblem, wholeRupees } from "./recharge-amount";
import type { TopUpPurpose } from "./top-up";

type Props = { data: RechargeData; purpose: TopUpPurpose };

/** An amount to choose or to type, and the way to the gateway. */
export function RechargeForm({ data, purpose }: Props) {
  const t = useWords();
  const { minimum } = data;
  const hydrated = useHydrated();
  const { values, form, submitting } = usePayment(data, purpose.next);
  const initial = values["amount"] ?? purpose.amount;
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(initial);
  /** The field was left: nobody goes on typing. */
  const [left, setLeft] = useState(false);
  useEarlyInput(() => setText(input.current?.value ?? ""));
  const choose = (amount: number) => {
    if (input.current !== null) input.current.value = String(amount);
    setText(String(amount));
    setLeft(false);
  };
  const amount = wholeRupees(text);
  return (
    <Form idPrefix="recharge" action="/recharge" {...form}>
      <OwnerInput />
      <input type="hidden" name="next" value={purpose.next} />
      <AmountButtons chosenAmount={amount} onChoose={choose} />
      <Field
        name="amount"
        label="Or enter an amount (₹)"
        hint={{
          text: "At least {amount}, whole rupees",
          values: { amount: rupeesShort(minimum) },
        }}
        inputMode="numeric"
        autoComplete="off"
        required
        ref={input}
        defaultValue={initial}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setLeft(false);
        }}
        onBlur={() => setLeft(true)}
        // An amount that grows is too little until it is typed.
        error={
          amount === null || (left && text.trim() !== "")
            ? amountProblem(amount, minimum)
            : undefined
        }
      />
      <fieldset className="radio-choices">
        <legend>{t("Payment method")}</legend>
        <label>
          <input type="radio" name="method" value="phonepe" defaultChecked />
          <span>{t("PhonePe: UPI, cards, net banking")}</span>
        </label>
      </fieldset>
      <SubmitButton
        kind="primary"
        busy={submitting}
        // Without JavaScript the server checks the amount instead.
        disabled={hydrated && (amount === null || amount < minimum)}
        wide
        label={
          submitting
            ? "Processing..."
            : amount
              ? { text: "Recharge {amount}", values: { amount: rupeesShort(amount) } }
              : "Recharge"
        }
      />
    </Form>
  );
}

type AmountsProps = { chosenAmount: number | null; onChoose: (amount: number) => void };

/** Amounts to choose from. Without JavaScript each asks for this page with itself filled in. */
function AmountButtons({ chosenAmount, onChoose }: AmountsProps) {
  const t = useWords();
  return (
    <fieldset className="amounts">
      <legend>{t("Choose an amount")}</legend>
      {RECHARGE_AMOUNTS.map((amount) => (
        <button
          key={amount}
          type="submit"
          form={AMOUNTS}
          name="amount"
          value={amount}
          className="amount"
          translate="no"
          aria-pressed={chosenAmount === amount}
          onClick={preventDefault(() => onChoose(amount))}
        >
          {rupeesShort(amount)}
        </button>
      ))}
    </fieldset>
  );
}

/** The form of the amounts, with what the recharge is for. It stands beside the recharge's own. */
export function AmountsForm({ purpose: { next, short } }: { purpose: TopUpPurpose }) {
  return (
    <form id={AMOUNTS} method="get" action="/recharge" hidden>
      <HiddenInputs values={{ next: next === "" ? null : next, short }} />
    </form>
  );
}

const AMOUNTS = "amounts";

const ORDER_FAILED = "Failed to create payment order";

/** Starts a payment and leaves for the gateway. */
function usePayment(data: RechargeData, next: string) {
  const api = useApi();
  return useForm({
    refused: data.form,
    tellIn: "both",
    check: ({ amount = "" }) => {
      const message = amountProblem(wholeRupees(amount), data.minimum);
      return message === undefined ? [] : [{ path: "amount", message }];
    },
    send: async ({ amount = "" }) => {
      const rupees = wholeRupees(amount) ?? 0;
      const { success, message, payment_data } = await api.createPayment(rupees, next);
      if (!success || !payment_data?.redirect_url) throw new ApiError(message || ORDER_FAILED, 200);
      return payment_data;
    },
    throughLogin: true,
    leaves: true,
    onSent: (payment, { amount = "" }) => {
      rememberPayment({ ...payment, amount: String(wholeRupees(amount) ?? 0) });
      window.location.assign(payment.redirect_url);
    },
    fallback: messages.paymentStartFailed,
  });
}
