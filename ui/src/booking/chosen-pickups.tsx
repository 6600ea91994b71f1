import { ButtonLink, SubmitButton } from "../parts/button";
import { Form } from "../parts/field";
import { Card, Heading } from "../parts/heading";
import type { BarredParcel, ChosenPickups as Chosen, PickupGroup, PickupParcel } from "../wire";
import { useWords } from "../words/words";
import { checkboxName } from "./booking-rows";
import { bookingHref } from "./papers";
import { PickupTimeField } from "./pickup-time-field";

/** The bookings that were ticked: each courier and address with its time, or what became of it. */
export function ChosenPickups({ chosen: { groups, barred } }: { chosen: Chosen }) {
  const t = useWords();
  const open = groups.filter(({ planned }) => planned === null);
  return (
    <>
      <Heading>{t("Pickup")}</Heading>
      <Form idPrefix="pickups" className="stack" action="/bookings">
        {groups.map((group) => (
          <Group key={group.key} group={group} />
        ))}
        {barred.length > 0 && <ExcludedParcels barred={barred} />}
        {groups.length + barred.length === 0 && <p>{t("There is no such booking.")}</p>}
        <div className="actions">
          {open.length > 0 && (
            <SubmitButton kind="primary" name="do" value="pickup-now" label="Schedule pickup" />
          )}
          <ButtonLink href="/bookings" label="Back to bookings" />
        </div>
      </Form>
    </>
  );
}

/** Parcels that are fetched together. */
function Group({ group }: { group: PickupGroup }) {
  const t = useWords();
  const { key, bookings, planned } = group;
  return (
    <section className="card">
      <h2>{group.courier}</h2>
      <p>{group.place.join(", ")}</p>
      <ul className="rows">
        {bookings.map((parcel) => (
          <li key={parcel.id}>
            <Parcel parcel={parcel} />
          </li>
        ))}
      </ul>
      {planned !== null ? (
        <p role="status">{t(planned.sentence)}</p>
      ) : (
        <>
          {bookings.map(({ id }) => (
            <input key={id} type="hidden" name={checkboxName(id)} value="on" />
          ))}
          <PickupTimeField
            name={`when-${key}`}
            prompt="Choose a day and time"
            hint="Free pickup: choose a day and time."
            error={group.error === "" ? undefined : group.error}
            required
            choices={group.choices}
          />
        </>
      )}
    </section>
  );
}

function Parcel({ parcel }: { parcel: PickupParcel }) {
  const t = useWords();
  return (
    <p className="chosen-line">
      <a className="awb" href={bookingHref(parcel.id)}>
        {parcel.awb_number || t("Being booked")}
      </a>
      <span>{parcel.consignee_name}</span>
    </p>
  );
}

const BARS = {
  not_yet: "The courier has not confirmed this booking yet. Please try again in a minute.",
  too_late: "No pickup can be planned: it is with the courier, or cancelled.",
} as const;

/** Parcels that no courier can be asked to fetch, each with the reason. */
function ExcludedParcels({ barred }: { barred: readonly BarredParcel[] }) {
  const t = useWords();
  return (
    <Card title="Without a new pickup">
      <ul className="rows">
        {barred.map(({ parcel, bar, sentence }) => (
          <li key={parcel.id}>
            <Parcel parcel={parcel} />
            <p>
              {bar !== "planned" ? t(BARS[bar]) : t(sentence || "Its pickup is planned already.")}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
