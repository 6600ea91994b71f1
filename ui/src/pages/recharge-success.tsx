import { dateTime, orNotAvailable, rupees } from "../lib/format";
import { ButtonLink } from "../parts/button";
import { PageCard } from "../parts/heading";
import { Facts } from "../parts/facts";
import { useOutcome } from "../wallet/payment-outcome";
import { Failed, Processing, ReceiptLink } from "../wallet/payment-state";
import type { PaymentPageData, VerifyResult } from "../wire";
import { useWords } from "../words/words";

/**
 * The receipt of a recharge. Address and storage only say which payment is asked about; what became
 * of it the server alone says.
 */
export default function RechargeSuccess({ data }: { data: PaymentPageData | null }) {
  const { order, outcome } = useOutcome(data, true);
  if (outcome.kind === "done") return <Receipt payment={outcome.result} />;
  if (outcome.kind === "failed") {
    return outcome.missing === true ? <PaymentMissing /> : <Failed order={order} {...outcome} />;
  }
  return <Processing order={order} result={outcome.result} />;
}

function PaymentMissing() {
  const t = useWords();
  return (
    <PageCard title="Payment not found">
      <p>{t("There is no such payment in your account. Your wallet shows every recharge.")}</p>
      <div className="actions">
        <ButtonLink kind="primary" href="/dashboard?tab=transactions" label="View Wallet" />
        <ButtonLink href="/recharge" label="Go to recharge" />
      </div>
    </PageCard>
  );
}

function Receipt({ payment }: { payment: VerifyResult }) {
  const t = useWords();
  const { amount, merchant_order_id, completed_at, method } = payment;
  return (
    <PageCard title="Recharge Successful!">
      <Facts
        items={[
          { label: "Amount", value: rupees(amount) },
          { label: "Transaction ID", value: merchant_order_id },
          { label: "Date & Time", value: t(dateTime(completed_at)) },
          { label: "Payment Method", value: t(orNotAvailable(method)) },
        ]}
      />
      <p>
        <ReceiptLink order={merchant_order_id} />
      </p>
      <div className="actions">
        <ButtonLink kind="primary" href="/dashboard?tab=transactions" label="View Wallet" />
        <ButtonLink href="/recharge" label="Recharge Again" />
        <ButtonLink href="/dashboard" label="Go to Dashboard" />
      </div>
    </PageCard>
  );
}
