/** The limits of a client at the server. Times are in milliseconds. */
export const limits = {
  /** For the head of a request, from the connection's start or the first byte. */
  head: 20_000,
  /** For a whole request: an upload of 10 MB at 85 KB/s. */
  request: 120_000,
  /** Without a byte of a request's body. */
  bodyStall: 10_000,
  /** Between two requests; longer than load balancers' usual 60 s, so that they close first. */
  idle: 65_000,
  /** In which a client must take something of what waits for it. */
  stall: 120_000,
  /** For the rest of a request that is not read, after the answer. */
  rest: 500,
  /** In bytes: how much of that rest is read and dropped. 64 MiB. */
  dropped: 67_108_864,
  /** In bytes: the head of a request, or its trailer. */
  headSize: 32_768,
  /** Requests waiting on a connection for earlier answers; who sends more does not read any. */
  pipelined: 1000,
  /** For a dead peer behind a stream that may be silent for ever. */
  probeAfter: 30_000,
  /**
   * For a client that is still sending when its connection is closed, so that it can read its
   * answer.
   */
  linger: 30_000,
  /** Without a byte from such a client. */
  lingerStall: 5000,
  /** For a request whose head is incomplete when the server stops. */
  arriving: 1000,
  /** How often a stopping server checks for connections that have become idle. */
  sweepEvery: 50,
} as const;
