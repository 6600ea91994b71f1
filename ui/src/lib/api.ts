import { createContext, useContext } from "react";
import type { Filter } from "../wallet/statement-filter";
import type {
  Balance,
  Booked,
  BookingForm,
  CodeWanted,
  Country,
  DataEarlierUpload,
  DataZipcode,
  Done,
  DraftContent,
  DraftSaved,
  History,
  Identity,
  KycUploaded,
  ListedTransaction,
  LoginAnswer,
  NewPreset,
  OrderCreated,
  PasswordChange,
  Presets,
  ProfileChange,
  ProfileSaved,
  RateRequest,
  Rates,
  Registered,
  Registration,
  ResetAsked,
  Tracked,
  User,
  VerifyResult,
  WeightClaimAnswered,
} from "../wire";
import type { Calls } from "./call";
import { messages } from "./messages";
import { searchOf } from "./query";

/** A page of a list, or the list alone; how many there are is called `count` or `total`. */
type Listed<T extends { results: unknown[] }> = T["results"] | (T & { total?: number });

function listOf<T extends { results: unknown[]; count: number }>(answer: Listed<T>): T {
  const page = (Array.isArray(answer) ? { results: answer } : answer) as T & { total?: number };
  return { ...page, count: page.count ?? page.total ?? page.results.length };
}

/** Every call that the screens make, each with a sentence for when the server gives no reason. */
export function createApi({ call, page, upload }: Calls) {
  return {
    page: (href: string, fallback: string, signal: AbortSignal) => page(href, { fallback, signal }),
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
    balance: (signal?: AbortSignal) =>
      call<Balance>("GET", "wallet/balance/", {
        fallback: messages.balanceFailed,
        ...given(signal),
      }),
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
