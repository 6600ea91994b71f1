import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createApi } from "./api";
import { ApiError, bookingErrorText, errorSentence } from "./api-error";
import { createCalls } from "./call";
import { createForceLogout } from "./session";

/** A server that gives one answer, and what it was asked. */
function server(status: number, body: unknown) {
  const asked: { url: string; init: RequestInit }[] = [];
  const onUnauthorized = vi.fn();
  const calls = createCalls({
    fetch: (url, init) => {
      asked.push({ url: String(url), init: init ?? {} });
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return Promise.resolve(new Response(text, { status }));
    },
    onUnauthorized,
  });
  return { api: createApi(calls), asked, onUnauthorized };
}

async function refusal(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

/** The message of a refusal for the customer. */
const refusalMessage = async (promise: Promise<unknown>) => (await refusal(promise)).message;

describe("a call", () => {
  test("sends JSON to the API and gives the body back", async () => {
    const { api, asked } = server(200, { tokens: { access: "cookie" }, user: null });
    expect(await api.login("asha", "secret")).toEqual({ tokens: { access: "cookie" }, user: null });
    expect(asked[0]?.url).toBe("/api/v1/auth/login/");
    expect(asked[0]?.init.body).toBe('{"username":"asha","password":"secret"}');
    expect(asked[0]?.init.headers).toMatchObject({
      "content-type": "application/json",
      "x-session": "cookie",
    });
  });

  test("says what the server says, and its own sentence when the server is silent", async () => {
    expect(await refusalMessage(server(409, { message: "Taken." }).api.balance())).toBe("Taken.");
    expect(await refusalMessage(server(500, "<html>").api.balance())).toBe(
      "Failed to fetch wallet balance",
    );
    expect(await refusalMessage(server(200, "not JSON").api.profile())).toBe(
      "Failed to fetch profile",
    );
  });

  test("every call has its own sentence for a silent server", async () => {
    const { api } = server(500, "");
    const filter = { from: "", to: "", type: "" } as const;
    const calls = [
      api.transactions(1, 5, filter),
      api.countries(),
      api.checkZipcode(97, "560001"),
      api.track("DK1"),
    ];
    expect(await Promise.all(calls.map(refusalMessage))).toEqual([
      "Failed to fetch transactions",
      "Failed to fetch countries",
      "Failed to check zipcode",
      "Failed to track shipment",
    ]);
  });

  test("ends the session on 401, but not when the password was wrong", async () => {
    const expired = server(401, {});
    expect(await refusalMessage(expired.api.balance())).toBe("Unauthorized");
    expect(expired.onUnauthorized).toHaveBeenCalledOnce();
    const wrong = server(401, { message: "Wrong username or password." });
    expect(await refusalMessage(wrong.api.login("a", "b"))).toBe("Wrong username or password.");
    expect(wrong.onUnauthorized).not.toHaveBeenCalled();
  });

  const FAILED = "This page could not be loaded.";

  test("asks a page's own address, and knows a page that does not exist", async () => {
    const { signal } = new AbortController();
    const page = { screen: "not-found", data: null };
    const { api, asked } = server(404, page);
    expect(await api.page("/bookings/DK9?from=list", FAILED, signal)).toEqual(page);
    expect(asked[0]?.url).toBe("/bookings/DK9?from=list");
    expect(asked[0]?.init.headers).toMatchObject({ accept: "application/json" });
    const elsewhere = { redirect: "/dashboard" };
    expect(await server(200, elsewhere).api.page("/login", FAILED, signal)).toEqual(elsewhere);
    const expired = server(401, { redirect: "/login?next=/dashboard" });
    expect((await refusal(expired.api.page("/dashboard", FAILED, signal))).status).toBe(401);
    expect(expired.onUnauthorized).toHaveBeenCalledOnce();
    expect(await refusalMessage(server(404, {}).api.page("/x", FAILED, signal))).toBe(FAILED);
  });

  test("keeps the fields' errors", async () => {
    const errors = [{ path: "email", message: "Taken." }];
    const { api } = server(400, { message: "No", errors });
    expect((await refusal(api.profile())).errors).toEqual(errors);
  });

  test("blames the connection when no answer comes", async () => {
    const calls = createCalls({
      fetch: () => Promise.reject(new TypeError("Failed to fetch")),
      onUnauthorized: vi.fn(),
    });
    const error = await refusal(createApi(calls).balance());
    expect(error.message).toBe("Network error. Please check your connection.");
    expect(error.outcomeUnknown).toBe(true);
  });

  describe("that takes too long", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    test("is given up after thirty seconds", async () => {
      const hang: typeof fetch = (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
        });
      const calls = createCalls({ fetch: hang, onUnauthorized: vi.fn() });
      const sentence = refusalMessage(createApi(calls).balance());
      await vi.advanceTimersByTimeAsync(30_000);
      expect(await sentence).toBe("Request timeout. Please try again.");
    });
  });
});

test("the forced logout fires once a second however many calls are refused", () => {
  const fire = vi.fn();
  let now_ms = 0;
  const forceLogout = createForceLogout(fire, () => now_ms);
  for (const at of [0, 10, 999]) {
    now_ms = at;
    forceLogout();
  }
  expect(fire).toHaveBeenCalledTimes(1);
  now_ms = 1000;
  forceLogout();
  expect(fire).toHaveBeenCalledTimes(2);
});

test("a booking's refusal is one sentence with all its parts", () => {
  const fallback = "Failed to create booking";
  const error = new ApiError("Invalid booking", 400, {
    errors: [
      { path: "weight", message: "too heavy" },
      { path: "consignee_name", message: "required" },
    ],
    error: "VALIDATION",
    details: "See the form",
  });
  expect(bookingErrorText(error, fallback)).toBe(
    "Invalid booking - weight: too heavy, consignee_name: required - VALIDATION - See the form",
  );
  expect(bookingErrorText(new Error("x"), fallback)).toBe(fallback);
  expect(errorSentence(new Error("internal"), "Login failed")).toBe("Login failed");
});
