import { useState } from "react";
import { fetchLaterSteps } from "../booking/fetched-steps";
import { startFlow } from "../booking/kept";
import { whenSent } from "../booking/saver";
import { stepIn } from "../booking/use-step-history";
import { Wizard } from "../booking/wizard";
import { useApi } from "../lib/api";
import { messages } from "../lib/messages";
import { usePlace } from "../lib/place";
import { queryOf } from "../lib/query";
import { useResource } from "../lib/use-resource";
import { Heading } from "../parts/heading";
import { LoadFailed } from "../parts/load-failed";
import { Skeleton } from "../parts/skeleton";
import type { CourierData, KeptDraft, Preset } from "../wire";
import { useWords } from "../words/words";

/** The wizard with the draft that the customer has begun, with an earlier booking, or empty. */
export default function Courier({ data }: { data: CourierData | null }) {
  const t = useWords();
  const api = useApi();
  const again = useAgain();
  const draft = useResource<KeptDraft>({
    key: `draft ${again}`,
    initial: data?.draft ?? null,
    fallback: messages.draftFailed,
    load: async (signal) => {
      await whenSent();
      return api.draft(again, signal);
    },
  });
  // If the address book does not load, the form still works.
  const presets = useResource<Preset[]>({
    key: "presets",
    initial: data?.presets ?? null,
    fallback: messages.presetsFailed,
    load: async (signal) => (await api.presets(signal)).results,
  });
  const kept = draft.data;
  // New bookings begin with a saved sender.
  if (kept !== null && (presets.data !== null || presets.error !== null)) {
    return (
      <Wizard
        key={`${again} ${kept.revision} ${kept.pending}`}
        kept={kept}
        priced={data?.priced ?? null}
        again={again}
        presets={presets.data ?? []}
        onPresets={presets.reload}
        countries={data?.countries ?? null}
        reload={draft.reload}
      />
    );
  }
  return (
    <>
      <Heading>{t("New Courier Booking")}</Heading>
      <LoadFailed resource={draft} />
      {draft.error === null && <Skeleton lines={8} label="Loading your booking" />}
    </>
  );
}

Courier.fetch = async (data: CourierData | null) => {
  if (data !== null && startFlow(data.draft, data.priced).step !== "rate") await fetchLaterSteps();
};

/**
 * The earlier booking to begin with. The wizard's own entries of the history do not name it: they
 * go on with what was begun.
 */
function useAgain(): string {
  const { search, state } = usePlace();
  const named = queryOf(search)["again"] ?? "";
  const [again, setAgain] = useState(named);
  if (again === named || stepIn(state) !== null) return again;
  setAgain(named);
  return named;
}
