import { useEffect, useEffectEvent, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { ApiError } from "../lib/api-error";
import { PAYMENT_SUCCESS_REDIRECT_MS, PENDING_PAYMENT_RECHECK_MS } from "../lib/limits";
import { useSession } from "../lib/session";
import { localPath } from "../lib/local-path";
import type { PaymentPageData, VerifyResult } from "../wire";
import { useWords, type UiText, type Words } from "../words/words";
import { forgetPayment, loadRememberedOrder } from "./payment-storage";

/**
 * The customer reads of a payment that it is on its way, done, or failed and why. One that is
 * `missing` is not the customer's.
 */
export type PaymentOutcome =
  | { kind: "processing"; result: VerifyResult | null }
  | { kind: "done"; amount: number; next: string; result: VerifyResult }
  | { kind: "failed"; text: UiText; result: VerifyResult | null; missing?: boolean };

const TRY_AGAIN = "Please try again or contact support.";
const NOT_VERIFIED = "Payment verification failed. Please contact support.";

/** A failure gives the gateway's reason, else a next step. */
export function paymentOutcome(t: Words, result: VerifyResult): PaymentOutcome {
  if (result.payment_status === "COMPLETED") {
    const next = localPath(result.next) ?? "/recharge";
    return { kind: "done", amount: result.amount, next, result };
  }
  if (result.payment_status === "PENDING") return { kind: "processing", result };
  if (result.payment_status === "FAILED") {
    const why = result.error_context?.description || result.error || TRY_AGAIN;
    const text = { text: "Payment failed. {why}", values: { why: t(why) } };
    return { kind: "failed", text, result, missing: result.created_at === null };
  }
  const other: VerifyResult = result;
  return { kind: "failed", text: other.error || NOT_VERIFIED, result };
}

/** The document is named after the outcome, as the server names it. */
function documentTitle(kind: PaymentOutcome["kind"], stays: boolean): string {
  if (kind === "failed") return "Payment failed";
  if (kind === "processing") return "Processing payment";
  return stays ? "Recharge successful" : "Payment successful";
}

/**
 * The server's word about a payment: asked now unless the page brought it, and again every five
 * seconds while it is pending. `stays` on the page once it is done.
 */
export function useOutcome(data: PaymentPageData | null, stays = false) {
  const t = useWords();
  const [query] = useSearchParams();
  const order = data?.merchant_order_id ?? query.get("merchantTransactionId");
  const pageResult = data?.result ?? null;
  const api = useApi();
  const alerts = useAlerts();
  const session = useSession();
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<PaymentOutcome>(
    pageResult === null ? { kind: "processing", result: null } : paymentOutcome(t, pageResult),
  );
  const [turn, setTurn] = useState(pageResult === null ? 0 : 1);
  const [remembered] = useState(loadRememberedOrder);

  const verify = useEffectEvent(async (): Promise<PaymentOutcome> => {
    const id = order ?? remembered;
    const failed = { kind: "failed", result: null } as const;
    if (id === null) {
      return { ...failed, text: "Invalid payment response. Please try again.", missing: true };
    }
    try {
      return paymentOutcome(t, await api.verifyPayment(id));
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status > 0 && error.status < 500;
      const text = isRefusal
        ? error.message
        : "An error occurred while processing your payment. Please contact support.";
      return { ...failed, text, missing: isRefusal && error.status === 404 };
    }
  });
  useEffect(() => {
    if (outcome.kind !== "processing") return;
    let isMounted = true;
    const check = () =>
      void verify().then((next) => {
        if (!isMounted) return;
        setOutcome(next);
        setTurn((last) => last + 1);
      });
    const timer = setTimeout(check, turn === 0 ? 0 : PENDING_PAYMENT_RECHECK_MS);
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [outcome.kind, turn]);

  const finish = useEffectEvent((kind: PaymentOutcome["kind"]) => {
    if (kind !== "done") return;
    forgetPayment();
    if (!stays) alerts.showAlert("success", "Payment successful! Your wallet has been recharged.");
    api.profile().then(session.setUser, () => undefined);
  });
  const title = documentTitle(outcome.kind, stays);
  useEffect(() => {
    // After the screen's own.
    queueMicrotask(() => (document.title = `${t(title)} · Dakiya`));
  }, [t, title]);
  const leave = useEffectEvent(() => {
    // Back never leads here again, where the payment would be told once more.
    if (outcome.kind === "done") void navigate(outcome.next, { replace: true });
  });
  useEffect(() => {
    finish(outcome.kind);
    if (outcome.kind !== "done" || stays) return;
    const timer = setTimeout(() => leave(), PAYMENT_SUCCESS_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [outcome.kind, stays]);
  return { order, outcome };
}
