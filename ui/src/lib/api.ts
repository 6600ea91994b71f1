import { createContext, useContext } from "react";
import type { Filter } from "../wallet/statement-filter";
import type {
  Activities,
  Balance,
  Booked,
  BookingForm,
  BookingsFound,
  BookingView,
  CodeWanted,
  Country,
  DataEarlierUpload,
  DataZipcode,
  Done,
  DraftContent,
  DraftSaved,
  History,
  Identity,
  KeptDraft,
  KycUploaded,
  LetterChoices,
  ListedTransaction,
  LoginAnswer,
  NewPreset,
  OrderCreated,
  Passkeys,
  PasswordChange,
  PendingPayments,
  Presets,
  ProfileChange,
  ProfileSaved,
  RateRequest,
  Rates,
  Registered,
  Registration,
  ResetAsked,
  Sessions,
  Tracked,
  User,
  VerifyResult,
  WeightClaimAnswered,
  WeightClaims,
} from "../wire";
import type { Call, Upload } from "./call";
import { messages } from "./messages";
import { searchOf } from "./query";

/** A page of a list, or the list alone; how many there are is called `count` or `total`. */
type Listed<T extends { results: unknown[] }> = T["results"] | (T & { total?: number });

function listOf<T extends { results: unknown[]; count: number }>(answer: Listed<T>): T {
  const page = (Array.isArray(answer) ? { results: answer } : answer) as T & { total?: number };
  return { ...page, count: page.count ?? page.total ?? page.results.length };
}

