import type { Client, Upstream } from "./exchange.ts";

/** A runtime under test. A new one is a further file in runtimes/. */
export interface Runtime {
  readonly name: string;
  /** Starts the gateway in front of a separate upstream. */
  start(setup: Setup): Promise<Started>;
  /** Its column of docs/runtimes.md; measured by measures.ts. */
  readonly keeps: Keeps;
  /**
   * Scenarios that can't run here, by name, with the reason; another runtime of the same kind runs
   * them.
   */
  readonly lacks?: Readonly<Record<string, string>>;
}

/** How the gateway is started: with which configuration and environment. */
export type Setup =
  /** With configuration.ts. */
  | "plain"
  /** With handing-over.ts. */
  | "handing over"
  /** As `handing over`, with AFTERWORD_DISABLE=1. */
  | "disabled";

export const setups: readonly Setup[] = ["plain", "handing over", "disabled"];

export interface Started {
  readonly client: Client;
  readonly upstream: Upstream;
  stop(): Promise<void>;
}

/**
 * What remains of a message on its way through. The names are the rows of the table in
 * docs/runtimes.md.
 */
export interface Keeps {
  readonly "reason phrase": Kept;
  readonly "order of the answer's fields": Kept;
  readonly "case of the answer's fields": Kept;
  readonly "duplicates of the answer's fields": Kept;
  readonly "nothing added to the answer's fields": Kept;
  readonly "each Set-Cookie a line of its own": Kept;
  readonly "order of the request's fields": Kept;
  readonly "case of the request's fields": Kept;
  readonly "duplicates of the request's fields": Kept;
  readonly "dot segments of the target seen and refused": Kept;
  readonly "content coding of an answer that is not edited": Kept;
  readonly "edits in gzip": Kept;
  readonly "edits in deflate": Kept;
  readonly "edits in br": Kept;
  readonly "trailers of an answer": Kept;
  readonly "answer streamed as it comes": Kept;
  readonly "request streamed as it comes": Kept;
  readonly "body of a GET": Kept;
  readonly "answer that breaks off, broken off": Kept;
  readonly "WebSocket upgrade": Kept;
}

export type Kept = "yes" | "no";
