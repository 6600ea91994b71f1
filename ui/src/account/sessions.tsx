import { useRef, useState, type FormEvent } from "react";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { sentence } from "../lib/api-error";
import { dateTime } from "../lib/format";
import { messages } from "../lib/messages";
import type { Resource } from "../lib/use-resource";
import { Button } from "../parts/button";
import { ErrorBox } from "../parts/feedback";
import { LoadFailed } from "../parts/load-failed";
import { Skeleton } from "../parts/skeleton";
import type { LoggedInAt } from "../wire";
import { useWords } from "../words/words";

/** Where the customer is logged in, this browser first, with a button to end each session. */
export function Sessions({ sessions }: { sessions: Resource<LoggedInAt[]> }) {
  const t = useWords();
  const { data, error, reload } = sessions;
  const heading = useRef<HTMLHeadingElement>(null);
  const { ending, failure, end } = useEnding(() => {
    // The button that was pressed goes with its session: reading goes on at the list's heading.
    heading.current?.focus();
    reload();
  });
  const others = (data ?? []).filter((at) => !at.current);
  return (
    <section className="card">
      <h2 tabIndex={-1} ref={heading}>
        {t("Where you are logged in")}
      </h2>
      <LoadFailed resource={sessions} />
      {failure !== "" && <ErrorBox>{t(failure)}</ErrorBox>}
      {data === null && error === null && <Skeleton lines={4} label="Loading" />}
      <ul className="rows">
        {(data ?? []).map((at) => (
          <li key={at.id}>
            <p>
              <strong>{t(at.device === "" ? "Unknown device" : at.device)}</strong>{" "}
              {at.current && <span className="badge badge-green">{t("This device")}</span>}
            </p>
            <p className="quiet">
              {t(`Since ${dateTime(at.created_at)}, last used ${dateTime(at.last_seen_at)}`)}
            </p>
            {!at.current && (
              <form
                method="post"
                action={`/account/sessions/${at.id}/end`}
                onSubmit={(event) => end(event, at.id)}
              >
                <Button type="submit" busy={ending === at.id}>
                  {t("Log out")}
                  <span className="visually-hidden">{` ${at.device}`}</span>
                </Button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <form
          method="post"
          action="/account/sessions/end-others"
          onSubmit={(event) => end(event, OTHERS)}
        >
          <Button type="submit" busy={ending === OTHERS}>
            {t("Log out everywhere else")}
          </Button>
        </form>
      )}
      <p className="quiet">{t("Is one of these not you? Log it out and change your password.")}</p>
    </section>
  );
}

const OTHERS = "others";

function useEnding(onEnded: () => void) {
  const api = useApi();
  const { showAlert } = useAlerts();
  const [ending, setEnding] = useState("");
  const [failure, setFailure] = useState("");
  const end = (event: FormEvent, which: string) => {
    event.preventDefault();
    setEnding(which);
    setFailure("");
    const ended = which === OTHERS ? api.endOtherSessions() : api.endSession(which);
    ended
      .then(
        ({ message }) => showAlert("success", message),
        (error: unknown) => setFailure(sentence(error, messages.unexpected)),
      )
      .finally(() => {
        setEnding("");
        onEnded();
      });
  };
  return { ending, failure, end };
}
