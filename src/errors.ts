/** Codes of every failure Afterword reports: closed, stable; a new one is a minor release. */
export type ErrorCode =
  | "node-too-old"
  | "config-invalid"
  | "config-unreadable"
  | "argument-invalid"
  | "unknown-instance"
  | "listen-failed"
  | "demo-credentials-exposed"
  | "data-directory-unusable"
  | "database-unusable"
  | "route-keys-missing"
  | "content-invalid"
  | "upstream-refused"
  | "upstream-unreachable"
  | "upstream-timeout"
  | "upstream-broken"
  | "body-too-large"
  | "client-gone"
  | "overloaded"
  | "call-refused"
  | "call-unauthorized"
  | "call-not-found"
  | "call-rate-limited"
  | "call-failed"
  | "call-timeout"
  | "call-unreachable"
  | "call-answer-invalid"
  | "session-expired"
  | "internal";

/**
 * The one error class. Told apart by `code`, never by `instanceof` of a subclass, so that two
 * copies of the package in one process understand each other.
 *
 * @example
 * try { await loadConfig("config/afterword.yaml") } catch (error) {
 *   if (isAfterwordError(error) && error.code === "config-invalid") console.error(error.message);
 * }
 */
export class AfterwordError extends Error {
  override readonly name = "AfterwordError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** True for an {@link AfterwordError} of any copy of this package. */
export function isAfterwordError(value: unknown): value is AfterwordError {
  return value instanceof Error && value.name === "AfterwordError" && "code" in value;
}

/** True for a database or a Redis that is out of reach, which only the operator can repair. */
export function isOutage(value: unknown): value is AfterwordError {
  return isAfterwordError(value) && value.code === "database-unusable";
}
