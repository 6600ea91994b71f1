import { dateTime, rupees, rupeesShort } from "../lib/format";
import { searchOf } from "../lib/query";
import { ButtonLink, SubmitButton } from "../parts/button";
import { Facts } from "../parts/facts";
import { Spinner } from "../parts/spinner";
import { Heading, PageCard } from "../parts/heading";
import type { PendingPayment, VerifyResult } from "../wire";
import { useWords, type UiText } from "../words/words";

type Props = { order: string | null; result: VerifyResult | null };

/** A payment that the gateway has not decided: what it is, what happens next, what can be done. */
export function Processing({ order, result }: Props) {
  const t = useWords();
  const payment = knownPayment(result);
  return (
    <section className="card card-narrow centred" aria-live="polite">
      {payment === null && <Spinner />}
      <Heading>{t("Processing Payment")}</Heading>
      <p>
        {t("Please wait while we check your payment with the provider. This can take a minute.")}
      </p>
      {payment !== null && (
        <>
          <PaymentFacts payment={payment} />
          <p>{t(nextPaymentEvents(payment))}</p>
          <p>{t("You may leave this page. We keep checking and will update the recharge page.")}</p>
          <PaymentActions payment={payment} />
        </>
      )}
      {payment === null && <CheckAgain order={order} label="Check now" />}
    </section>
  );
}

/** A payment that was not made, or that is not the customer's. */
export function Failed({ order, result, text }: Props & { text: UiText }) {
  const t = useWords();
  const payment = knownPayment(result);
  return (
    <PageCard title="Payment Failed" className="card card-narrow centred" aria-live="polite">
      <p role="alert">{t(text)}</p>
      {payment !== null && (
        <>
          <PaymentFacts payment={payment} />
          <p>{t("Nothing was added to your wallet.")}</p>
        </>
      )}
      <div className="actions">
        {payment !== null && <TryAgain payment={payment} next={result?.next ?? ""} />}
        <CheckAgain order={order} label="Retry" />
        <ButtonLink href="/recharge" label="Go to recharge" />
        <ButtonLink href="/dashboard" label="Go Home" />
      </div>
    </PageCard>
  );
}

export function ReceiptLink({ order }: { order: string }) {
  const t = useWords();
  return (
    <a href={`/recharge/receipt/${encodeURIComponent(order)}.pdf`} download>
      {t("Download receipt (PDF)")}
    </a>
  );
}

/** Null when the server does not know the payment. */
function knownPayment(result: VerifyResult | null): PendingPayment | null {
  if (result === null || typeof result.created_at !== "number") return null;
  const { created_at, expires_at } = result;
  return { ...result, created_at, expires_at: expires_at ?? created_at };
}

function PaymentFacts({ payment }: { payment: PendingPayment }) {
  const t = useWords();
  return (
    <Facts
      items={[
        { label: "Amount", value: rupees(payment.amount) },
        { label: "Reference", value: <small>{payment.merchant_order_id}</small> },
        { label: "Started", value: t(dateTime(payment.created_at)) },
      ]}
    />
  );
}

/** Going on paying while that is possible, asking again, and putting it away. */
export function PaymentActions({ payment }: { payment: PendingPayment }) {
  return (
    <div className="actions">
      {payment.continue_url !== null && (
        // Its own document, as it may load the gateway's script.
        <ButtonLink
          kind="primary"
          href={payment.continue_url}
          target="_self"
          label="Continue payment"
        />
      )}
      <CheckAgain order={payment.merchant_order_id} label="Check now" />
      <form method="post" action="/recharge/dismiss">
        <input type="hidden" name="merchant_order_id" value={payment.merchant_order_id} />
        <SubmitButton label="Remove from list" />
      </form>
    </div>
  );
}

/** The next events of a pending payment, and until when it can be paid. */
export function nextPaymentEvents(payment: PendingPayment): UiText {
  if (payment.continue_url === null) {
    return (
      "The time to pay is over. If your bank took the money, it comes to your wallet by itself " +
      "as soon as PhonePe confirms it. If not, nothing was taken."
    );
  }
  return {
    text:
      "You can pay until {when}. If you have paid already, the money comes to your wallet by " +
      "itself, usually within minutes.",
    values: { when: dateTime(payment.expires_at) },
  };
}

/** To the recharge with the same amount, and from there to where the first one led. */
function TryAgain({ payment, next }: { payment: PendingPayment; next: string }) {
  return (
    <ButtonLink
      kind="primary"
      href={`/recharge${searchOf({ amount: String(payment.amount), next })}`}
      label={{ text: "Try again with {amount}", values: { amount: rupeesShort(payment.amount) } }}
    />
  );
}

type AgainProps = { order: string | null; label: string };

/** Loads the page anew, with or without JavaScript: the server verifies before it answers. */
function CheckAgain({ order, label }: AgainProps) {
  return (
    <form method="get" action="/recharge/callback">
      {order !== null && <input type="hidden" name="merchantTransactionId" value={order} />}
      <SubmitButton label={label} />
    </form>
  );
}
