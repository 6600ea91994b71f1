import { DAMAGE_REPORT_DAYS_MAX, REFUND_DAYS_MAX } from "../lib/limits";
import { useSite } from "../lib/site";
import { Policy } from "../parts/policy";
import { CANCEL_DAYS_MAX } from "../wire";
import { RefundInHindi } from "../words/hi-refund";

export default function Refund() {
  const { company, language } = useSite();
  if (language === "hi") return <RefundInHindi />;
  return (
    <Policy title="Refund and Cancellation Policy">
      <p>This policy of {company.name} covers bookings made and wallets recharged on Dakiya.</p>
      <h2>Cancelling a booking</h2>
      <ul>
        <li>You may cancel within {CANCEL_DAYS_MAX} days of placing the order.</li>
        <li>
          A shipment that the courier already has can no longer be cancelled, because the carriage
          has begun.
        </li>
        <li>
          Once the hours of a pickup by our own driver have begun, a cancellation is a request: we
          look if the driver has it, and cancel it if not.
        </li>
        <li>A cancelled booking is refunded in full, to the wallet that paid for it.</li>
        <li>
          If its parcel is carried all the same, we charge the price again, with a debit note, and
          tell you by email.
        </li>
      </ul>
      <h2>Damaged or defective on arrival</h2>
      <p>
        Report damage, defects and quality issues within {DAMAGE_REPORT_DAYS_MAX} days of receipt.
        Send us the air waybill number, a description and photographs of the parcel and its packing.
        We look into it with the courier and tell you the outcome.
      </p>
      <h2>What is not refunded</h2>
      <p>
        Shipping costs are not refundable once the shipment has been handed over, also when the
        receiver refuses it or the address proves wrong.
      </p>
      <h2>How long a refund takes</h2>
      <p>
        Once we have approved a refund it takes {REFUND_DAYS_MAX} days to process. Refunds of a
        recharge go back the way the money came: to the same card, bank account or UPI address.
      </p>
      <h2>What you owe us</h2>
      <p>
        If your bank takes a recharge back, or a price is charged again, and your wallet does not
        cover it, you owe us the rest. Recharges and refunds pay this first.
      </p>
      <h2>Payments that failed</h2>
      <p>
        When money has left your account but your wallet was not credited, open the recharge page
        and check the pending payment, or write to us with the transaction ID. What the provider has
        received is credited once, or returned by the provider.
      </p>
    </Policy>
  );
}
