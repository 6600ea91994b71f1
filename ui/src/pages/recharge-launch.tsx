import { useEffect } from "react";
import { rupees } from "../lib/format";
import { ButtonLink } from "../parts/button";
import { Spinner } from "../parts/spinner";
import { Heading, PageCard } from "../parts/heading";
import type { RechargeLaunchData } from "../wire";
import { useWords } from "../words/words";

/** The gateway's script puts it into the window. */
type Checkout = { transact: (options: { tokenUrl: string }) => void };

declare global {
  interface Window {
    PhonePeCheckout?: Checkout;
  }
}

/** Opens the gateway's page by the gateway's own script; the link stands in for it. */
export default function RechargeLaunch({ data }: { data: RechargeLaunchData | null }) {
  const t = useWords();
  useCheckout(data);
  if (data === null) {
    return (
      <PageCard title="No payment to open" className="card card-narrow centred">
        <p>{t("Start a payment, or continue a pending one, on the recharge page.")}</p>
        <ButtonLink kind="primary" href="/recharge" label="Go to recharge" />
      </PageCard>
    );
  }
  return (
    <section className="card card-narrow centred" aria-live="polite">
      <Spinner />
      <Heading>{t("Opening the payment page")}</Heading>
      <p>
        {t("You are about to pay {amount} with PhonePe. ", { amount: rupees(data.amount) })}
        {t("If its page does not open by itself, use the button.")}
      </p>
      <ButtonLink kind="primary" href={data.page_url} label="Open the payment page" />
      <p>
        <a href="/recharge">{t("Back to recharge")}</a>
      </p>
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
