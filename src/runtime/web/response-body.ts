/** The writing end of a response body. */
export interface ResponseBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** False: the reader is behind; wait for the next drain. */
  write(chunk: Uint8Array): boolean;
  end(): void;
  /** Ends the stream with an error, once the reader has had all that was written. */
  breakOff(error: unknown): void;
  /** Ends the stream with an error now; what was not read is lost. */
  drop(reason: unknown): void;
}

/** How much may wait for the reader, in bytes, before the writer is asked to wait. */
const highWaterMark: number = 64 * 1024;

/**
 * A stream that somebody else writes into, at the reader's pace.
 *
 * @param drained called every time there is room again after `write` said no
 * @param cancelled called when the reader gives up
 */
export function createResponseBody(drained: () => void, cancelled: () => void): ResponseBody {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let stalled = false;
  let failure: { readonly error: unknown } | null = null;

  // Not a stream of type "bytes": that one takes the chunk's whole buffer away, which others may
  // share.
  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull(given) {
        const room = given.desiredSize ?? 0;
        if (failure !== null) {
          if (room >= highWaterMark) given.error(failure.error);
        } else if (stalled && room > 0) {
          stalled = false;
          drained();
        }
      },
      cancel() {
        controller = null;
        cancelled();
      },
    },
    { highWaterMark, size: (chunk) => chunk.byteLength },
  );

  return {
    stream,
    write(chunk) {
      if (controller === null || failure !== null) return true;
      if (chunk.length > 0) controller.enqueue(chunk);
      stalled = (controller.desiredSize ?? 0) <= 0;
      return !stalled;
    },
    end() {
      controller?.close();
      controller = null;
    },
    breakOff(error) {
      failure = { error };
      if ((controller?.desiredSize ?? 0) >= highWaterMark) controller?.error(error);
    },
    drop(reason) {
      controller?.error(reason);
      controller = null;
    },
  };
}
