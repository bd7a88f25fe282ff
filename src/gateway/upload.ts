import { AfterwordError } from "../errors.ts";

/** A request body on its way up that may not be larger than a limit. */
export interface Upload {
  limited(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  exceeded: boolean;
}

/** Ends a chunked upload at the limit, before it is buffered anywhere. */
export function createUpload(limit: number): Upload {
  const upload: Upload = {
    exceeded: false,
    async *limited(chunks) {
      let size = 0;
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > limit) {
          upload.exceeded = true;
          throw new AfterwordError(
            "body-too-large",
            "the request body is larger than limits.requestBytes",
          );
        }
        yield chunk;
      }
    },
  };
  return upload;
}

/** What was read of a body, and what follows it. */
export async function* chained(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
