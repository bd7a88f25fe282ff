import type { GatewayRequest } from "../core.ts";
import type { Exchange, RequestBody } from "../exchange.ts";
import { chained, readAhead } from "../forward.ts";

/** The request with its first bytes read; they go upstream again as they came. */
export async function readAheadOf(arrival: GatewayRequest): Promise<{
  readonly entered: GatewayRequest;
  readonly bytes: Uint8Array;
  readonly whole: boolean;
}> {
  const { exchange } = arrival;
  if (exchange.body === null) return { entered: arrival, bytes: new Uint8Array(0), whole: true };
  const { bytes, rest } = await exchange.body.peek(readAhead);
  const body = readAlready(exchange.body.length, bytes, rest);
  // Not a spread: what a platform makes may be an object of a class.
  const { method, target, headers, peer, client, scheme, reply } = exchange;
  const entered: Exchange = {
    method,
    target,
    headers,
    body,
    peer,
    client,
    reply,
    ...(scheme !== undefined && { scheme }),
  };
  return { entered: { ...arrival, exchange: entered }, bytes, whole: rest === null };
}

function readAlready(
  length: number | null,
  bytes: Uint8Array,
  rest: AsyncIterable<Uint8Array> | null,
): RequestBody {
  return {
    length,
    peek: async () => ({ bytes, rest }),
    stream: () => chained(bytes, rest ?? nothingMore()),
  };
}

async function* nothingMore(): AsyncGenerator<Uint8Array> {}
