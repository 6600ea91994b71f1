import { useState } from "react";
import { useCurrentPage } from "../lib/current-page";
import { Empty, ErrorBox } from "../parts/feedback";
import { Heading } from "../parts/heading";
import { WeightClaim } from "../wallet/weight-claim";
import type { WeightDifferencesData } from "../wire";
import { useWords } from "../words/words";

/** Couriers' claims that parcels were heavier than booked, each to accept or to dispute. */
export default function WeightDifferences({ data }: { data: WeightDifferencesData }) {
  const t = useWords();
  const { reload } = useCurrentPage();
  const { claims, form: refused } = data;
  // A refusal stands at its claim, where that still waits for an answer.
  const [stray] = useState(() => {
    const id = refused?.values["claim"];
    const isHere = claims.some((claim) => claim.id === id && claim.state === "open");
    return isHere ? "" : (refused?.message ?? "");
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
      {claims.length === 0 && (
        <section className="card card-narrow">
          <Empty title="No weight differences" />
        </section>
      )}
      {claims.map((claim) => (
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
