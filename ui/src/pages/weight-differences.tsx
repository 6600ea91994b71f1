import { useState } from "react";
import { useApi } from "../lib/api";
import { messages } from "../lib/messages";
import { useSession } from "../lib/session";
import { useResource } from "../lib/use-resource";
import { Empty, ErrorBox } from "../parts/feedback";
import { Heading } from "../parts/heading";
import { LoadFailed } from "../parts/load-failed";
import { Skeleton } from "../parts/skeleton";
import { WeightClaim } from "../wallet/weight-claim";
import type { WeightClaimShown, WeightDifferencesData } from "../wire";
import { useWords } from "../words/words";

/** What couriers say was heavier than booked, each to accept or to dispute. */
export default function WeightDifferences({ data: sent }: { data: WeightDifferencesData | null }) {
  const t = useWords();
  const claims = useClaims(sent);
  const { data, error, reload } = claims;
  const refused = sent?.form ?? null;
  // A refusal stands at its claim, where that still waits for an answer.
  const [stray] = useState(() => {
    const id = refused?.values["claim"];
    const isHere = sent?.claims.some((claim) => claim.id === id && claim.state === "open");
    return isHere === true ? "" : (refused?.message ?? "");
  });
  return (
    <>
      <Heading>{t("Weight differences")}</Heading>
      <p>
        {t(
          "Couriers weigh what they carry. Here they say that something was heavier than booked. " +
            "Nothing is taken before you accept it or we have decided.",
        )}
      </p>
      {stray !== "" && <ErrorBox>{t(stray)}</ErrorBox>}
      <LoadFailed resource={claims} />
      {data === null && error === null && <Skeleton lines={6} label="Loading" />}
      {data?.length === 0 && (
        <section className="card card-narrow">
          <Empty title="No weight differences" />
        </section>
      )}
      {(data ?? []).map((claim) => (
        <WeightClaim
          key={claim.id}
          claim={claim}
          refused={refused?.values["claim"] === claim.id ? refused : null}
          onAnswered={reload}
        />
      ))}
    </>
  );
}

/** The customer's claims; the header's balance follows. */
function useClaims(sent: WeightDifferencesData | null) {
  const api = useApi();
  const { user, setUser } = useSession();
  return useResource<WeightClaimShown[]>({
    key: "weight-differences",
    initial: sent?.claims ?? null,
    fallback: messages.unexpected,
    load: async (signal) => {
      const [{ results }, { balance }] = await Promise.all([
        api.weightClaims(signal),
        api.balance(signal),
      ]);
      if (user !== null) setUser({ ...user, balance });
      return results;
    },
  });
}
