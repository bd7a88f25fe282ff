import { isAfterwordError, type ErrorCode } from "../errors.ts";
import type { TransportError, TransportErrorKind } from "../gateway/transport.ts";

/**
 * Names what went wrong without quoting it: codes and our own words, never a message of a library,
 * which may carry the target or a header's value. `started` says that the request had a connection
 * and went out.
 */
export function toTransportError(error: unknown, started: boolean): TransportError {
  const code = codeOf(error);
  const kind =
    (isAfterwordError(error) ? ownKinds[error.code] : undefined) ??
    timeoutCodes.get(code) ??
    (started ? "broken" : "unreachable");
  return { kind, detail: detailOf(error, code), sent: started };
}

const ownKinds: Partial<Record<ErrorCode, TransportErrorKind>> = {
  "upstream-refused": "refused",
  "upstream-unreachable": "unreachable",
  "upstream-timeout": "timeout",
  "body-too-large": "too-large",
  "client-gone": "cancelled",
};

const timeoutCodes: ReadonlyMap<string, TransportErrorKind> = new Map([
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["ETIMEDOUT", "timeout"],
]);

/** @param otherwise where there is neither a code nor an error's name */
export function codeOf(error: unknown, otherwise = "unknown"): string {
  if (typeof error === "object" && error !== null && "code" in error) {
    if (typeof error.code === "string") return error.code;
  }
  return error instanceof Error ? error.name : otherwise;
}

function detailOf(error: unknown, code: string): string {
  // Our own messages are written to be logged; undici's about a socket are constants ("other side
  // closed").
  const safe = isAfterwordError(error) || code === "UND_ERR_SOCKET";
  return safe && error instanceof Error ? `${code}: ${error.message}` : code;
}
