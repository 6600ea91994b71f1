import { orNotAvailable, rupees } from "../lib/format";
import { preventDefault } from "../lib/prevent-default";
import { ButtonLink, SubmitButton } from "../parts/button";
import { WarningBox } from "../parts/feedback";
import { Card } from "../parts/heading";
import { Facts } from "../parts/facts";
import { ShareLink } from "../parts/share-link";
import { DeliveryTime } from "../rates/price";
import { serviceName } from "../rates/service-name";
import type { BookedShipment } from "../wire";
import { useWords } from "../words/words";
import { selectedRate, type Flow } from "./flow";
import { bookAgainHref, bookingHref } from "./papers";
import { presetLine } from "./preset-line";

type Props = {
  result: BookedShipment;
  /** The booking's form, as far as this page has it. */
  flow: Flow;
  /** The draft's, which a plain form discards. */
  revision: number;
  onAgain: () => void;
};

/** The booking that was made, and the next thing to do: print the label. */
export function SuccessStep({ result, flow, revision, onAgain }: Props) {
  const t = useWords();
  const { draft } = flow;
  const rate = flow.quote ?? selectedRate(flow);
  const { airwaybilno: awb } = result;
  const track = `/track/${encodeURIComponent(awb)}`;
  return (
    <Card title="Booking Successful!">
      {result.handover !== "" && <p>{t(result.handover)}</p>}
      {result.dispatch_url && (
        <ButtonLink
          className="button button-primary button-wide"
          href={result.dispatch_url}
          download
          label="Print label"
        />
      )}
      <Facts
        items={[
          { label: "Air Waybill Number", value: <strong>{t(orNotAvailable(awb))}</strong> },
          ...(result.pickup_id ? [{ label: "Pickup number", value: result.pickup_id }] : []),
          ...(draft === null ? [] : [{ label: "To", value: presetLine("consignee", draft, t) }]),
          ...(rate === null ? [] : [{ label: "Service", value: serviceName(rate.product_name) }]),
          { label: "Price", value: rupees(result.amount) },
        ]}
      />
      {result.warning !== undefined && (
        <WarningBox>
          <p>{t(result.warning)}</p>
        </WarningBox>
      )}
      {rate !== null && (
        <p>
          <DeliveryTime rate={rate} />
        </p>
      )}
      <div className="actions">
        <ShareLink path={track} awb={awb} status="Booked" label="Send tracking on WhatsApp" />
        <ButtonLink href={track} label="Track Shipment" />
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
      <div className="actions">
        {result.invoice_url && (
          <ButtonLink kind="quiet" href={result.invoice_url} download label="Invoice" />
        )}
        <ButtonLink kind="quiet" href={bookingHref(result.booking_id)} label="View booking" />
        <ButtonLink kind="quiet" href={bookAgainHref(result.booking_id)} label="Book again" />
        <ButtonLink kind="quiet" href="/dashboard" label="Go to Dashboard" />
      </div>
    </Card>
  );
}
