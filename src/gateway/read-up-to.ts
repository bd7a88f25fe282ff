import { joined } from "./joined.ts";

/**
 * Reads a body of at most `limit` bytes. A longer one, or one that breaks off, comes back as a
 * stream that yields the same chunks, and the same failure, from the start; then `bytes` is null.
 */
export async function readUpTo(body: ReadableStream<Uint8Array>, limit: number): Promise<ReadBody> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { bytes: joined(chunks, length), stream: null };
      chunks.push(value);
      length += value.length;
      if (length > limit) return { bytes: null, stream: resume(chunks, reader) };
    }
  } catch (failure) {
    return { bytes: null, stream: resume(chunks, failedReader(failure)) };
  }
}

export type ReadBody =
  | { readonly bytes: Uint8Array; readonly stream: null }
  | { readonly bytes: null; readonly stream: ReadableStream<Uint8Array> };

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

function resume(chunks: readonly Uint8Array[], reader: Reader): ReadableStream<Uint8Array> {
  const waiting = [...chunks];
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = waiting.shift();
      if (chunk !== undefined) return controller.enqueue(chunk);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function failedReader(failure: unknown): Reader {
  return { read: () => Promise.reject(failure), cancel: () => Promise.resolve() };
}
