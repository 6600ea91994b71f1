import { rupees } from "../lib/format";
import { PageCard } from "../parts/heading";
import { Facts } from "../parts/facts";
import { screenAt } from "../screens";
import { useOutcome, type PaymentOutcome } from "../wallet/payment-outcome";
import { Failed, Processing, ReceiptLink } from "../wallet/payment-state";
import type { PaymentPageData } from "../wire";
import { useWords } from "../words/words";

export default function RechargeCallback({ data }: { data: PaymentPageData | null }) {
  const { order, outcome } = useOutcome(data);
  if (outcome.kind === "done") return <PaymentDone {...outcome} />;
  if (outcome.kind === "failed") return <Failed order={order} {...outcome} />;
  return <Processing order={order} result={outcome.result} />;
}

function PaymentDone({ amount, next, result }: Extract<PaymentOutcome, { kind: "done" }>) {
  const t = useWords();
  return (
    <PageCard title="Payment Successful!" className="card card-narrow centred" aria-live="polite">
      <Facts items={[{ label: "Amount Added", value: rupees(amount) }]} />
      {result.merchant_order_id && (
        <p>
          <ReceiptLink order={result.merchant_order_id} />
        </p>
      )}
      <p>{t("Redirecting to {place}...", { place: t(placeName(next)) })}</p>
      <p>
        <a href={next} data-replace>
          {t("Go there now")}
        </a>
      </p>
    </PageCard>
  );
}

/** Where an address of ours leads, in words. */
function placeName(path: string): string {
  const { screen } = screenAt(path.split("?")[0] ?? "");
  if (screen === "recharge") return "recharge page";
  return screen === "courier" ? "your booking" : "where you were";
}
