import { hash, randomBytes } from "node:crypto";
import { brotliDecompress, gunzip, inflate, inflateRaw, type InputType } from "node:zlib";
import type { Logger, LogLevel, Platform } from "../../gateway/exchange/platform.ts";
import type { Transport } from "../../gateway/exchange/transport.ts";

/** Creates the platform of Node for the gateway. */
export function createNodePlatform(parts: {
  transport: Transport;
  log: Logger;
  logs?: (level: LogLevel) => boolean;
}): Platform {
  return {
    transport: parts.transport,
    log: parts.log,
    ...(parts.logs === undefined ? {} : { logs: parts.logs }),
    now: () => Date.now(),
    clock: performance.now.bind(performance),
    digest: (text) => hash("sha256", text, "hex"),
    random: (length) => new Uint8Array(randomBytes(length)),
    decode: decodeBody,
  };
}

/**
 * Removes a content coding (`gzip`, `x-gzip`, `deflate`, `br`), off the main thread. Resolves with
 * null when the coding is unknown, the bytes are damaged, cut or followed by others, or more than
 * `limit` bytes would come out; inflating stops there. Several gzip members after each other are
 * one body (RFC 1952, 2.2).
 */
export async function decodeBody(
  coding: string,
  bytes: Uint8Array,
  limit: number,
): Promise<Uint8Array | null> {
  for (const decoder of decoders[coding.toLowerCase()] ?? []) {
    const decoded = await run(decoder, bytes, limit);
    if (decoded !== null) return decoded;
  }
  return null;
}

interface Engine {
  readonly bytesWritten: number;
}

interface Decoder {
  (input: InputType, options: object, done: (error: Error | null, result: unknown) => void): void;
}

// "deflate" is the zlib format (RFC 9110, 8.4.1.2); some servers send the bare one.
const decoders: Readonly<Record<string, readonly Decoder[]>> = Object.assign(Object.create(null), {
  gzip: [gunzip],
  "x-gzip": [gunzip],
  deflate: [inflate, inflateRaw],
  br: [brotliDecompress],
});

function run(decoder: Decoder, bytes: Uint8Array, limit: number): Promise<Uint8Array | null> {
  return new Promise((resolve) => {
    // zlib takes no limit of zero; an output of one byte is then refused below.
    const options = { maxOutputLength: Math.max(1, limit), info: true };
    decoder(bytes, options, (error, result) => {
      if (error !== null || !isInfo(result)) resolve(null);
      else if (result.engine.bytesWritten !== bytes.length) resolve(null);
      else resolve(result.buffer.length > limit ? null : result.buffer);
    });
  });
}

function isInfo(result: unknown): result is { buffer: Uint8Array; engine: Engine } {
  return typeof result === "object" && result !== null && "buffer" in result && "engine" in result;
}
