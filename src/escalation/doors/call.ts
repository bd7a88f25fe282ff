/**
 * One HTTP call to another service, the way the doors make it. What carries it (sockets, `fetch`,
 * an app in this process) is the runtime's matter.
 */
export interface OutsideCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Base address without a trailing slash, or `embedded:<product>`. */
  readonly base: string;
  /** Path and query below the base. Starts with `/`. */
  readonly path: string;
  /** name, value, … end to end; without Host and Content-Length. */
  readonly headers: readonly string[];
  readonly body: Uint8Array | null;
  /** Milliseconds for the whole call. */
  readonly deadline: number;
}

export type OutsideAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** Whether it says when to come again (Retry-After). */
      readonly retryAfter: boolean;
      /** Without content coding. */
      readonly body: Uint8Array;
    }
  | {
      readonly kind: "failed";
      /** True when bytes of the request may have reached the other side. */
      readonly sent: boolean;
      /** A few words of our own: no address, text or secret. */
      readonly problem: string;
    };

/** Makes a call. Never rejects, never follows a redirect, never sends anything twice. */
export type Outside = (call: OutsideCall) => Promise<OutsideAnswer>;
