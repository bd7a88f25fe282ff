import type { Client } from "../../http/client-address.ts";
import { AfterwordError } from "../../errors.ts";
import type { RawHeaders } from "../../http/types.ts";

/** A client's request and the reply to it, from the platform's runtime to the gateway. */
export interface Exchange {
  readonly method: string;
  /** The request-target byte for byte: origin-form, absolute-form or `*`. */
  readonly target: string;
  readonly headers: RawHeaders;
  readonly body: RequestBody | null;
  /**
   * The other end, `trusted` if it is one of `listen.trustProxies`, whose forwarding fields are
   * believed; null where there is no socket (Workers, in-process).
   */
  readonly peer: {
    readonly address: string;
    readonly encrypted: boolean;
    readonly trusted: boolean;
  } | null;
  /** The client: the peer, or the one that a trusted proxy names. */
  readonly client: Client;
  /** The scheme of the URL that the platform was asked for, where there is no socket. */
  readonly scheme?: "http" | "https";
  readonly reply: Reply;
}

/** The parts of a request that determine its destination. */
export type RequestHead = Pick<Exchange, "method" | "target" | "headers">;

/** A request body that has not been read yet. */
export interface RequestBody {
  /** Declared Content-Length in bytes, or null when chunked. */
  readonly length: number | null;
  /**
   * Reads up to `limit` bytes; rejects with `client-gone`, or `overloaded` without room. May be called
   * once.
   */
  peek(limit: number): Promise<PeekedBody>;
}

export interface PeekedBody {
  readonly bytes: Uint8Array;
  /** The bytes after `bytes`; null when the body ended within them. */
  readonly rest: AsyncIterable<Uint8Array> | null;
}

/** Creates the error that ends the reading of a request's body when the client goes away. */
export function createClientGoneError(cause?: unknown): AfterwordError {
  return new AfterwordError("client-gone", "the client went away while it was sending", { cause });
}

/** An answer's output: one `send`, or `head`, any number of `write`, one `end`. */
export interface Reply {
  /** Head and whole body in one write. Headers are sent exactly as given; nothing is added. */
  send(status: number, reason: string, headers: RawHeaders, body: Uint8Array | null): void;
  head(status: number, reason: string, headers: RawHeaders): void;
  /** False if the client reads slowly; wait for `onDrain` before the next write. */
  write(chunk: Uint8Array): boolean;
  end(trailers?: RawHeaders): void;
  /** Breaks the connection, so that the client can't take a cut answer for a whole one. */
  abort(): void;
  /** Each callback is called every time the client has read enough for more. */
  onDrain(callback: () => void): void;
  /**
   * Each callback is called once when the client goes away before the answer is complete, and at
   * once when it has gone already.
   */
  onGone(callback: () => void): void;
  readonly started: boolean;
}
