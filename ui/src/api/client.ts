import { REQUEST_TIMEOUT_MS } from "../limits";
import { messages } from "../messages";
import { ApiError, type ErrorBody } from "./error";

const BASE = "/api/v1/";

export type CallOptions = {
  /** Sent as JSON, or as multipart when it is FormData. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Shown when the server refuses without saying why. */
  fallback: string;
  signal?: AbortSignal;
  /** A 401 answers this very call (a wrong password) and does not end the session. */
  keepSession?: boolean;
};

export type Call = <T>(method: "GET" | "POST", path: string, options: CallOptions) => Promise<T>;

type Deps = {
  fetch: typeof fetch;
  /** Called on every 401 that means "logged out". */
  onUnauthorized: () => void;
};

/**
 * The one way to the server. Resolves with the answer's body; throws ApiError otherwise, or the
 * caller's own abort. The session cookie travels by itself: no credential is readable here.
 */
export function createCall(deps: Deps): Call {
  return async function call<T>(method: "GET" | "POST", path: string, options: CallOptions) {
    const response = await send(deps.fetch, method, path, options);
    const body = await readJson(response);
    if (response.ok && body !== undefined) return body as T;
    const refusal: ErrorBody = typeof body === "object" && body !== null ? body : {};
    const endsSession = response.status === 401 && options.keepSession !== true;
    if (endsSession) deps.onUnauthorized();
    const spoken = typeof refusal.message === "string" ? refusal.message : "";
    const silent = response.status === 401 ? messages.unauthorized : options.fallback;
    throw new ApiError(spoken === "" ? silent : spoken, response.status, refusal);
  };
}

async function send(fetchFn: typeof fetch, method: string, path: string, options: CallOptions) {
  const controller = new AbortController();
  const stop = () => controller.abort();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, REQUEST_TIMEOUT_MS);
  options.signal?.addEventListener("abort", stop);
  try {
    return await fetchFn(BASE + path, {
      method,
      credentials: "same-origin",
      signal: controller.signal,
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

function encode(options: CallOptions): RequestInit {
  const headers: Record<string, string> = { accept: "application/json", ...options.headers };
  if (options.body === undefined) return { headers };
  // The browser writes the boundary of a multipart body itself.
  if (options.body instanceof FormData) return { headers, body: options.body };
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
