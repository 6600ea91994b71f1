import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useAlerts } from "../alerts";
import { useApi } from "../api/context";
import { ApiError } from "../api/error";
import { rupees } from "../format";
import { PAYMENT_SUCCESS_REDIRECT_MS, PENDING_PAYMENT_RECHECK_MS } from "../limits";
import { messages } from "../messages";
import type { RechargeCallbackData, VerifyResult } from "../page";
import { Button } from "../parts/button";
import { Facts } from "../parts/facts";
import { Heading } from "../parts/heading";
import { Spinner } from "../parts/status";
import { forgetPayment, rememberedOrder } from "../payment-storage";
import { queryOf } from "../query";
import { localPath, screenAt } from "../screens";
import { useSession } from "../session";
import { useWords } from "../words/words";

/** What the customer is told about the payment: on its way, done, or failed and why. */
export type Outcome =
  | { kind: "processing" }
  | { kind: "done"; amount: number; next: string }
  | { kind: "failed"; text: string };

/** Specification section 4, wallet recharge and payment callback. */
export function outcomeOf(result: VerifyResult): Outcome {
  if (result.payment_status === "COMPLETED") {
    return { kind: "done", amount: result.amount, next: localPath(result.next) ?? "/recharge" };
  }
  if (result.payment_status === "PENDING") return { kind: "processing" };
  if (result.payment_status === "FAILED") {
    const why = result.error_context?.description || result.error || messages.tryAgainOrSupport;
    return { kind: "failed", text: messages.paymentFailedPrefix + why };
  }
  const other: { error?: string | null } = result;
  return { kind: "failed", text: other.error || messages.verifyFailedSupport };
}

export function RechargeCallback({ data }: { data: RechargeCallbackData | null }) {
  const { search } = useLocation();
  const order = data?.merchant_order_id ?? queryOf(search)["merchantTransactionId"] ?? null;
  const outcome = useOutcome(order, data?.result ?? null);
  if (outcome.kind === "done") return <Done amount={outcome.amount} next={outcome.next} />;
  if (outcome.kind === "failed") return <Failed text={outcome.text} order={order} />;
  return <Processing order={order} />;
}

/**
 * Verifies now unless the server did, and again every five seconds while the payment is pending.
 */
function useOutcome(order: string | null, sent: VerifyResult | null): Outcome {
  const api = useApi();
  const alerts = useAlerts();
  const session = useSession();
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<Outcome>(
    sent === null ? { kind: "processing" } : outcomeOf(sent),
  );
  const [turn, setTurn] = useState(sent === null ? 0 : 1);

  const verify = useEffectEvent(async (): Promise<Outcome> => {
    const id = order ?? rememberedOrder();
    if (id === null) return { kind: "failed", text: messages.paymentUnknown };
    try {
      return outcomeOf(await api.verifyPayment(id));
    } catch (error) {
      const spoken = error instanceof ApiError && error.status > 0 && error.status < 500;
      return { kind: "failed", text: spoken ? error.message : messages.paymentBroke };
    }
  });
  useEffect(() => {
    if (outcome.kind !== "processing") return;
    let here = true;
    const check = () =>
      void verify().then((next) => {
        if (!here) return;
        setOutcome(next);
        setTurn((last) => last + 1);
      });
    const timer = setTimeout(check, turn === 0 ? 0 : PENDING_PAYMENT_RECHECK_MS);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [outcome.kind, turn]);

  const finish = useEffectEvent((kind: Outcome["kind"]) => {
    if (kind === "failed" && outcome.kind === "failed") alerts.showAlert("error", outcome.text);
    if (kind !== "done") return;
    forgetPayment();
    alerts.showAlert("success", messages.paymentDone);
    api.profile().then(session.setUser, () => undefined);
  });
  const leave = useEffectEvent(() => {
    if (outcome.kind === "done") void navigate(outcome.next);
  });
  useEffect(() => {
    finish(outcome.kind);
    if (outcome.kind !== "done") return;
    const timer = setTimeout(() => leave(), PAYMENT_SUCCESS_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [outcome.kind]);
  return outcome;
}

function Processing({ order }: { order: string | null }) {
  const t = useWords();
  return (
    <section className="card card-narrow centred" aria-live="polite">
      <Spinner />
      <Heading>{t("Processing Payment")}</Heading>
      <p>
        {t("Please wait while we check your payment with the provider. This can take a minute.")}
      </p>
      <Again order={order} label="Check now" />
    </section>
  );
}

function Done({ amount, next }: { amount: number; next: string }) {
  const t = useWords();
  return (
    <section className="card card-narrow centred" aria-live="polite">
      <Heading>{t("Payment Successful!")}</Heading>
      <Facts items={[{ label: "Amount Added", value: rupees(amount) }]} />
      <p>{t(`Redirecting to ${placeName(next)}...`)}</p>
      <p>
        <a href={next}>{t("Go there now")}</a>
      </p>
    </section>
  );
}

/** Where an address of ours leads, in words. */
function placeName(path: string): string {
  const { screen } = screenAt(path.split("?")[0] ?? "");
  if (screen === "recharge") return "recharge page";
  return screen === "courier" ? "your booking" : "where you were";
}

function Failed({ text, order }: { text: string; order: string | null }) {
  const t = useWords();
  return (
    <section className="card card-narrow centred" aria-live="polite">
      <Heading>{t("Payment Failed")}</Heading>
      <p role="alert">{t(text)}</p>
      <div className="actions">
        <Again order={order} label="Retry" primary />
        <a className="button" href="/dashboard">
          {t("Go Home")}
        </a>
      </div>
    </section>
  );
}

type AgainProps = { order: string | null; label: string; primary?: boolean };

/** Loads this page anew, with or without JavaScript: the server verifies before it answers. */
function Again({ order, label, primary = false }: AgainProps) {
  const t = useWords();
  return (
    <form method="get" action="/recharge/callback">
      {order !== null && <input type="hidden" name="merchantTransactionId" value={order} />}
      <Button type="submit" kind={primary ? "primary" : "plain"}>
        {t(label)}
      </Button>
    </form>
  );
}
