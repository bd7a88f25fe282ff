import type { Gate, Trace } from "../../direct-answers/types.ts";
import type { Failure, RawHeaders } from "../../http/types.ts";
import type { ExchangeCore } from "../exchange/accounting.ts";
import type { Admission } from "../exchange/admission.ts";
import type { Transport } from "../exchange/transport.ts";
import type { Base } from "./base.ts";
import type { Discovery } from "./discovery.ts";
import type { SignedRoutes } from "./signed-routes.ts";

/** The parts of the process that this folder needs. */
export interface UpstreamCore extends ExchangeCore {
  readonly admission: Admission;
  readonly discovery: Discovery;
  readonly routes: SignedRoutes;
  /** The text of our Via: `1.1 afterword-<id>`. */
  readonly via: string;
}

/** How one request is forwarded. */
export interface Route {
  /** In metrics and logs. */
  readonly name: string;
  readonly to: Destination;
  /** May take the places that are reserved for authentication. */
  readonly reserved: boolean;
  /** Ends the exchange after `timeouts.total`; else only silence (`idle`) does. */
  readonly bounded: boolean;
  /** The change of the answer's body. Null if it passes unchanged. */
  readonly transform: Transform | null;
  /** The gate that was closed before the request was sent. Null or absent if none was. */
  readonly gate?: Gate | null;
  /**
   * Called after the answer was sent.
   *
   * @param question the first bytes of the request's body, without its content coding
   */
  readonly answered?: ((outcome: RelayOutcome, question: Uint8Array) => void) | undefined;
  /** The transport for this request, instead of the platform's. */
  readonly transport?: Transport;
}

/** The result of a forwarded request, for metrics, the log and insights. */
export interface RelayOutcome {
  readonly status: number;
  /** Milliseconds from sending to a collected answer's end, else null. */
  readonly upstreamTime: number | null;
  readonly failure: Failure | null;
  /** The decision about the answer's texts. */
  readonly decided: Gate | Trace | null;
  /** The whole body as it came; null if it was sent in pieces. */
  readonly body: Uint8Array | null;
}

/** A request's destination, and the gateway's address under which the client knows it. */
export interface Destination {
  /** Its key in `apis`; `auth` and `page` are the services beside the products. */
  readonly product: string;
  readonly base: Base;
  /** The operator named the host: private addresses are allowed. */
  readonly trusted: boolean;
  /** Forwarded byte for byte after the base. */
  readonly rest: string;
  /** Our public address of that base, without trailing slash. */
  readonly route: () => string;
}

/** The change of one answer's body. Made before the request's body is read. */
export interface Transform {
  /** False if the body is only read, and goes out as it came. */
  readonly edits: boolean;
  /**
   * Null or an exception sends the original.
   *
   * @param body the whole body, without its content coding
   * @param question the first bytes of the request's body, without its content coding
   */
  apply(body: Uint8Array, question: Uint8Array): Promise<Transformed | null>;
}

/** The result for an answer's body. */
export interface Transformed {
  /** Null if it is sent unchanged. */
  readonly body: Uint8Array | null;
  /** The gate that was closed, or the decisions about a message's texts. */
  readonly decided: Gate | Trace | null;
  /** Fields added to the answer's head: only the trace that the client requested. */
  readonly fields: RawHeaders;
}
