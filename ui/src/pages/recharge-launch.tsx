import { useEffect } from "react";
import { rupees } from "../format";
import type { RechargeLaunchData } from "../page";
import { Heading } from "../parts/heading";
import { Spinner } from "../parts/status";

/** What the gateway's script puts into the window. */
type Checkout = { transact: (options: { tokenUrl: string }) => void };

declare global {
  interface Window {
    PhonePeCheckout?: Checkout;
  }
}

/** Opens the gateway's page by the gateway's own script; the link stands in for it. */
export function RechargeLaunch({ data }: { data: RechargeLaunchData | null }) {
  useCheckout(data);
  if (data === null) return <Nothing />;
  return (
    <section className="card card-narrow centred" aria-live="polite">
      <Spinner />
      <Heading>Opening the payment page</Heading>
      <p>
        {`You are about to pay ${rupees(data.amount)} with PhonePe. `}
        If its page does not open by itself, use the button.
      </p>
      <a className="button button-primary" href={data.page_url}>
        Open the payment page
      </a>
      <p>
        <a href="/recharge">Back to recharge</a>
      </p>
    </section>
  );
}

function Nothing() {
  return (
    <section className="card card-narrow centred">
      <Heading>No payment to open</Heading>
      <p>Start a payment, or continue a pending one, on the recharge page.</p>
      <a className="button button-primary" href="/recharge">
        Go to recharge
      </a>
    </section>
  );
}

function useCheckout(data: RechargeLaunchData | null) {
  useEffect(() => {
    if (data === null) return;
    const script = document.createElement("script");
    script.src = data.script_url;
    // Without the script the link remains, and says what to do.
    script.onload = () => window.PhonePeCheckout?.transact({ tokenUrl: data.page_url });
    document.head.append(script);
    return () => script.remove();
  }, [data]);
}
