import { useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { fetchLaterSteps } from "../booking/lazy-steps";
import { startFlow } from "../booking/draft-flow";
import { stepOfEntry } from "../booking/use-step-history";
import { WaitingDraftChoice } from "../booking/waiting-draft";
import { Wizard } from "../booking/wizard";
import { useApi } from "../lib/api";
import { useCurrentPage } from "../lib/current-page";
import { messages } from "../lib/messages";
import { useResource } from "../lib/use-resource";
import type { CourierData, Preset } from "../wire";

/** The wizard with the draft that the customer has begun, with an earlier booking, or empty. */
export default function Courier({ data }: { data: CourierData }) {
  const again = useBookAgainId();
  const api = useApi();
  const { reload } = useCurrentPage();
  const { draft, priced, countries, pickups, earlier, otp, form } = data;
  // If the address book does not load again, the form still works.
  const presets = useResource<Preset[]>({
    pageData: data.presets,
    fallback: messages.presetsFailed,
    load: async (signal) => (await api.presets(signal)).results,
  });
  if (data.waiting != null) return <WaitingDraftChoice waiting={data.waiting} />;
  return (
    <Wizard
      key={`${again} ${draft.revision} ${draft.pending}`}
      storedDraft={draft}
      priced={priced ?? null}
      earlier={earlier ?? null}
      otp={otp ?? null}
      refused={form ?? null}
      again={again}
      presets={presets.data ?? []}
      onPresets={presets.reload}
      countries={countries}
      pickups={pickups}
      reload={reload}
    />
  );
}

Courier.fetch = async (data: CourierData | null) => {
  if (data !== null && startFlow(data.draft, data.priced).step !== "rate") await fetchLaterSteps();
};

/**
 * The earlier booking to begin with. The wizard's own entries of the history do not name it: they
 * go on with what was begun.
 */
function useBookAgainId(): string {
  const { state } = useLocation();
  const idInQuery = useSearchParams()[0].get("again") ?? "";
  const [again, setAgain] = useState(idInQuery);
  if (again === idInQuery || stepOfEntry(state) !== null) return again;
  setAgain(idInQuery);
  return idInQuery;
}
