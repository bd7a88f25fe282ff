import type { IncomingMessage } from "node:http";
import { AfterwordError } from "../../errors.ts";
import { clientGone, type PeekedBody, type RequestBody } from "../../gateway/exchange.ts";
import { joined } from "../../gateway/joined.ts";
import type { ByteBudget } from "../../shares.ts";

/** The body of a request. */
export interface NodeBody extends RequestBody {
  /** The exchange is over. */
  release(): void;
}

/**
 * The body of a request, or null when its head announces none.
 *
 * @param budget where room is taken for bytes that are kept; null: nobody counts
 * @param share whose share of it is used; asked with the first byte
 */
export function createRequestBody(
  incoming: IncomingMessage,
  budget: ByteBudget | null,
  share: () => string | null,
): NodeBody | null {
  const { headers } = incoming;
  if (headers["transfer-encoding"] !== undefined) return nodeBody(incoming, null, budget, share);
  const length = Number(headers["content-length"] ?? 0);
  return length === 0 ? null : nodeBody(incoming, length, budget, share);
}

function nodeBody(
  incoming: IncomingMessage,
  length: number | null,
  budget: ByteBudget | null,
  share: () => string | null,
): NodeBody {
  let held = 0;
  let released = false;

  /** Takes room for bytes that are kept; false: there is none. */
  function hold(bytes: number): boolean {
    if (released) return false;
    if (budget === null) return true;
    if (!budget.take(bytes, share())) return false;
    held += bytes;
    return true;
  }

  return {
    length,
    /**
     * A small body comes in one piece right after its head, and is known to be whole when it has
     * its declared length: nobody waits for the stream's own end, which still comes by itself.
     */
    peek: (limit) =>
      new Promise<PeekedBody>((resolve, reject) => {
        if (incoming.destroyed) return reject(clientGone());
        const pieces: Uint8Array[] = [];
        let size = 0;
        let over = false;
        const take = (piece: Uint8Array): void => {
          if (over) return;
          if (!hold(piece.length)) return lose(noRoom);
          pieces.push(piece);
          size += piece.length;
          if (size > limit) {
            over = true;
            incoming.off("data", take).pause();
            const all = joined(pieces, size);
            const rest = remaining(all.subarray(limit), incoming);
            resolve({ bytes: all.subarray(0, limit), rest });
          } else if (size === length) finish();
        };
        const finish = (): void => {
          if (over) return;
          over = true;
          resolve({ bytes: joined(pieces, size), rest: null });
        };
        // A request that is over closes too: no error is made for it.
        const lose = (error: () => AfterwordError): void => {
          if (over) return;
          over = true;
          reject(error());
        };
        if (length === null || length > limit) incoming.on("end", finish);
        // A broken request closes too, and its error needs no listener of its own.
        incoming.on("close", () => lose(clientGone)).on("data", take);
      }),
    stream: () => remaining(null, incoming),
    release() {
      released = true;
      if (held > 0) budget?.give(held, share());
    },
  };
}

function noRoom(): AfterwordError {
  return new AfterwordError("overloaded", "request bodies take all of limits.heldBytes");
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
