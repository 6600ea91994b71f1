import { useRef } from "react";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { useForm } from "../lib/form";
import { dateTime } from "../lib/format";
import { SubmitButton } from "../parts/button";
import { Form, SelectField } from "../parts/field";
import type { FormState, LoggedInAt } from "../wire";
import { useWords } from "../words/words";
import { ConfirmIdentity } from "./confirm-identity";

type Props = {
  sessions: readonly LoggedInAt[];
  refused: FormState | null;
  /** A session was ended. */
  onEnded: () => void;
};

/** Where the customer is logged in, this browser first, and a form that ends the others. */
export function Sessions({ sessions, refused, onEnded }: Props) {
  const t = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  const ended = () => {
    // The form that was sent may go with the last session: reading goes on at the list's heading.
    heading.current?.focus();
    onEnded();
  };
  const others = sessions.filter((at) => !at.current);
  return (
    <section className="card" id="sessions">
      <h2 tabIndex={-1} ref={heading}>
        {t("Where you are logged in")}
      </h2>
      <ul className="rows">
        {sessions.map((at) => (
          <li key={at.id}>
            <p>
              <strong>{t(deviceOf(at))}</strong>{" "}
              {at.current && <span className="badge badge-green">{t("This device")}</span>}
            </p>
            <p className="quiet">
              {t("Since {when}, last used {last}", {
                when: dateTime(at.created_at),
                last: dateTime(at.last_seen_at),
              })}
            </p>
          </li>
        ))}
      </ul>
      {others.length > 0 && <EndSessionsForm {...{ others, refused }} onEnded={ended} />}
      <p className="quiet">{t("Don’t recognise a device? Log it out and change your password.")}</p>
    </section>
  );
}

function deviceOf({ device }: LoggedInAt): string {
  return device === "" ? "Unknown device" : device;
}

type EndProps = Omit<Props, "sessions"> & { others: readonly LoggedInAt[] };

/** Ends one other session or all of them; asks for the password. */
function EndSessionsForm({ others, refused, onEnded }: EndProps) {
  const t = useWords();
  const api = useApi();
  const { showAlert } = useAlerts();
  const { values, submitting, form } = useForm({
    refused,
    send: ({ session = "", current_password = "", code = "", passkey = "" }) => {
      const identity = { current_password, code, passkey };
      return session === "" ? api.endOtherSessions(identity) : api.endSession(session, identity);
    },
    onSent: (answer, _, formElement) => {
      formElement.reset();
      showAlert("success", answer.message);
      onEnded();
    },
  });
  const each = others.map((at) => ({
    value: at.id,
    label: `${t(deviceOf(at))}, ${t(dateTime(at.last_seen_at))}`,
  }));
  return (
    <details className="disclosure" open={refused !== null}>
      <summary>{t("Log out other devices")}</summary>
      <Form idPrefix="sessions" action="/account/sessions/end" {...form}>
        <div className="fields">
          <SelectField
            name="session"
            label="Where"
            choices={[{ value: "", label: "Everywhere else" }, ...each]}
            defaultValue={values.session ?? ""}
          />
          <ConfirmIdentity />
        </div>
        <div>
          <SubmitButton busy={submitting} label="Log out" />
        </div>
      </Form>
    </details>
  );
}
