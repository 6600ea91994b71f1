import { useApi } from "../lib/api";
import { rupees } from "../lib/format";
import { RECHARGE_MIN } from "../lib/limits";
import { messages } from "../lib/messages";
import { usePlace } from "../lib/place";
import { queryOf } from "../lib/query";
import { useSession } from "../lib/session";
import { useResource } from "../lib/use-resource";
import { InfoBox } from "../parts/feedback";
import { Heading } from "../parts/heading";
import { LoadFailed } from "../parts/load-failed";
import { PendingPayments } from "../wallet/pending-payments";
import { RechargeForm } from "../wallet/recharge-form";
import { purposeOf } from "../wallet/top-up";
import type { RechargeData } from "../wire";
import { useWords } from "../words/words";

export default function Recharge({ data: sent }: { data: RechargeData | null }) {
  const t = useWords();
  const recharge = useRechargeData(sent);
  const { data } = recharge;
  const { user } = useSession();
  const balance = data?.balance ?? user?.balance;
  const purpose = purposeOf(queryOf(usePlace().search));
  return (
    <>
      <Heading>{t("Recharge Wallet")}</Heading>
      <section className="card card-narrow">
        <dl className="balance">
          <dt>{t("Current Balance")}</dt>
          <dd>{balance === undefined ? "–" : rupees(balance)}</dd>
        </dl>
        <LoadFailed resource={recharge} />
        {purpose.next !== "" && (
          <InfoBox>
            <p>
              {purpose.short !== null && (
                <strong>{t(`Short by ${rupees(purpose.short)}. `)}</strong>
              )}
              {t("After the payment you come back to where you were.")}
            </p>
          </InfoBox>
        )}
        <RechargeForm data={data} purpose={purpose} />
      </section>
      {data !== null && data.pending.length > 0 && <PendingPayments payments={data.pending} />}
      {data !== null && data.weight_claims.all > 0 && <WeightsNote {...data.weight_claims} />}
    </>
  );
}

/** The way to what couriers say was heavier than booked. */
function WeightsNote({ open }: RechargeData["weight_claims"]) {
  const t = useWords();
  return (
    <section className="card card-narrow">
      <h2>{t("Weight differences")}</h2>
      <p>
        {open > 0 && <strong>{t(`Waiting for your answer: ${open}.`)} </strong>}
        {t("Couriers say that something was heavier than booked.")}
      </p>
      <a className="button" href="/wallet/weight-differences">
        {t("See weight differences")}
      </a>
    </section>
  );
}

/** Balance, limits, pending payments and weights; the header's balance follows. */
function useRechargeData(sent: RechargeData | null) {
  const api = useApi();
  const { user, setUser } = useSession();
  return useResource<RechargeData>({
    key: "recharge",
    initial: sent,
    fallback: messages.balanceFailed,
    load: async (signal) => {
      const [{ balance }, pending, { results }] = await Promise.all([
        api.balance(signal),
        api.pendingPayments(signal),
        api.weightClaims(signal),
      ]);
      if (user !== null) setUser({ ...user, balance });
      const open = results.filter(({ state }) => state === "open").length;
      const weight_claims = { all: results.length, open };
      return {
        balance,
        minimum: RECHARGE_MIN,
        pending: pending.results,
        weight_claims,
        form: null,
      };
    },
  });
}
