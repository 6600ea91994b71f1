import { SHIPPED_DAYS_MAX } from "../lib/limits";
import { useSite } from "../lib/site";
import { Policy } from "../parts/policy";
import { ShippingInHindi } from "../words/hi-shipping";

export default function Shipping() {
  const { company, language } = useSite();
  if (language === "hi") return <ShippingInHindi />;
  return (
    <Policy title="Shipping Policy">
      <p>This policy says how {company.name} sends what you book on Dakiya.</p>
      <h2>Who carries your shipment</h2>
      <p>
        Shipments within India travel by registered domestic courier companies or by speed post.
        Shipments abroad travel with the international courier you choose when booking.
      </p>
      <h2>When it leaves</h2>
      <p>
        Orders are shipped within {SHIPPED_DAYS_MAX} days of the order or the payment, or by the
        delivery date agreed when the order was confirmed, subject to the rules of the courier or
        post office. The delivery time shown beside a service is the courier’s estimate, counted
        from pickup.
      </p>
      <h2>Where it is delivered</h2>
      <p>
        The courier delivers to the address given in the booking. Please check the PIN code, the
        house number and the receiver’s telephone number before you confirm.
      </p>
      <h2>Following it</h2>
      <p>
        Every booking has an air waybill number. <a href="/track">Track</a> shows where the shipment
        is. We send the delivery confirmation to your registered email address.
      </p>
      <h2>Costs</h2>
      <p>
        The price shown when you confirm includes freight, surcharges and GST for the weight and
        dimensions you entered. Shipping costs are not refundable once the shipment has been handed
        over. A booking cancelled before that is refunded in full; see the{" "}
        <a href="/refund-cancellation-policy">refund and cancellation policy</a>.
      </p>
      <h2>Delays</h2>
      <p>
        Weather, strikes, customs and remote addresses can delay a delivery. We are not liable for
        delay by the courier or post office; we help you to find the shipment and to claim where the
        courier’s conditions allow it.
      </p>
    </Policy>
  );
}
