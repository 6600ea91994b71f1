import type { Filter } from "../wallet/statement-filter";
import type {
  Balance,
  Booked,
  BookingForm,
  CodeWanted,
  Country,
  DataEarlierUpload,
  DataZipcode,
  Message,
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
import { appContext } from "./app-context";
import type { CallOptions, Calls } from "./call";
import { messages } from "./messages";
import { searchOf } from "./query";

/** A page of a list, or the list alone; how many there are is called `count` or `total`. */
type Listed<T extends { results: unknown[] }> = T["results"] | (T & { total?: number });

function checkedList<T extends { results: unknown[]; count: number }>(answer: Listed<T>): T {
  const page = (Array.isArray(answer) ? { results: answer } : answer) as T & { total?: number };
  return { ...page, count: page.count ?? page.total ?? page.results.length };
}

/** Every call that the screens make, each with a sentence for when the server gives no reason. */
export function createApi({ call, page, upload }: Calls) {
  const get = <T>(path: string, fallback: string, signal?: AbortSignal) =>
    call<T>("GET", path, { fallback, signal });
  const post = <T>(
    path: string,
    body: unknown,
    fallback: string = messages.unexpected,
    options: Partial<CallOptions> = {},
  ) => call<T>("POST", path, { body, fallback, ...options });
  return {
    page: (href: string, fallback: string, signal: AbortSignal) => page(href, { fallback, signal }),
    login: (username: string, password: string) => {
      const body = { username, password };
      return post<LoginAnswer | CodeWanted>(
        "auth/login/",
        body,
        messages.loginFailed,
        KEEP_SESSION,
      );
    },
    register: (body: Registration) =>
      post<Registered>("auth/register/", body, messages.registrationFailed, KEEP_SESSION),
    forgotPassword: (username: string) =>
      post<ResetAsked>("auth/forgot-password/", { username }, messages.unexpected, KEEP_SESSION),
    /** The session is over either way, so a refusal means nothing here. */
    logout: () => post<unknown>("auth/logout/", undefined, messages.unexpected, KEEP_SESSION),
    profile: () => get<User>("auth/profile/", messages.profileFailed),

    saveProfile: (profile: ProfileChange) =>
      post<ProfileSaved>("auth/profile/", profile, messages.unexpected, KEEP_SESSION),
    changePassword: (passwords: PasswordChange) =>
      post<Message>("auth/change-password/", passwords),
    endSession: (id: string, body: Identity) =>
      post<Message>(`auth/sessions/${encodeURIComponent(id)}/end/`, body),
    endOtherSessions: (body: Identity) => post<Message>("auth/sessions/end-others/", body),

    countries: (signal?: AbortSignal) =>
      get<Country[]>("shipping/countries/", messages.countriesFailed, signal),
    countriesNamed: (text: string) => {
      const path = `shipping/countries/?country_name=${encodeURIComponent(text)}`;
      return get<Country[]>(path, messages.countriesFailed);
    },
    checkZipcode: (country_id: number, zipcode: string) => {
      const body = { country_id, zipcode };
      return post<DataZipcode>("shipping/check-zipcode/", body, messages.zipcodeFailed);
    },
    rates: (body: RateRequest) =>
      post<Rates>("shipping/calculate-rate/", body, messages.ratesFailed),
    book: (body: BookingForm, idempotencyKey: string) => {
      const headers = { "idempotency-key": idempotencyKey };
      return post<Booked>("shipping/create-booking/", body, messages.bookingFailed, { headers });
    },
    history: (page: number, limit: number, signal?: AbortSignal) => {
      const path = `shipping/history/?page=${page}&limit=${limit}`;
      return get<Listed<History>>(path, messages.bookingsFailed, signal).then(checkedList);
    },
    track: (awb: string, signal?: AbortSignal) =>
      get<Tracked>(`shipping/track/${encodeURIComponent(awb)}/`, messages.trackFailed, signal),
    /** Without content the draft is discarded. */
    saveDraft: (revision: number, content: DraftContent | null) =>
      content === null
        ? call<DraftSaved>("DELETE", `booking/draft/?revision=${revision}`, BACKGROUND)
        : call<DraftSaved>("PUT", "booking/draft/", { ...BACKGROUND, body: { revision, content } }),
    presets: (signal?: AbortSignal) =>
      get<Presets>("booking/presets/", messages.presetsFailed, signal),
    savePreset: (body: NewPreset) => post<Presets>("booking/presets/", body, messages.presetFailed),
    uploadKyc: (body: FormData, onProgress: (share: number) => void) =>
      upload<KycUploaded>("booking/kyc-upload", body, {
        fallback: messages.kycUploadFailed,
        onProgress,
      }),
    earlierKyc: (signal?: AbortSignal) =>
      get<DataEarlierUpload>("booking/kyc/", messages.kycOptionsFailed, signal),

    /** `next` is where to go on after paying; empty is the recharge page. */
    createPayment: (amount: number, next: string) => {
      const body = { amount, next };
      const path = "payment/phonepe/create/";
      return post<Partial<OrderCreated>>(path, body, messages.paymentStartFailed, KEEP_SESSION);
    },
    verifyPayment: (merchant_order_id: string) => {
      const body = { merchant_order_id };
      return post<VerifyResult>("payment/phonepe/verify/", body, messages.paymentVerifyFailed);
    },
    balance: (signal?: AbortSignal) =>
      get<Balance>("wallet/balance/", messages.balanceFailed, signal),
    answerWeightClaim: (id: string, answer: "accept" | "dispute", reason: string) => {
      const path = `wallet/weight-differences/${encodeURIComponent(id)}/${answer}/`;
      const keepSession = answer === "dispute";
      return post<WeightClaimAnswered>(path, { reason }, messages.unexpected, { keepSession });
    },
    transactions: (page: number, limit: number, filter: Filter, signal?: AbortSignal) => {
      const search = searchOf({ page: String(page), limit: String(limit), ...filter });
      const path = `wallet/transactions/${search}`;
      const fallback = messages.transactionsFetchFailed;
      return get<Listed<ListedTransaction>>(path, fallback, signal).then(checkedList);
    },
  };
}

export type Api = ReturnType<typeof createApi>;

/** The calls to the server. Pages and the subjects' own components use it; parts never do. */
export const [ApiContext, useApi] = appContext<Api>("useApi");

const KEEP_SESSION = { keepSession: true };

/** For calls that nobody waits for: they go on when the page is left, and a 401 logs nobody out. */
const BACKGROUND = { ...KEEP_SESSION, fallback: messages.unexpected, keepalive: true };
