import { useState, type Dispatch } from "react";
import { useAlerts } from "../alerts";
import type { BookingResult } from "../api/api";
import { ApiError, bookingErrorText } from "../api/error";
import { useApi } from "../api/context";
import { messages } from "../messages";
import type { RateOption } from "../page";
import { useSession } from "../session";
import { missingLabels } from "./draft";
import { isInternational, type Action, type Flow } from "./flow";
import { forgetKey, keyFor } from "./idempotency";
import { bookingPayload } from "./payload";

export type Confirm = {
  busy: boolean;
  /** Books and charges; with an OTP when the courier wants one, else with "". */
  send: (otp: string) => void;
};

/** Confirming: once for one body, however often it is pressed, and told as what became of it. */
export function useConfirm(flow: Flow, dispatch: Dispatch<Action>, today: string): Confirm {
  const api = useApi();
  const { showAlert } = useAlerts();
  const session = useSession();
  const [busy, setBusy] = useState(false);

  const succeed = (message: string, [result]: readonly BookingResult[]) => {
    forgetKey();
    if (result === undefined) {
      showAlert("error", messages.noBookingData);
      return;
    }
    showAlert("success", message || messages.booked);
    dispatch({ type: "booked", result });
    api.profile().then(session.setUser, () => undefined);
  };
  const fail = (error: unknown) => {
    // Without a clear answer the server may have booked: the next press must be the same attempt.
    if (error instanceof ApiError && !error.outcomeUnknown && !stillUnderWay(error)) forgetKey();
    const fresh = freshQuote(error);
    if (fresh !== undefined) dispatch({ type: "price changed", quote: fresh });
    if (error instanceof ApiError && error.code === "otp_required") dispatch({ type: "otp asked" });
    showAlert("error", bookingErrorText(error, messages.bookingFailed));
  };
  const send = (otp: string) => {
    const { quoted, quote, draft, kyc } = flow;
    if (busy || quoted === null || quote === null || draft === null) return;
    const missing = missingLabels(draft, isInternational(flow));
    if (missing.length > 0) {
      showAlert("error", messages.requiredFields + missing.join(", "));
      return;
    }
    const body = bookingPayload({ quoted, quote, draft, kyc, otp, today, user: session.user });
    setBusy(true);
    api.book(body, keyFor(body)).then(
      ({ message, data }) => {
        setBusy(false);
        succeed(message, Array.isArray(data) ? data : []);
      },
      (error: unknown) => {
        setBusy(false);
        fail(error);
      },
    );
  };
  return { busy, send };
}

/** A first press is still being worked on. */
function stillUnderWay(error: ApiError): boolean {
  return error.status === 409 && error.code !== "quote_changed" && error.code !== "quote_used";
}

/** The price of the day, which a refused quote comes with. */
function freshQuote(error: unknown): RateOption | undefined {
  if (!(error instanceof ApiError) || error.code !== "quote_changed") return undefined;
  const { data } = error.body;
  return Array.isArray(data) ? (data as RateOption[])[0] : undefined;
}
