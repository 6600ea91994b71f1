import { useEffect, useEffectEvent, useState } from "react";
import { useLocation } from "react-router";
import { useApi } from "../lib/api";
import { dateTime, NOT_AVAILABLE, orNotAvailable, rupeesOrNotAvailable } from "../lib/format";
import { useHydrated } from "../lib/hooks";
import { queryOf } from "../lib/query";
import { useSession } from "../lib/session";
import { Facts } from "../parts/facts";
import { Heading } from "../parts/heading";
import { forgetPayment, rememberedReceipt } from "../wallet/payment-storage";
import type { Receipt, RechargeSuccessData } from "../wire";
import { useWords } from "../words/words";

export default function RechargeSuccess({ data }: { data: RechargeSuccessData | null }) {
  const t = useWords();
  const receipt = useReceipt(data);
  useFreshBalance();
  return (
    <section className="card card-narrow">
      <Heading>{t("Recharge Successful!")}</Heading>
      <Facts
        items={[
          { label: "Amount", value: rupeesOrNotAvailable(receipt.amount) },
          { label: "Transaction ID", value: orNotAvailable(receipt.merchant_order_id) },
          {
            label: "Date & Time",
            value: t(
              receipt.completed_at === null ? NOT_AVAILABLE : dateTime(receipt.completed_at),
            ),
          },
          { label: "Payment Method", value: t(orNotAvailable(receipt.method)) },
        ]}
      />
      {data?.receipt != null && (
        <p>
          <a href={receiptHref(data.receipt.merchant_order_id)} download>
            {t("Download receipt (PDF)")}
          </a>
        </p>
      )}
      <div className="actions">
        <a className="button button-primary" href="/dashboard?tab=transactions">
          {t("View Wallet")}
        </a>
        <a className="button" href="/recharge">
          {t("Recharge Again")}
        </a>
        <a className="button" href="/dashboard">
          {t("Go to Dashboard")}
        </a>
      </div>
    </section>
  );
}

function receiptHref(merchant_order_id: string): string {
  return `/recharge/receipt/${encodeURIComponent(merchant_order_id)}.pdf`;
}

type Shown = { [Name in Exclude<keyof Receipt, "transaction_id">]: Receipt[Name] | null };

/** What the server knows, else what the address says, else what this browser remembered. */
function useReceipt(data: RechargeSuccessData | null): Shown {
  const query = queryOf(useLocation().search);
  const hydrated = useHydrated();
  const [first] = useState(rememberedReceipt);
  const remembered = hydrated ? first : { transaction_id: null, amount: null };
  const amount = Number(query["amount"] ?? remembered.amount ?? NaN);
  if (data?.receipt != null) return data.receipt;
  return {
    merchant_order_id: query["merchantTransactionId"] ?? remembered.transaction_id,
    amount: Number.isFinite(amount) ? amount : null,
    completed_at: null,
    method: null,
  };
}

/** The header's balance is from before the payment; what the browser remembered is used up. */
function useFreshBalance() {
  const api = useApi();
  const { user, setUser } = useSession();
  const refresh = useEffectEvent(() => {
    api.balance().then(
      ({ balance }) => user !== null && setUser({ ...user, balance }),
      () => undefined,
    );
    forgetPayment();
  });
  useEffect(() => {
    refresh();
  }, []);
}
