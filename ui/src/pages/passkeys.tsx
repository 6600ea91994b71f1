import { ConfirmedCard, ConfirmIdentity } from "../account/confirm-identity";
import { useForm } from "../lib/form";
import { date } from "../lib/format";
import { useSite } from "../lib/site";
import { SubmitButton } from "../parts/button";
import { Field, Form, SelectField } from "../parts/field";
import { Card, Heading } from "../parts/heading";
import type { PasskeysData } from "../wire";
import { useWords } from "../words/words";

/** The customer's passkeys: added by script, as browsers want it, and removed by a plain form. */
export default function Passkeys({ data }: { data: PasskeysData }) {
  const t = useWords();
  const { passkeys } = data;
  return (
    <>
      <Heading>{t("Passkeys")}</Heading>
      <section className="card">
        <p>
          {t(
            "A passkey is kept by your phone, computer or password manager, and logs you in with " +
              "your fingerprint, face or screen lock. It takes the place of password and code.",
          )}
        </p>
        {passkeys.length === 0 && <p className="quiet">{t("You have no passkey yet.")}</p>}
        <ul className="rows">
          {passkeys.map(({ id, name, created_at, last_used_at }) => (
            <li key={id}>
              <p>
                <strong>{name}</strong>
              </p>
              <p className="quiet">
                {last_used_at === null
                  ? t("Since {date}, not used yet", { date: date(created_at) })
                  : t("Since {when}, last used {last}", {
                      when: date(created_at),
                      last: date(last_used_at),
                    })}
              </p>
            </li>
          ))}
        </ul>
      </section>
      {useSite().passkeys && <AddPasskey />}
      {passkeys.length > 0 && <RemovePasskey {...data} />}
      <p>
        <a href="/account">{t("Back to your account")}</a>
      </p>
    </>
  );
}

function AddPasskey() {
  const t = useWords();
  const { submitting, form } = useForm({
    send: async ({ name = "", current_password = "", code = "", passkey = "" }) => {
      const { addPasskey } = await import("../lib/passkeys");
      await addPasskey({ name, current_password, code, passkey });
    },
    leaves: true,
    onSent: () => window.location.replace("/account/passkeys?saved=passkey-added"),
  });
  return (
    <Card title="Add a passkey">
      <p className="without-script">{t("Adding a passkey needs JavaScript.")}</p>
      <Form idPrefix="add" className="form needs-script" action="/account/passkeys/add" {...form}>
        <div className="fields">
          <Field
            name="name"
            label="Name"
            hint="A name for this device, e.g. My phone"
            autoComplete="off"
            required
          />
          <ConfirmIdentity />
        </div>
        <div>
          <SubmitButton kind="primary" busy={submitting} label="Add a passkey" />
        </div>
      </Form>
    </Card>
  );
}

function RemovePasskey({ passkeys, form }: PasskeysData) {
  const t = useWords();
  return (
    <ConfirmedCard
      title="Remove a passkey"
      text={t("Nobody can log in with it then. Delete it on the device too.")}
      label="Remove"
      idPrefix="remove"
      action="/account/passkeys/remove"
      refused={form}
    >
      <SelectField
        name="id"
        label="Passkey"
        choices={passkeys.map(({ id, name }) => ({ value: id, label: name }))}
        defaultValue={form?.values["id"] ?? passkeys[0]?.id}
      />
    </ConfirmedCard>
  );
}
