import { useSearchParams } from "react-router";
import { rupees } from "../lib/format";
import { ButtonLink } from "../parts/button";
import { InfoBox } from "../parts/feedback";
import { Card, Heading } from "../parts/heading";
import { Debt } from "../wallet/debt";
import { EndedPayments, PendingPayments } from "../wallet/pending-payments";
import { AmountsForm, RechargeForm } from "../wallet/recharge-form";
import { topUpPurpose } from "../wallet/top-up";
import type { RechargeData } from "../wire";
import { useWords } from "../words/words";

export default function Recharge({ data }: { data: RechargeData }) {
  const t = useWords();
  const purpose = topUpPurpose(useSearchParams()[0], data.owed ?? 0);
  return (
    <>
      <Heading>{t("Recharge Wallet")}</Heading>
      {data.pending.length > 0 && <PendingPayments payments={data.pending} />}
      <section className="card card-narrow">
        <div className="stack" role="status">
          <dl className="balance">
            <dt>{t("Current Balance")}</dt>
            <dd translate="no">{rupees(data.balance)}</dd>
          </dl>
          <EndedPayments {...data} />
        </div>
        <Debt owed={data.owed} />
        {purpose.next !== "" && (
          <InfoBox>
            <p>
              {purpose.short !== null && (
                <strong>{t("Short by {amount}. ", { amount: rupees(purpose.short) })}</strong>
              )}
              {t("After the payment you come back to where you were.")}
            </p>
          </InfoBox>
        )}
        <AmountsForm purpose={purpose} />
        <RechargeForm data={data} purpose={purpose} />
      </section>
      {data.weight_claims.all > 0 && <WeightsNote {...data.weight_claims} />}
    </>
  );
}

/** The way to what couriers say was heavier than booked. */
function WeightsNote({ open }: RechargeData["weight_claims"]) {
  const t = useWords();
  return (
    <Card title="Weight differences" narrow>
      <p>
        {open > 0 && <strong>{t("Waiting for your answer: {n}.", { n: open })} </strong>}
        {t("Couriers say that something was heavier than booked.")}
      </p>
      <ButtonLink href="/wallet/weight-differences" label="See weight differences" />
    </Card>
  );
}
