import { useRef, useState, type FormEvent } from "react";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { sentence } from "../lib/api-error";
import { useForm } from "../lib/form";
import { dateTime } from "../lib/format";
import { messages } from "../lib/messages";
import type { Resource } from "../lib/use-resource";
import { Button } from "../parts/button";
import { ErrorBox } from "../parts/feedback";
import { LoadFailed } from "../parts/load-failed";
import { Skeleton } from "../parts/skeleton";
import type { FormState, LoggedInAt } from "../wire";
import { useWords } from "../words/words";
import { ConfirmIdentity } from "./confirm-identity";

type Props = { sessions: Resource<LoggedInAt[]>; form: FormState | null };

/** Where the customer is logged in, this browser first, with a button to end each session. */
export function Sessions({ sessions, form }: Props) {
  const t = useWords();
  const { data, error, reload } = sessions;
  const heading = useRef<HTMLHeadingElement>(null);
  const ended = () => {
    // The button that was pressed goes with its session: reading goes on at the list's heading.
    heading.current?.focus();
    reload();
  };
  const { ending, failure, end } = useEnding(ended);
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
      {others.length > 0 && <EndOthers form={form} onEnded={ended} />}
      <p className="quiet">{t("Is one of these not you? Log it out and change your password.")}</p>
    </section>
  );
}

/** Ends all sessions but this one, of whoever knows the password. */
function EndOthers({ form, onEnded }: { form: FormState | null; onEnded: () => void }) {
  const t = useWords();
  const api = useApi();
  const { showAlert } = useAlerts();
  const { submitting, errors, message, submit } = useForm({
    refused: form,
    send: ({ current_password = "", code = "", passkey = "" }) =>
      api.endOtherSessions({ current_password, code, passkey }),
    onSent: (answer) => {
      showAlert("success", answer.message);
      onEnded();
    },
    fallback: messages.unexpected,
  });
  return (
    <details className="disclosure" open={form !== null}>
      <summary>{t("Log out everywhere else")}</summary>
      <form className="form" method="post" action="/account/sessions/end-others" onSubmit={submit}>
        {message !== "" && <ErrorBox>{t(message)}</ErrorBox>}
        <div className="fields">
          <ConfirmIdentity form="sessions" errors={errors} />
        </div>
        <div>
          <Button type="submit" busy={submitting}>
            {t("Log out everywhere else")}
          </Button>
        </div>
      </form>
    </details>
  );
}

function useEnding(onEnded: () => void) {
  const api = useApi();
  const { showAlert } = useAlerts();
  const [ending, setEnding] = useState("");
  const [failure, setFailure] = useState("");
  const end = (event: FormEvent, which: string) => {
    event.preventDefault();
    setEnding(which);
    setFailure("");
    api
      .endSession(which)
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
