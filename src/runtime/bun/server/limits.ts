/** Milliseconds, where nothing else is said, as on Node. */
export const limits = {
  /** For the head of a request, from the connection's start or the first byte. */
  head: 20_000,
  /** For a whole request: an upload of 10 MB at 85 KB/s. */
  request: 120_000,
  /** Between two requests. Longer than the 60 s of common load balancers, so that it is they who close. */
  idle: 65_000,
  /** In which a client must take something of what waits for it. */
  stall: 120_000,
  /** For the rest of a request that nobody wants, after the answer. */
  rest: 500,
  /** In bytes: so much is read behind a request, for who pauses does not notice that a client leaves. */
  behind: 16_384,
} as const;

/** Bytes of a body that nobody wants that are read to keep the connection. */
export const mostDropped: number = 64 * 1024 * 1024;
