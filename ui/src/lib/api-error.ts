import type { FieldError, Refusal } from "../wire";
import type { UiText } from "../words/words";

/** The error of a field, in the words of the server or of the interface. */
export type FieldProblem = { path: string; message: UiText };

/** The body of any answer that is not 2xx. */
export type ErrorBody = Partial<Refusal> & { error?: string; details?: string };

/** A call that did not succeed. `message` may be shown to the customer as it stands. */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The server's code, or "timeout" / "network" when no answer came. */
  readonly code: string;
  readonly errors: FieldError[];
  readonly body: ErrorBody;

  constructor(message: string, status: number, body: ErrorBody = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    this.code = body.code ?? "";
    this.errors = Array.isArray(body.errors) ? body.errors : [];
  }

  /** True when the server may have acted although no clear answer came back. */
  get outcomeUnknown(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

/** The sentence to show for an error: the server's own, else the fallback. */
export function errorSentence(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== "" ? error.message : fallback;
}

/**
 * A booking's refusal as one alert: the message, "path: message" of each field, then error, then
 * details, joined with " - ". The form is long, and a wrong field may be out of sight.
 */
export function bookingErrorText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  const fields = error.errors.map((field) => `${field.path}: ${field.message}`).join(", ");
  const parts = [error.message || fallback, fields, error.body.error, error.body.details];
  return parts
    .filter((part): part is string => typeof part === "string" && part !== "")
    .join(" - ");
}

/** The sentence for one field, if there is one. */
export function fieldErrorSentence(
  errors: readonly FieldProblem[],
  name: string,
): UiText | undefined {
  return errors.find((error) => error.path === name)?.message;
}
