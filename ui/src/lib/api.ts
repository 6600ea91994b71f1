import { createContext, useContext } from "react";
import type { Content, Kept } from "../booking/kept";
import type { BookingPayload } from "../booking/payload";
import type { Preset, PresetFields, PresetKind } from "../booking/presets";
import type { Filter } from "../wallet/statement-filter";
import type {
  Country,
  History,
  LoggedInAt,
  PendingPayment,
  RateOption,
  Tracked,
  Transactions,
  User,
  VerifyResult,
} from "../wire";
import type { Call, Upload } from "./call";
import { messages } from "./messages";
import { searchOf } from "./query";

export type Registration = {
  username: string;
  email: string;
  password: string;
  password_confirm: string;
  first_name: string;
  last_name: string;
  phone: string;
};

export type RateRequest = {
  booking_type: number;
  origin_pincode: string;
  destination_pincode: string;
  destination_country?: string;
  shipment_type: number;
  weight: number;
  length: number;
  quantity: number;
  width?: number;
  height?: number;
};

export type ZipcodeResult = { state: string; city_area: string; state_code: string };

export type BookingResult = {
  airwaybilno: string;
  booking_id: string;
  pickup_id: string | null;
  dispatch_url: string | null;
  invoice_url: string | null;
};

export type KycResult = { document_path_1: string; document_path_2: string };

/** Two documents that were uploaded before and can be used again. */
export type EarlierKyc = KycResult & {
  organization_id: number;
  organization: string;
  document_1_id: number;
  document_1: string;
  document_2_id: number;
  document_2: string;
  created_at: number;
};

type PaymentOrder = {
  success: boolean;
  message: string;
  payment_data: { order_id: string; redirect_url: string; merchant_order_id: string };
};

type Data<T> = { data: T[] };

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
      call<{ tokens: { access: string }; user: User }>("POST", "auth/login/", {
        body: { username, password },
        fallback: messages.loginFailed,
        keepSession: true,
      }),
    register: (body: Registration) =>
      call<{ message: string; user: User }>("POST", "auth/register/", {
        body,
        fallback: messages.registrationFailed,
        keepSession: true,
      }),
    forgotPassword: (username: string) =>
      call<{ message: string; inbox_url: string | null }>("POST", "auth/forgot-password/", {
        body: { username },
        fallback: messages.unexpected,
        keepSession: true,
      }),
    resetPassword: (token: string, password: string, password_confirm: string) =>
      call<{ message: string }>("POST", "auth/reset-password/", {
        body: { token, password, password_confirm },
        fallback: messages.unexpected,
        keepSession: true,
      }),
    /** The session is over either way, so a refusal means nothing here. */
    logout: () =>
      call<unknown>("POST", "auth/logout/", { fallback: messages.unexpected, keepSession: true }),
    profile: (signal?: AbortSignal) =>
      call<User>("GET", "auth/profile/", { fallback: messages.profileFailed, ...given(signal) }),

    saveProfile: (profile: Record<string, string>) =>
      call<{ message: string; user: User }>("POST", "auth/profile/", {
        body: profile,
        fallback: messages.unexpected,
      }),
    changePassword: (passwords: Record<string, string>) =>
      call<{ message: string }>("POST", "auth/change-password/", {
        body: passwords,
        fallback: messages.unexpected,
      }),
    sessions: (signal?: AbortSignal) =>
      call<{ results: LoggedInAt[] }>("GET", "auth/sessions/", {
        fallback: messages.sessionsFailed,
        ...given(signal),
      }),
    endSession: (id: string) =>
      call<{ message: string }>("POST", `auth/sessions/${encodeURIComponent(id)}/end/`, {
        fallback: messages.unexpected,
      }),
    endOtherSessions: () =>
      call<{ message: string }>("POST", "auth/sessions/end-others/", {
        fallback: messages.unexpected,
      }),

    countries: (signal?: AbortSignal) =>
      call<Country[]>("GET", "shipping/countries/", {
        fallback: messages.countriesFailed,
        ...given(signal),
      }),
    checkZipcode: (country_id: number, zipcode: string) =>
      call<Data<ZipcodeResult>>("POST", "shipping/check-zipcode/", {
        body: { country_id, zipcode },
        fallback: messages.zipcodeFailed,
      }),
    rates: (body: RateRequest) =>
      call<Data<RateOption> & { notes?: string[] }>("POST", "shipping/calculate-rate/", {
        body,
        fallback: messages.ratesFailed,
      }),
    book: (body: BookingPayload, idempotencyKey: string) =>
      call<{ message: string } & Data<BookingResult>>("POST", "shipping/create-booking/", {
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
    /** The booking that the user has begun, or an earlier one to book again. */
    draft: (again: string, signal?: AbortSignal) =>
      call<Kept>("GET", `booking/draft/${searchOf({ again })}`, {
        fallback: messages.draftFailed,
        ...given(signal),
      }),
    /** Without content the draft is discarded. */
    saveDraft: (revision: number, content: Content | null) =>
      content === null
        ? call<{ revision: number }>("DELETE", `booking/draft/?revision=${revision}`, inPassing)
        : call<{ revision: number }>("PUT", "booking/draft/", {
            ...inPassing,
            body: { revision, content },
          }),
    presets: (signal?: AbortSignal) =>
      call<{ results: Preset[] }>("GET", "booking/presets/", {
        fallback: messages.presetsFailed,
        ...given(signal),
      }),
    savePreset: (kind: PresetKind, fields: PresetFields) =>
      call<{ results: Preset[] }>("POST", "booking/presets/", {
        body: { kind, fields },
        fallback: messages.presetFailed,
      }),
    uploadKyc: (body: FormData, onProgress: (share: number) => void) =>
      upload<{ statusCode: number; message: string; data: KycResult }>("booking/kyc-upload", body, {
        fallback: messages.kycUploadFailed,
        onProgress,
      }),
    earlierKyc: (signal?: AbortSignal) =>
      call<Data<EarlierKyc>>("GET", "booking/kyc/", {
        fallback: messages.kycOptionsFailed,
        ...given(signal),
      }),

    /** `next` is where to go on after paying; empty is the recharge page. */
    createPayment: (amount: number, next: string) =>
      call<PaymentOrder>("POST", "payment/phonepe/create/", {
        body: { amount, next },
        fallback: messages.paymentStartFailed,
      }),
    verifyPayment: (merchant_order_id: string) =>
      call<VerifyResult>("POST", "payment/phonepe/verify/", {
        body: { merchant_order_id },
        fallback: messages.paymentVerifyFailed,
      }),
    pendingPayments: (signal?: AbortSignal) =>
      call<{ results: PendingPayment[] }>("GET", "payment/phonepe/pending/", {
        fallback: messages.balanceFailed,
        ...given(signal),
      }),
    balance: (signal?: AbortSignal) =>
      call<{ balance: number }>("GET", "wallet/balance/", {
        fallback: messages.balanceFailed,
        ...given(signal),
      }),
    transactions: (page: number, limit: number, filter: Filter, signal?: AbortSignal) =>
      call<Listed<Transactions>>(
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

/** For calls that nobody waits for: they go on when the page is left, and a 401 logs nobody out. */
const inPassing = { fallback: messages.unexpected, keepalive: true, keepSession: true };

/** An absent signal must be an absent key. */
function given(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
