import { ApiError, type ErrorBody } from "./api-error";
import { REQUEST_TIMEOUT_MS, UPLOAD_ANSWER_MS, UPLOAD_SILENCE_MS } from "./limits";
import type { PageData, PageRedirect } from "../wire";
import { messages } from "./messages";

const BASE = "/api/v1/";

/**
 * All ways to the server. They resolve with the answer's body, and throw ApiError otherwise, or the
 * caller's own abort. The session cookie travels by itself: no credential is readable here.
 */
export function createCalls(deps: Deps) {
  return {
    call: async <T>(method: Method, path: string, options: CallOptions) => {
      const response = await send(deps.fetch, method, BASE + path, options);
      return bodyOrThrow<T>(deps, response.status, await readJson(response), options);
    },
    /** Asks a page's own address for what it is drawn from, or for where it leads. */
    page: async (href: string, options: CallOptions) => {
      const response = await send(deps.fetch, "GET", href, options);
      const body = await readJson(response);
      // A page that does not exist has a page of its own.
      const status = response.status === 404 && isPage(body) ? 200 : response.status;
      return bodyOrThrow<PageData | PageRedirect>(deps, status, body, options);
    },
    upload: <T>(path: string, body: FormData, options: UploadOptions) =>
      upload<T>(deps, path, body, options),
  };
}

export type Calls = ReturnType<typeof createCalls>;

export type CallOptions = {
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Shown when the server refuses without saying why. */
  fallback: string;
  signal?: AbortSignal | undefined;
  /** Goes on when the page is left. */
  keepalive?: boolean;
  /** A 401 is the caller's: it answers this very call (a wrong password), or a form goes on. */
  keepSession?: boolean;
};

type Method = "GET" | "POST" | "PUT" | "DELETE";

type Deps = {
  fetch: typeof fetch;
  /** Called on every 401 that means "logged out". */
  onUnauthorized: () => void;
};

function isPage(body: unknown): body is PageData {
  return typeof body === "object" && body !== null && "screen" in body;
}

type AnswerOptions = Pick<CallOptions, "fallback" | "keepSession">;

/** The body of a good answer; anything else is thrown as what the customer is told. */
function bodyOrThrow<T>(deps: Deps, status: number, body: unknown, options: AnswerOptions): T {
  if (status >= 200 && status < 300 && body !== undefined) return body as T;
  const refusal: ErrorBody = typeof body === "object" && body !== null ? body : {};
  const endsSession = status === 401 && options.keepSession !== true;
  if (endsSession) deps.onUnauthorized();
  const serverSentence = typeof refusal.message === "string" ? refusal.message : "";
  const ownSentence = status === 401 ? messages.unauthorized : options.fallback;
  throw new ApiError(serverSentence === "" ? ownSentence : serverSentence, status, refusal);
}

type UploadOptions = {
  fallback: string;
  /** Called with the share that was sent, 0 to 1. */
  onProgress: (share: number) => void;
};

/** Sends files and tells how far it got, which fetch cannot. */
function upload<T>(deps: Deps, path: string, body: FormData, options: UploadOptions) {
  return new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", BASE + path);
    request.setRequestHeader("accept", "application/json");
    request.responseType = "json";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waitFor = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), ms);
    };
    request.upload.onprogress = (event) => {
      waitFor(UPLOAD_SILENCE_MS);
      options.onProgress(event.loaded / event.total);
    };
    request.upload.onload = () => waitFor(UPLOAD_ANSWER_MS);
    request.onloadend = () => clearTimeout(timer);
    request.onload = () => {
      try {
        const answer: unknown = request.response ?? undefined;
        resolve(bodyOrThrow<T>(deps, request.status, answer, options));
      } catch (error) {
        reject(error as Error);
      }
    };
    request.onerror = () => reject(new ApiError(messages.network, 0, { code: "network" }));
    request.onabort = () => reject(new ApiError(messages.timeout, 0, { code: "timeout" }));
    request.send(body);
    waitFor(UPLOAD_SILENCE_MS);
  });
}

async function send(fetchFn: typeof fetch, method: string, href: string, options: CallOptions) {
  const controller = new AbortController();
  const stop = () => controller.abort();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, REQUEST_TIMEOUT_MS);
  options.signal?.addEventListener("abort", stop);
  try {
    return await fetchFn(href, {
      method,
      credentials: "same-origin",
      signal: controller.signal,
      keepalive: options.keepalive === true,
      ...encode(options),
    });
  } catch (cause) {
    if (timedOut) throw new ApiError(messages.timeout, 0, { code: "timeout" });
    if (options.signal?.aborted === true) throw cause;
    throw new ApiError(messages.network, 0, { code: "network" });
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", stop);
  }
}

/** The session is the cookie: no answer to a page carries a credential, in any browser. */
const OWN_HEADERS = { accept: "application/json", "x-session": "cookie" };

function encode(options: CallOptions): RequestInit {
  const headers: Record<string, string> = { ...OWN_HEADERS, ...options.headers };
  if (options.body === undefined) return { headers };
  headers["content-type"] = "application/json";
  return { headers, body: JSON.stringify(options.body) };
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
