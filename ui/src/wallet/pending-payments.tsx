import { useEffect, useEffectEvent, useState } from "react";
import { useApi } from "../lib/api";
import { useCurrentPage } from "../lib/current-page";
import { dateTime, rupees, rupeesShort } from "../lib/format";
import { PENDING_LIST_RECHECK_MS } from "../lib/limits";
import { listen } from "../lib/listen";
import { Card } from "../parts/heading";
import type { PendingPayment, RechargeData } from "../wire";
import { useWords } from "../words/words";
import { nextPaymentEvents, PaymentActions, ReceiptLink } from "./payment-state";

/** Payments the gateway has not decided: what happens next with each, and what can be done. */
export function PendingPayments({ payments }: { payments: readonly PendingPayment[] }) {
  const t = useWords();
  useRecheck(payments[0]?.merchant_order_id ?? "");
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

/**
 * Loads the page again and again while it can be seen, less often as time goes by. The gateway is
 * asked once, about the newest payment: the server asks it by itself.
 */
function useRecheck(newest: string) {
  const api = useApi();
  const { reload } = useCurrentPage();
  const [turn, setTurn] = useState(0);
  const ask = useEffectEvent(async () => {
    if (turn === 0) await api.verifyPayment(newest).catch(() => undefined);
  });
  useEffect(() => {
    let isMounted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () =>
      void ask().then(() => {
        if (!isMounted) return;
        setTurn(turn + 1);
        reload();
      });
    const wait = () => {
      clearTimeout(timer);
      if (document.visibilityState !== "visible") return;
      timer = setTimeout(look, PENDING_LIST_RECHECK_MS[turn] ?? PENDING_LIST_RECHECK_MS.at(-1));
    };
    wait();
    const stop = listen(document, { visibilitychange: wait });
    return () => {
      isMounted = false;
      clearTimeout(timer);
      stop();
    };
  }, [reload, turn]);
}

/** Payments that arrived a moment ago, and those that ended otherwise while the page is open. */
export function EndedPayments({ pending, arrived }: Pick<RechargeData, "pending" | "arrived">) {
  const t = useWords();
  const [atFirst] = useState(pending);
  const known = new Set([...pending, ...arrived].map(({ merchant_order_id }) => merchant_order_id));
  const ended = atFirst.filter(({ merchant_order_id }) => !known.has(merchant_order_id));
  return (
    <>
      {arrived.map(({ merchant_order_id: order, amount }) => (
        <p className="payment-line" key={order}>
          <strong>{t("{amount} arrived", { amount: rupeesShort(amount) })}</strong>
          <ReceiptLink order={order} />
        </p>
      ))}
      {ended.map(({ merchant_order_id: order, amount }) => (
        <p className="payment-line" key={order}>
          {t("The payment of {amount} has ended.", { amount: rupeesShort(amount) })}
          <a href={`/recharge/callback?merchantTransactionId=${encodeURIComponent(order)}`}>
            {t("See how it ended")}
          </a>
        </p>
      ))}
    </>
  );
}
