export interface UploadEvents {
  /** A chunk was taken, or the source has ended. */
  progress(ended: boolean): void;
  /** The source broke off. */
  failed(error: unknown): void;
  /** Aborted when the exchange is over before the upload is. */
  readonly signal: AbortSignal;
}

/** A request body as a stream that takes from its source only what is asked for. */
export function uploadStream(
  source: AsyncIterable<Uint8Array>,
  events: UploadEvents,
): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const { signal } = events;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Node's fetch does not cancel a body that it is reading: it would read on to the end and
        // throw all away.
        const stop = (): void => {
          controller.error(signal.reason);
          release(chunks);
        };
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
      },
      async pull(controller) {
        try {
          const next = await nextFilled(chunks);
          if (signal.aborted) return;
          events.progress(next === null);
          if (next === null) controller.close();
          else controller.enqueue(next);
        } catch (error) {
          events.failed(error);
          throw error;
        }
      },
      cancel: () => release(chunks),
    },
    { highWaterMark: 0 },
  );
}

/** Not awaited: a source that waits for its client would hold up whoever cancels. */
function release(chunks: AsyncIterator<Uint8Array>): void {
  chunks.return?.().catch(() => {});
}

async function nextFilled(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | null> {
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) return null;
    if (next.value.length > 0) return next.value;
  }
}
