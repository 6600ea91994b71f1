import type { ReactNode } from "react";
import type { BookingResult } from "../api/api";
import { orNotAvailable } from "../format";
import { Button } from "../parts/button";
import { Facts } from "../parts/facts";

type Props = { result: BookingResult; onAgain: () => void };

export function SuccessStep({ result, onAgain }: Props) {
  return (
    <section className="card">
      <h2>Booking Successful!</h2>
      <Facts
        items={[
          {
            label: "Air Waybill Number",
            value: <strong>{orNotAvailable(result.airwaybilno)}</strong>,
          },
          ...(result.pickup_id ? [{ label: "Pickup ID", value: result.pickup_id }] : []),
        ]}
      />
      <div className="actions">
        {paper(result.dispatch_url, "Label")}
        {paper(result.invoice_url, "Invoice")}
      </div>
      <div className="actions">
        <a
          className="button button-primary"
          href={`/track/${encodeURIComponent(result.airwaybilno)}`}
        >
          Track Shipment
        </a>
        <a className="button" href="/dashboard">
          Go to Dashboard
        </a>
        <Button onClick={onAgain}>Create New Booking</Button>
      </div>
    </section>
  );
}

/** A document's link, when the courier has made the document already. */
function paper(url: string | null, label: string): ReactNode {
  if (!url) return null;
  return (
    <a className="button" href={url} target="_blank" rel="noreferrer">
      {label}
    </a>
  );
}
