import { isAfterwordError } from "../../errors.ts";
import type { AnswerReceiver, Failure, HttpRequest } from "../../http/types.ts";

/** Carries requests to upstreams. One per process; safe for any number at once. Never throws. */
export interface Transport {
  send(request: HttpRequest, receiver: AnswerReceiver): () => void; // the returned function cancels
}

/** The failure of a request whose body ended early, by our own limit or because its client left. */
export function uploadFailure(error: unknown): Failure {
  const code = isAfterwordError(error) ? error.code : "client-gone";
  const kind =
    code === "body-too-large" ? "too-large" : code === "client-gone" ? "cancelled" : "broken";
  return { kind, detail: `the request body broke off: ${code}`, sent: true };
}
