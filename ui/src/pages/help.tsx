import type { ReactNode } from "react";
import { useSite } from "../lib/site";
import { Heading } from "../parts/heading";
import { ContactDetails } from "../parts/policy";
import { RECHARGE_MIN_RUPEES } from "../wire";
import { HelpInHindi } from "../words/hi-help";

export default function Help() {
  const { language } = useSite();
  if (language === "hi") return <HelpInHindi />;
  return (
    <Questions title="Help">
      <h2>How do I book a courier?</h2>
      <p>
        Open <a href="/courier">Courier</a>, enter both PIN codes and the weight, and choose one of
        the services. Then enter who sends and who receives, look over everything once more, and
        confirm. Your wallet pays, and you print the label.
      </p>
      <h2>How do I pay?</h2>
      <p>
        From your wallet. <a href="/recharge">Recharge</a> it by UPI, card or net banking, with ₹
        {RECHARGE_MIN_RUPEES}
        or more. Every recharge has a receipt and every booking a tax invoice.
      </p>
      <h2>Money left my bank, but my wallet does not show it</h2>
      <p>
        Open <a href="/recharge">Recharge</a>: unfinished payments are listed there and checked
        automatically. What the payment provider received is credited once; what it did not receive
        goes back to you by your bank.
      </p>
      <h2>Where is my parcel?</h2>
      <p>
        <a href="/track">Track</a> it by its AWB number, which is on the label and in your bookings.
        The receiver can do the same without an account.
      </p>
      <h2>How do I cancel?</h2>
      <p>
        Until the courier has picked it up, by <b>Cancel</b> beside the booking in{" "}
        <a href="/dashboard?tab=bookings">your bookings</a>. The whole price goes back to your
        wallet. The <a href="/refund-cancellation-policy">refund and cancellation policy</a> has the
        details.
      </p>
      <h2>The courier says that my parcel weighs more</h2>
      <p>
        Open <a href="/wallet/weight-differences">Weight differences</a>. You see what was measured
        and what it costs, and accept it or say why it is wrong.
      </p>
      <h2>My parcel is lost or damaged</h2>
      <p>
        Write to us with the AWB number, what happened and photographs, within 15 days of receipt.
        We look into it with the courier and tell you the outcome.
      </p>
      <h2>What may I not send?</h2>
      <p>
        Explosives and inflammable goods, weapons, narcotics, currency, perishable food, live
        animals, counterfeit goods, and whatever else the law or the courier forbids.
      </p>
      <h2>Someone else may know my password</h2>
      <p>
        Choose another one in <a href="/account">your account</a>, end all other sessions there, and
        turn on two-step login. Then look through your statement, and write to us if something in it
        is not yours.
      </p>
    </Questions>
  );
}

/** How to reach somebody comes first: that is what many have come for. */
export function Questions({ title, children }: { title: string; children: ReactNode }) {
  return (
    <article className="prose">
      <Heading>{title}</Heading>
      <ContactDetails />
      {children}
    </article>
  );
}
