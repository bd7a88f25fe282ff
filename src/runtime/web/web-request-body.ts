import { clientGone, type RequestBody } from "../../gateway/exchange.ts";
import { joined } from "../../gateway/joined.ts";

/**
 * The body of a `Request`. Reading ends with `client-gone` when `signal` is aborted, and stops the
 * stream when the reader stops early.
 *
 * @param length declared Content-Length in bytes, or null
 */
export function createWebRequestBody(
  request: Pick<Request, "arrayBuffer" | "body">,
  length: number | null,
  signal: AbortSignal,
): RequestBody {
  return {
    length,
    async peek(limit) {
      if (length !== null && length <= limit) {
        // In one piece, which costs a runtime less than its stream.
        const buffer = await request.arrayBuffer().catch((error: unknown) => {
          throw signal.aborted ? clientGone() : error;
        });
        return { bytes: new Uint8Array(buffer), rest: null };
      }
      const chunks = chunksOf(request, signal);
      const held: Uint8Array[] = [];
      let size = 0;
      // One byte more than asked for: only that tells a body of exactly `limit` bytes from a longer
      // one.
      while (size <= limit) {
        const next = await chunks.next();
        if (next.done === true) return { bytes: joined(held, size), rest: null };
        held.push(next.value);
        size += next.value.length;
      }
      const read = joined(held, size);
      return { bytes: read.subarray(0, limit), rest: following(read.subarray(limit), chunks) };
    },
    stream() {
      return chunksOf(request, signal);
    },
  };
}

async function* chunksOf(
  { body }: Pick<Request, "body">,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  if (body === null) return;
  const reader = body.getReader();
  const stop = (): void => {
    // Settles a read that is waiting, which the signal by itself does not do for a stream made in
    // the process.
    reader.cancel(signal.reason).catch(ignore);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      if (signal.aborted) throw clientGone();
      const next = await reader.read();
      if (signal.aborted) throw clientGone();
      if (next.done) return;
      // Nothing but convention keeps strings out of a stream that somebody else made.
      if (!(next.value instanceof Uint8Array))
        throw new TypeError("a request body is made of bytes");
      if (next.value.length > 0) yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

async function* following(
  first: Uint8Array,
  chunks: AsyncGenerator<Uint8Array, void, void>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield first;
    yield* chunks;
  } finally {
    await chunks.return();
  }
}

function ignore(): void {}
