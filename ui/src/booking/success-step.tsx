import { orNotAvailable } from "../lib/format";
import { Button } from "../parts/button";
import { Facts } from "../parts/facts";
import type { BookedShipment } from "../wire";
import { useWords } from "../words/words";
import { againHref, bookingHref, paperHref } from "./papers";

type Props = {
  result: BookedShipment;
  /** The draft's, which a plain form discards. */
  revision: number;
  onAgain: () => void;
};

export function SuccessStep({ result, revision, onAgain }: Props) {
  const t = useWords();
  return (
    <section className="card">
      <h2>{t("Booking Successful!")}</h2>
      <Facts
        items={[
          {
            label: "Air Waybill Number",
            value: <strong>{t(orNotAvailable(result.airwaybilno))}</strong>,
          },
          ...(result.pickup_id ? [{ label: "Pickup ID", value: result.pickup_id }] : []),
        ]}
      />
      <div className="actions">
        <Paper url={result.dispatch_url} label="Label" />
        <Paper url={paperHref(result.booking_id, "labels-a4")} label="Labels on A4" />
        <Paper url={result.invoice_url} label="Invoice" />
      </div>
      <div className="actions">
        <a
          className="button button-primary"
          href={`/track/${encodeURIComponent(result.airwaybilno)}`}
        >
          {t("Track Shipment")}
        </a>
        <a className="button" href={bookingHref(result.booking_id)}>
          {t("View booking")}
        </a>
        <a className="button" href="/dashboard">
          {t("Go to Dashboard")}
        </a>
        <a className="button" href={againHref(result.booking_id)}>
          {t("Book Again")}
        </a>
        <form
          id="new-booking"
          method="post"
          action="/courier/discard"
          hidden
          onSubmit={(event) => {
            event.preventDefault();
            onAgain();
          }}
        >
          <input type="hidden" name="revision" value={revision} />
        </form>
        <Button type="submit" form="new-booking">
          {t("Create New Booking")}
        </Button>
      </div>
    </section>
  );
}

/** A document's link, when the document is there already. */
function Paper({ url, label }: { url: string | null; label: string }) {
  const t = useWords();
  if (!url) return null;
  return (
    <a className="button" href={url} download>
      {t(label)}
    </a>
  );
}
