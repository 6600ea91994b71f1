import { DAMAGE_REPORT_DAYS_MAX, SHIPPED_DAYS_MAX } from "../lib/limits";
import { useSite } from "../lib/site";
import { POLICY_VERSION, Policy } from "../parts/policy";
import { CANCEL_DAYS_MAX } from "../wire";
import { TermsInHindi } from "../words/hi-terms";

export default function Terms() {
  const { company, language } = useSite();
  if (language === "hi") return <TermsInHindi />;
  return (
    <Policy title="Terms and Conditions" version={POLICY_VERSION}>
      <p>
        These terms apply whenever you use Dakiya, a courier booking service of {company.name}{" "}
        (“we”, “us”), whose registered office is at {company.address}. By opening an account or
        booking a shipment you accept them.
      </p>
      <h2>What we do</h2>
      <p>
        We take bookings for documents and parcels within India and abroad, and hand them to
        registered courier companies who collect, carry and deliver them. We show you the price of
        every service before you book and charge it to your prepaid wallet when you confirm.
      </p>
      <h2>Your account</h2>
      <ul>
        <li>
          Give your true name, address, telephone number and email address, and keep them current.
        </li>
        <li>Keep your password to yourself. Bookings made with it count as yours.</li>
        <li>Tell us at once when you believe that someone else has used your account.</li>
      </ul>
      <h2>Prices and the wallet</h2>
      <p>
        Prices are in Indian rupees and shown with GST before you confirm. They depend on the
        weight, the dimensions and the addresses you enter. If the courier measures more than you
        declared, we may charge the difference at the rate you were shown. The balance of your
        wallet pays for bookings only; it earns no interest.
      </p>
      <h2>What you may send</h2>
      <ul>
        <li>Describe the contents and their value truthfully, and pack them for the journey.</li>
        <li>
          Do not send anything the law or the courier forbids: explosives and inflammable goods,
          weapons, narcotics, currency, perishable food, live animals, or counterfeit goods.
        </li>
        <li>
          For shipments abroad, give the identity documents and invoice details that customs asks
          for.
        </li>
      </ul>
      <h2>Cancellation, damage and refunds</h2>
      <p>
        A booking can be cancelled within {CANCEL_DAYS_MAX} days of the order as long as the courier
        does not have the shipment. Damage, defects and quality issues must be reported within{" "}
        {DAMAGE_REPORT_DAYS_MAX} days of receipt. Shipping costs are not refundable once the
        shipment has been handed over. The{" "}
        <a href="/refund-cancellation-policy">refund and cancellation policy</a> says how.
      </p>
      <h2>Delivery</h2>
      <p>
        Shipments leave within {SHIPPED_DAYS_MAX} days of the order or payment, or by the delivery
        date agreed when you ordered. The <a href="/shipping-policy">shipping policy</a> has the
        details.
      </p>
      <h2>Our liability</h2>
      <p>
        We answer for our own service. The courier answers for the carriage under its own conditions
        and the law. Neither of us answers for delay or loss caused by events that no care could
        have prevented, or by an address, description or packing that was wrong.
      </p>
      <p>
        When the courier or the post office is late, we are not liable for the delay, but help you
        to find the shipment and to make the claim that the courier’s conditions allow. The{" "}
        <a href="/shipping-policy">shipping policy</a> names what can delay a delivery.
      </p>
      <h2>Law and courts</h2>
      <p>
        These terms are governed by Indian law. The courts of {company.city}, {company.state}, have
        jurisdiction over any dispute.
      </p>
      <h2>Changes</h2>
      <p>
        We may change these terms. The version on this page applies to bookings made while it is
        published here.
      </p>
    </Policy>
  );
}
