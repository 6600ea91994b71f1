import { dateTime, rupees } from "../lib/format";
import type { PendingPayment } from "../wire";
import { useWords } from "../words/words";

/** Payments the gateway has not decided: what happens next with each, and what can be done. */
export function PendingPayments({ payments }: { payments: readonly PendingPayment[] }) {
  const t = useWords();
  return (
    <section className="card card-narrow">
      <h2>{t("Payments still pending")}</h2>
      <ul className="rows">
        {payments.map((payment) => (
          <li key={payment.merchant_order_id}>
            <p>
              <strong className="numeric">{rupees(payment.amount)}</strong>{" "}
              <span className="quiet">{t(`started ${dateTime(payment.created_at)}`)}</span>
            </p>
            <p className="quiet">{t(whatNext(payment))}</p>
            <div className="actions">
              {payment.continue_url !== null && (
                // Its own document, as it may load the gateway's script.
                <a className="button" href={payment.continue_url} target="_self">
                  {t("Continue payment")}
                </a>
              )}
              <a className="button" href={callbackHref(payment.merchant_order_id)}>
                {t("Check now")}
              </a>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function whatNext(payment: PendingPayment): string {
  if (payment.continue_url === null) {
    return (
      "The time to pay is over. If your bank took the money, it comes to your wallet by itself " +
      "as soon as PhonePe confirms it. If not, nothing was taken."
    );
  }
  return (
    `You can pay until ${dateTime(payment.expires_at)}. If you have paid already, the money ` +
    "comes to your wallet by itself, usually within minutes."
  );
}

function callbackHref(merchant_order_id: string): string {
  return `/recharge/callback?merchantTransactionId=${encodeURIComponent(merchant_order_id)}`;
}
