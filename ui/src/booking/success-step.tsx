import { orNotAvailable } from "../lib/format";
import { preventDefault } from "../lib/prevent-default";
import { ButtonLink, SubmitButton } from "../parts/button";
import { WarningBox } from "../parts/feedback";
import { Card } from "../parts/heading";
import { Facts } from "../parts/facts";
import type { BookedShipment } from "../wire";
import { useWords } from "../words/words";
import { bookAgainHref, bookingHref, paperHref } from "./papers";

type Props = {
  result: BookedShipment;
  /** The draft's, which a plain form discards. */
  revision: number;
  onAgain: () => void;
};

export function SuccessStep({ result, revision, onAgain }: Props) {
  const t = useWords();
  return (
    <Card title="Booking Successful!">
      <Facts
        items={[
          {
            label: "Air Waybill Number",
            value: <strong>{t(orNotAvailable(result.airwaybilno))}</strong>,
          },
          ...(result.pickup_id ? [{ label: "Pickup ID", value: result.pickup_id }] : []),
        ]}
      />
      {result.warning !== undefined && (
        <WarningBox>
          <p>{t(result.warning)}</p>
        </WarningBox>
      )}
      <div className="actions">
        {result.dispatch_url && <ButtonLink href={result.dispatch_url} download label="Label" />}
        <ButtonLink
          href={paperHref(result.booking_id, "labels-a4")}
          download
          label="Labels on A4"
        />
        {result.invoice_url && <ButtonLink href={result.invoice_url} download label="Invoice" />}
      </div>
      <div className="actions">
        <ButtonLink
          kind="primary"
          href={`/track/${encodeURIComponent(result.airwaybilno)}`}
          label="Track Shipment"
        />
        <ButtonLink href={bookingHref(result.booking_id)} label="View booking" />
        <ButtonLink href="/dashboard" label="Go to Dashboard" />
        <ButtonLink href={bookAgainHref(result.booking_id)} label="Book Again" />
        <form
          id="new-booking"
          method="post"
          action="/courier/discard"
          hidden
          onSubmit={preventDefault(onAgain)}
        >
          <input type="hidden" name="revision" value={revision} />
        </form>
        <SubmitButton form="new-booking" label="Create New Booking" />
      </div>
    </Card>
  );
}
