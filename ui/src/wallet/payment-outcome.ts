import { useEffect, useEffectEvent, useState } from "react";
import { useNavigate } from "react-router";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { ApiError } from "../lib/api-error";
import { PAYMENT_SUCCESS_REDIRECT_MS, PENDING_PAYMENT_RECHECK_MS } from "../lib/limits";
import { messages } from "../lib/messages";
import { useSession } from "../lib/session";
import { localPath } from "../screens";
import type { VerifyResult } from "../wire";
import { forgetPayment, rememberedOrder } from "./payment-storage";

/** What the customer is told about the payment: on its way, done, or failed and why. */
type Outcome =
  | { kind: "processing" }
  | { kind: "done"; amount: number; next: string }
  | { kind: "failed"; text: string };

/** What the server's answer means. A failure gives the gateway's reason, else what to do now. */
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

/**
 * Verifies now unless the server did, and again every five seconds while the payment is pending.
 */
export function useOutcome(order: string | null, sent: VerifyResult | null): Outcome {
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
    // Back never leads here again, where the payment would be told once more.
    if (outcome.kind === "done") void navigate(outcome.next, { replace: true });
  });
  useEffect(() => {
    finish(outcome.kind);
    if (outcome.kind !== "done") return;
    const timer = setTimeout(() => leave(), PAYMENT_SUCCESS_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [outcome.kind]);
  return outcome;
}
