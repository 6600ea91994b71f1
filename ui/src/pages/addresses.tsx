import { presetLine } from "../booking/preset-line";
import { OwnerInput } from "../lib/session";
import { ButtonLink, SubmitButton } from "../parts/button";
import { Empty } from "../parts/feedback";
import { Field, Form } from "../parts/field";
import { Card, Heading } from "../parts/heading";
import type { AddressesData, Preset, PresetKind } from "../wire";
import { useWords } from "../words/words";

const KINDS: readonly { kind: PresetKind; title: string; hint: string }[] = [
  {
    kind: "consignee",
    title: "Receivers",
    hint: "Tick “Save this receiver” when you book, and choose it the next time.",
  },
  { kind: "consignor", title: "Senders", hint: "Tick “Save this sender” when you book." },
  { kind: "package", title: "Packages", hint: "Tick “Save this package” when you book." },
];

/**
 * The presets that the customer saved for the booking form. Plain forms: nothing here needs
 * JavaScript.
 */
export default function Addresses({ data }: { data: AddressesData }) {
  const t = useWords();
  return (
    <>
      <div className="heading-row">
        <Heading>{t("Address Book")}</Heading>
        <ButtonLink kind="quiet" href="/courier" label="New booking" />
      </div>
      {KINDS.map(({ kind, title, hint }) => {
        const presets = data.presets.filter((preset) => preset.kind === kind);
        return (
          <Card key={kind} title={title}>
            {presets.length === 0 ? (
              <Empty title="Nothing saved yet" hint={hint} />
            ) : (
              <ul className="rows">
                {presets.map((preset) => (
                  <Entry key={preset.id} preset={preset} />
                ))}
              </ul>
            )}
          </Card>
        );
      })}
    </>
  );
}

function Entry({ preset }: { preset: Preset }) {
  const t = useWords();
  const href = `/addresses/${encodeURIComponent(preset.id)}`;
  return (
    <li>
      <p>
        <strong>{preset.name}</strong>{" "}
        {preset.is_default && <span className="badge badge-blue">{t("For new bookings")}</span>}
      </p>
      <p className="quiet">{presetLine(preset.kind, preset.fields, t)}</p>
      <details className="disclosure">
        <summary>
          {t("Change")}
          <span className="visually-hidden"> {preset.name}</span>
        </summary>
        <div className="form">
          <Form idPrefix={`preset-${preset.id}`} className="form-line" action="/addresses/rename">
            <OwnerInput />
            <input type="hidden" name="id" value={preset.id} />
            <Field name="name" label="Name" required defaultValue={preset.name} />
            <SubmitButton label="Rename" />
          </Form>
          <div className="actions">
            {preset.kind === "consignor" && !preset.is_default && (
              <form method="post" action={`${href}/default`}>
                <SubmitButton label="Use for new bookings" />
              </form>
            )}
            <form method="post" action={`${href}/delete`}>
              <SubmitButton label="Delete" />
            </form>
          </div>
        </div>
      </details>
    </li>
  );
}