/** Every call that the screens make, each with a sentence for when the server gives no reason. */
export function createApi(call: Call, upload: Upload) {
  return {
    login: (username: string, password: string) =>
      call<LoginAnswer | CodeWanted>("POST", "auth/login/", {
        body: { username, password },
        fallback: messages.loginFailed,
        keepSession: true,
      }),
    register: (body: Registration) =>
      call<Registered>("POST", "auth/register/", {
        body,
        fallback: messages.registrationFailed,
        keepSession: true,
      }),
    forgotPassword: (username: string) =>
      call<ResetAsked>("POST", "auth/forgot-password/", {
        body: { username },
        fallback: messages.unexpected,
        keepSession: true,
      }),
    resetPassword: (token: string, password: string, password_confirm: string) =>
      call<Done>("POST", "auth/reset-password/", {
        body: { token, password, password_confirm },
        fallback: messages.unexpected,
        keepSession: true,
      }),
    /** The session is over either way, so a refusal means nothing here. */
    logout: () =>
      call<unknown>("POST", "auth/logout/", { fallback: messages.unexpected, keepSession: true }),
    profile: (signal?: AbortSignal) =>
      call<User>("GET", "auth/profile/", { fallback: messages.profileFailed, ...given(signal) }),

    saveProfile: (profile: ProfileChange) =>
      call<ProfileSaved>("POST", "auth/profile/", {
        body: profile,
        fallback: messages.unexpected,
        keepSession: true,
      }),
    changePassword: (passwords: PasswordChange) =>
      call<Done>("POST", "auth/change-password/", {
        body: passwords,
        fallback: messages.unexpected,
      }),
    sessions: (signal?: AbortSignal) =>
      call<Sessions>("GET", "auth/sessions/", {
        fallback: messages.sessionsFailed,
        ...given(signal),
      }),
    passkeys: (signal?: AbortSignal) =>
      call<Passkeys>("GET", "auth/passkeys/", { fallback: messages.unexpected, ...given(signal) }),
    activity: (signal?: AbortSignal) =>
      call<Activities>("GET", "auth/activity/", {
        fallback: messages.unexpected,
        ...given(signal),
      }),
    letters: (signal?: AbortSignal) =>
      call<LetterChoices>("GET", "auth/letters/", {
        fallback: messages.unexpected,
        ...given(signal),
      }),
    endSession: (id: string, body: Identity) =>
      call<Done>("POST", `auth/sessions/${encodeURIComponent(id)}/end/`, {
        body,
        fallback: messages.unexpected,
      }),
    endOtherSessions: (body: Identity) =>
      call<Done>("POST", "auth/sessions/end-others/", {
        body,
        fallback: messages.unexpected,
      }),

    countries: (signal?: AbortSignal) =>
      call<Country[]>("GET", "shipping/countries/", {
        fallback: messages.countriesFailed,
        ...given(signal),
      }),
    checkZipcode: (country_id: number, zipcode: string) =>
      call<DataZipcode>("POST", "shipping/check-zipcode/", {
        body: { country_id, zipcode },
        fallback: messages.zipcodeFailed,
      }),
    rates: (body: RateRequest) =>
      call<Rates>("POST", "shipping/calculate-rate/", {
        body,
        fallback: messages.ratesFailed,
      }),
    book: (body: BookingForm, idempotencyKey: string) =>
      call<Booked>("POST", "shipping/create-booking/", {
        body,
        headers: { "idempotency-key": idempotencyKey },
        fallback: messages.bookingFailed,
      }),
    bookings: (search: Readonly<Record<string, string>>, signal?: AbortSignal) =>
      call<BookingsFound>("GET", `shipping/bookings/${searchOf(search)}`, {
        fallback: messages.bookingsFailed,
        ...given(signal),
      }),
    booking: (id: string, signal?: AbortSignal) =>
      call<BookingView>("GET", `shipping/booking/${encodeURIComponent(id)}/details/`, {
        fallback: messages.bookingsFailed,
        ...given(signal),
      }),
    history: (page: number, limit: number, signal?: AbortSignal) =>
      call<Listed<History>>("GET", `shipping/history/?page=${page}&limit=${limit}`, {
        fallback: messages.bookingsFailed,
        ...given(signal),
      }).then(listOf),
    track: (awb: string, signal?: AbortSignal) =>
      call<Tracked>("GET", `shipping/track/${encodeURIComponent(awb)}/`, {
        fallback: messages.trackFailed,
        ...given(signal),
      }),
    /** The booking that the user has begun, or an earlier one to book again. */
    draft: (again: string, signal?: AbortSignal) =>
      call<KeptDraft>("GET", `booking/draft/${searchOf({ again })}`, {
        fallback: messages.draftFailed,
        ...given(signal),
      }),
    /** Without content the draft is discarded. */
    saveDraft: (revision: number, content: DraftContent | null) =>
      content === null
        ? call<DraftSaved>("DELETE", `booking/draft/?revision=${revision}`, inPassing)
        : call<DraftSaved>("PUT", "booking/draft/", {
            ...inPassing,
            body: { revision, content },
          }),
    presets: (signal?: AbortSignal) =>
      call<Presets>("GET", "booking/presets/", {
        fallback: messages.presetsFailed,
        ...given(signal),
      }),
    savePreset: (body: NewPreset) =>
      call<Presets>("POST", "booking/presets/", {
        body,
        fallback: messages.presetFailed,
      }),
    uploadKyc: (body: FormData, onProgress: (share: number) => void) =>
      upload<KycUploaded>("booking/kyc-upload", body, {
        fallback: messages.kycUploadFailed,
        onProgress,
      }),
    earlierKyc: (signal?: AbortSignal) =>
      call<DataEarlierUpload>("GET", "booking/kyc/", {
        fallback: messages.kycOptionsFailed,
        ...given(signal),
      }),

    /** `next` is where to go on after paying; empty is the recharge page. */
    createPayment: (amount: number, next: string) =>
      call<OrderCreated>("POST", "payment/phonepe/create/", {
        body: { amount, next },
        fallback: messages.paymentStartFailed,
        keepSession: true,
      }),
    verifyPayment: (merchant_order_id: string) =>
      call<VerifyResult>("POST", "payment/phonepe/verify/", {
        body: { merchant_order_id },
        fallback: messages.paymentVerifyFailed,
      }),
    pendingPayments: (signal?: AbortSignal) =>
      call<PendingPayments>("GET", "payment/phonepe/pending/", {
        fallback: messages.balanceFailed,
        ...given(signal),
      }),
    balance: (signal?: AbortSignal) =>
      call<Balance>("GET", "wallet/balance/", {
        fallback: messages.balanceFailed,
        ...given(signal),
      }),
    weightClaims: (signal?: AbortSignal) =>
      call<WeightClaims>("GET", WEIGHTS, { fallback: messages.unexpected, ...given(signal) }),
    answerWeightClaim: (id: string, answer: "accept" | "dispute", reason: string) =>
      call<WeightClaimAnswered>("POST", `${WEIGHTS}${encodeURIComponent(id)}/${answer}/`, {
        body: { reason },
        fallback: messages.unexpected,
        keepSession: answer === "dispute",
      }),
    transactions: (page: number, limit: number, filter: Filter, signal?: AbortSignal) =>
      call<Listed<ListedTransaction>>(
        "GET",
        `wallet/transactions/${searchOf({ page: String(page), limit: String(limit), ...filter })}`,
        { fallback: messages.transactionsFetchFailed, ...given(signal) },
      ).then(listOf),
  };
}

export type Api = ReturnType<typeof createApi>;

export const ApiContext = createContext<Api | null>(null);

/** The calls to the server. Pages and the subjects' own components use it; parts never do. */
export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error("useApi outside of App");
  return api;
}

const WEIGHTS = "wallet/weight-differences/";

/** For calls that nobody waits for: they go on when the page is left, and a 401 logs nobody out. */
const inPassing = { fallback: messages.unexpected, keepalive: true, keepSession: true };

/** An absent signal must be an absent key. */
function given(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
