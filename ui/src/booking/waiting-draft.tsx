import { dateTime } from "../lib/format";
import { ButtonLink, SubmitButton } from "../parts/button";
import { PageCard } from "../parts/heading";
import type { WaitingDraft } from "../wire";
import { useWords, type UiText } from "../words/words";

/** A booking that was begun, in one sentence. */
export function waitingSentence({ receiver, saved_at }: WaitingDraft): UiText {
  const when = dateTime(saved_at);
  return receiver === ""
    ? { text: "Unfinished booking, {when}", values: { when } }
    : { text: "Unfinished booking to {receiver}, {when}", values: { receiver, when } };
}

/** Asks what becomes of a booking that was begun, before another one; plain links and forms. */
export function WaitingDraftChoice({ waiting }: { waiting: WaitingDraft }) {
  const t = useWords();
  return (
    <PageCard title="New booking">
      <p>{t(waitingSentence(waiting))}</p>
      <div className="actions">
        <ButtonLink kind="primary" href="/courier" label="Continue" />
        <form method="post" action="/courier/discard">
          <input type="hidden" name="revision" value={waiting.revision} />
          <SubmitButton label="Delete it and start new" />
        </form>
      </div>
    </PageCard>
  );
}
