import { isAfterwordError } from "../../errors.ts";
import type { TransportError } from "../../gateway/transport.ts";

/**
 * Names why `fetch` failed. Its messages may quote the URL or a header's value, so only codes go
 * into the detail. `sent` is false only where the code proves that there was no connection.
 */
export function failureOf(error: unknown): TransportError {
  const code = codeOf(error);
  const sent = !isUnconnected(code);
  if (timeouts.has(code)) return { kind: "timeout", detail: code, sent };
  return { kind: sent ? "broken" : "unreachable", detail: code, sent };
}

/** The failure of an exchange whose request body broke off on the client's side. */
export function uploadFailure(error: unknown): TransportError {
  const tooLarge = isAfterwordError(error) && error.code === "body-too-large";
  return {
    kind: tooLarge ? "too-large" : "cancelled",
    detail: "the request body broke off",
    sent: true,
  };
}

/**
 * The code of the innermost cause that has one (Node wraps them), else of the error itself, else
 * its name.
 */
function codeOf(error: unknown): string {
  let code: string | null = null;
  let at: unknown = error;
  for (let depth = 0; depth < 4 && at instanceof Error; depth++) {
    if ("code" in at && typeof at.code === "string") code = at.code;
    at = at.cause;
  }
  return code ?? (error instanceof Error ? error.name : "unknown");
}

const timeouts: ReadonlySet<string> = new Set([
  "ETIMEDOUT",
  "TimeoutError",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
]);

/** An alert may come after the handshake, when the request is on its way (RFC 8446 section 6.2). */
function isUnconnected(code: string): boolean {
  if (code.includes("ALERT")) return false;
  return unconnected.has(code) || /CERT|SELF_SIGNED|ERR_TLS_|WRONG_VERSION_NUMBER/.test(code);
}

const unconnected: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  // Bun's names
  "ConnectionRefused",
  "FailedToOpenSocket",
]);
