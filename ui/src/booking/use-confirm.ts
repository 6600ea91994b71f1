import { useState, type Dispatch } from "react";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { ApiError, bookingErrorText } from "../lib/api-error";
import { CONFIRM_QUESTIONS_MAX } from "../lib/limits";
import { messages } from "../lib/messages";
import { bookingMessages } from "./messages";
import { useSession } from "../lib/session";
import type { BookedShipment, FormState, RateOption } from "../wire";
import { useWords, type UiText } from "../words/words";
import { missingSentence } from "./draft";
import { isInternational, needsOtp, type Action, type Flow } from "./flow";
import { attemptFor } from "./idempotency";
import { isForQuote, otpStateAfter } from "./otp";
import { bookingPayload } from "./payload";
import { RULES } from "./rules";

export type Confirm = {
  busy: boolean;
  otpError: UiText | undefined;
  /** Fields of the details that the server refused at the price shown. */
  refused: FormState | null;
  /** The reason why the price shown was not booked, or "". */
  problem: string;
  /** Another window or device has booked this draft. */
  bookedBefore: BookedBefore | null;
  /** Books and charges. With "" instead of an OTP, a courier that wants one sends it. */
  send: (otp: string) => void;
};

/** The booking of a draft that was confirmed once more, in the server's words. */
export type BookedBefore = { text: string; bookingId: string };

type Props = {
  flow: Flow;
  dispatch: Dispatch<Action>;
  /** yyyy-mm-dd in India. */
  today: string;
  draftId: () => string;
};

/** Confirms a booking: once for the same body, however often the button is pressed. */
export function useConfirm({ flow, dispatch, today, draftId }: Props): Confirm {
  const t = useWords();
  const api = useApi();
  const { showAlert } = useAlerts();
  const session = useSession();
  const [busy, setBusy] = useState(false);
  const [otpError, setOtpError] = useState<UiText>();
  const [refused, setRefused] = useState<{ quoteId: string; form: FormState } | null>(null);
  const [problem, setProblem] = useState({ quoteId: "", text: "" });
  const [bookedBefore, setBookedBefore] = useState<BookedBefore | null>(null);

  const succeed = (message: string, [result]: readonly BookedShipment[]) => {
    if (result === undefined) {
      dispatch({ type: "attempted", attempt: null });
      showAlert("error", bookingMessages.noBookingData);
      return;
    }
    showAlert("success", message || bookingMessages.booked);
    dispatch({ type: "booked", result });
    api.profile().then(session.setUser, () => undefined);
  };
  const fail = (error: unknown, quoteId: string) => {
    // Without a clear answer the server may have booked: the next press must be the same attempt.
    if (error instanceof ApiError && !error.outcomeUnknown && !isStillPending(error)) {
      dispatch({ type: "attempted", attempt: null });
    }
    if (error instanceof ApiError && error.code === "draft_booked") {
      const { booking_id: bookingId } = error.body.data as { booking_id: string };
      setBookedBefore({ text: error.message, bookingId });
      return;
    }
    const fresh = freshQuote(error);
    if (fresh !== undefined) dispatch({ type: "price changed", quote: fresh });
    // The form's own alert tells them, above its fields and beside them.
    if (error instanceof ApiError && error.errors.some(({ path }) => RULES.has(path))) {
      const { message, errors } = error;
      setRefused({ quoteId, form: { message, errors, values: {} } });
      dispatch({ type: "went to", to: "details", typedValues: {} });
      return;
    }
    const context = { quoteId, needed: needsOtp(flow), last: flow.otp, nowMs: performance.now() };
    const news = otpStateAfter(error, context);
    if (news.kind === "wrong") setOtpError(news.text);
    if (news.kind === "asked" || news.kind === "early") {
      dispatch({ type: "otp asked", otp: news.otp });
    }
    // These two are told where they happened.
    if (news.kind === "asked" || (news.kind === "wrong" && flow.step === "otp")) return;
    const text = bookingErrorText(error, messages.bookingFailed);
    setProblem({ quoteId, text });
    showAlert("error", text);
  };
  const send = (otp: string) => {
    const { quoted, quote, draft, kyc } = flow;
    if (busy || quoted === null || quote === null || draft === null) return;
    if (
      otp === "" &&
      isForQuote(flow.otp, quote.quote_id) &&
      (flow.otp.againMs === 0 || performance.now() < flow.otp.againMs)
    ) {
      // Back from the OTP step: the one that was sent a moment ago, or before this page was
      // loaded, is still good.
      dispatch({ type: "otp asked", otp: flow.otp });
      return;
    }
    const missing = missingSentence(t, draft, isInternational(flow.quoted));
    if (missing !== null) {
      showAlert("error", missing);
      return;
    }
    const { user } = session;
    const body = bookingPayload({ id: draftId(), quoted, quote, draft, kyc, otp, today, user });
    setBusy(true);
    setOtpError(undefined);
    setRefused(null);
    setProblem({ quoteId: "", text: "" });
    const attempt = attemptFor(body, flow.attempt);
    dispatch({ type: "attempted", attempt });
    retryUntilAnswered(
      () => api.book(body, attempt.key),
      () => showAlert("success", bookingMessages.confirming),
    ).then(
      ({ message, data }) => {
        setBusy(false);
        succeed(message, Array.isArray(data) ? data : []);
      },
      (error: unknown) => {
        setBusy(false);
        fail(error, quote.quote_id);
      },
    );
  };
  const shown = flow.quote?.quote_id;
  return {
    busy,
    otpError,
    bookedBefore,
    refused: refused?.quoteId === shown ? (refused?.form ?? null) : null,
    problem: problem.quoteId === shown ? problem.text : "",
    send,
  };
}

/** The courier has not answered yet; the money is set aside. */
function isStillPending(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "in_flight";
}

/**
 * Asks under the same key until the courier has answered. The server holds each question for a
 * while, so a few of them take minutes.
 */
export async function retryUntilAnswered<T>(ask: () => Promise<T>, onWait: () => void): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isStillPending(error) || attempts >= CONFIRM_QUESTIONS_MAX) throw error;
      onWait();
    }
  }
}

/** The new price that comes with a refused quote. */
function freshQuote(error: unknown): RateOption | undefined {
  if (!(error instanceof ApiError) || error.code !== "quote_changed") return undefined;
  const { data } = error.body;
  return Array.isArray(data) ? (data as RateOption[])[0] : undefined;
}
