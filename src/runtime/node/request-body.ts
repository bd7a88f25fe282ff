import type { IncomingMessage } from "node:http";
import { AfterwordError } from "../../errors.ts";
import type { RequestBody } from "../../gateway/exchange.ts";

/** The body of a request, or null when its head announces none. */
export function createRequestBody(incoming: IncomingMessage): RequestBody | null {
  const declared = incoming.headers["content-length"];
  const length = declared === undefined ? null : Number(declared);
  if (length === 0 || (length === null && !("transfer-encoding" in incoming.headers))) return null;
  return {
    length: "transfer-encoding" in incoming.headers ? null : length,
    peek: (limit) => peek(incoming, limit),
    stream: () => remaining(null, incoming),
  };
}

type Peeked = Awaited<ReturnType<RequestBody["peek"]>>;

/** A small body comes in one piece right after its head: listeners, and no async iterator, until there is more than that. */
function peek(incoming: IncomingMessage, limit: number): Promise<Peeked> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let size = 0;

    const onData = (piece: Uint8Array): void => {
      pieces.push(piece);
      size += piece.length;
      if (size <= limit) return;
      release();
      incoming.pause();
      const all = joined(pieces, size);
      resolve({ bytes: all.subarray(0, limit), rest: remaining(all.subarray(limit), incoming) });
    };
    const onEnd = (): void => {
      release();
      resolve({ bytes: joined(pieces, size), rest: null });
    };
    const onGone = (): void => {
      release();
      reject(clientGone());
    };
    const release = (): void => {
      incoming.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    };

    if (incoming.destroyed) reject(clientGone());
    else incoming.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}

async function* remaining(
  first: Uint8Array | null,
  incoming: IncomingMessage,
): AsyncGenerator<Uint8Array> {
  if (first !== null) yield first;
  try {
    // Who stops reading early has not given up the connection: the answer still goes out on it.
    const chunks: AsyncIterable<Uint8Array> = incoming.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) yield chunk;
  } catch (cause) {
    throw clientGone(cause);
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, size);
}

function clientGone(cause?: unknown): AfterwordError {
  return new AfterwordError("client-gone", "the client went away while it was sending", { cause });
}
