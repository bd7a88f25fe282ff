/** The limits of a client at the server. They are milliseconds, unless the comment names a unit. */
export const limits = {
  /** The time for the head of a request, from the connection's start or the first byte. */
  head: 20_000,
  /** The time for a whole request. An upload of 10 MB then needs 85 KB/s. */
  request: 120_000,
  /** The longest pause within a request's body. */
  bodyStall: 10_000,
  /** The time between two requests. Load balancers usually close after 60 s, and must close first. */
  idle: 65_000,
  /** The time in which a client must read some of the bytes that wait for it. */
  stall: 120_000,
  /** The time after the answer for the rest of a request that is not read. */
  rest: 500,
  /** Bytes of that rest that are read and dropped. 64 MiB. */
  dropped: 67_108_864,
  /** Bytes of the head of a request, or of its trailer. */
  headSize: 32_768,
  /** Requests that wait on a connection for earlier answers. A client that sends more reads none. */
  pipelined: 1000,
  /** The silence after which TCP probes whether the client of an open stream is still there. */
  probeAfter: 30_000,
  /**
   * The time in which a client that is still sending may read its answer, before its connection is
   * closed.
   */
  linger: 30_000,
  /** The longest pause of such a client. */
  lingerStall: 5000,
  /** The time for a request whose head is incomplete when the server stops. */
  arriving: 1000,
  /** The time between two checks of a stopping server for connections that have become idle. */
  sweepEvery: 50,
} as const;
