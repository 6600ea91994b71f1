import { useLocation } from "react-router";
import { rupees } from "../lib/format";
import { queryOf } from "../lib/query";
import { Button } from "../parts/button";
import { Facts } from "../parts/facts";
import { Spinner } from "../parts/feedback";
import { Heading } from "../parts/heading";
import { screenAt } from "../screens";
import { useOutcome } from "../wallet/payment-outcome";
import type { RechargeCallbackData } from "../wire";
import { useWords } from "../words/words";

export default function RechargeCallback({ data }: { data: RechargeCallbackData | null }) {
  const { search } = useLocation();
  const order = data?.merchant_order_id ?? queryOf(search)["merchantTransactionId"] ?? null;
  const outcome = useOutcome(order, data?.result ?? null);
  if (outcome.kind === "done") return <Done amount={outcome.amount} next={outcome.next} />;
  if (outcome.kind === "failed") return <Failed text={outcome.text} order={order} />;
  return <Processing order={order} />;
}

function Processing({ order }: { order: string | null }) {
  const t = useWords();
  return (
    <section className="card card-narrow centred" aria-live="polite">
      <Spinner />
      <Heading>{t("Processing Payment")}</Heading>
      <p>
        {t("Please wait while we check your payment with the provider. This can take a minute.")}
      </p>
      <Again order={order} label="Check now" />
    </section>
  );
}

function Done({ amount, next }: { amount: number; next: string }) {
  const t = useWords();
  return (
    <section className="card card-narrow centred" aria-live="polite">
      <Heading>{t("Payment Successful!")}</Heading>
      <Facts items={[{ label: "Amount Added", value: rupees(amount) }]} />
      <p>{t(`Redirecting to ${placeName(next)}...`)}</p>
      <p>
        <a href={next} data-replace>
          {t("Go there now")}
        </a>
      </p>
    </section>
  );
}

/** Where an address of ours leads, in words. */
function placeName(path: string): string {
  const { screen } = screenAt(path.split("?")[0] ?? "");
  if (screen === "recharge") return "recharge page";
  return screen === "courier" ? "your booking" : "where you were";
}

function Failed({ text, order }: { text: string; order: string | null }) {
  const t = useWords();
  return (
    <section className="card card-narrow centred" aria-live="polite">
      <Heading>{t("Payment Failed")}</Heading>
      <p role="alert">{t(text)}</p>
      <div className="actions">
        <Again order={order} label="Retry" primary />
        <a className="button" href="/dashboard">
          {t("Go Home")}
        </a>
      </div>
    </section>
  );
}

type AgainProps = { order: string | null; label: string; primary?: boolean };

/** Loads this page anew, with or without JavaScript: the server verifies before it answers. */
function Again({ order, label, primary = false }: AgainProps) {
  const t = useWords();
  return (
    <form method="get" action="/recharge/callback">
      {order !== null && <input type="hidden" name="merchantTransactionId" value={order} />}
      <Button type="submit" kind={primary ? "primary" : "plain"}>
        {t(label)}
      </Button>
    </form>
  );
}
