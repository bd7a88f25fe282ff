import { AfterwordError } from "../errors.ts";
import type { RequestBody } from "./exchange.ts";

/** `peek` for a body that can do it without a promise. */
export function peekAt(
  body: Required<Pick<RequestBody, "peekInto">>,
  limit: number,
): ReturnType<RequestBody["peek"]> {
  return new Promise((resolve, reject) => {
    body.peekInto(limit, {
      peeked: (bytes, rest) => resolve({ bytes, rest }),
      lost: reject,
    });
  });
}

/** What reading a request's body ends with when the client goes away. */
export function clientGone(cause?: unknown): AfterwordError {
  return new AfterwordError("client-gone", "the client went away while it was sending", { cause });
}
