import { dateTime, rupees } from "../lib/format";
import { Card } from "../parts/heading";
import type { PendingPayment } from "../wire";
import { useWords } from "../words/words";
import { PaymentActions, nextPaymentEvents } from "./payment-state";

/** Payments the gateway has not decided: what happens next with each, and what can be done. */
export function PendingPayments({ payments }: { payments: readonly PendingPayment[] }) {
  const t = useWords();
  return (
    <Card title="Payments still pending" narrow>
      <ul className="rows">
        {payments.map((payment) => (
          <li key={payment.merchant_order_id}>
            <p>
              <strong className="numeric">{rupees(payment.amount)}</strong>{" "}
              <span className="quiet">
                {t("started {when}", { when: dateTime(payment.created_at) })}
              </span>
            </p>
            <p className="quiet">{t("Reference: {id}", { id: payment.merchant_order_id })}</p>
            <p className="quiet">{t(nextPaymentEvents(payment))}</p>
            <PaymentActions payment={payment} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
