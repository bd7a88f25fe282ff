import { hashSha256Hex, joinChunks } from "../../json/bytes.ts";
import type { Platform } from "../../gateway/exchange/platform.ts";
import { createFetchTransport } from "./fetch-transport.ts";
import { copyUnlessOwn } from "./own-bytes.ts";

/**
 * A platform made of the parts that every runtime with the Fetch API has: `fetch`, Web Crypto,
 * `DecompressionStream`. The `options` replace these defaults; nothing is logged unless a `log` is
 * given.
 */
export function createWebPlatform(options: Partial<Platform> = {}): Platform {
  return {
    transport: options.transport ?? createFetchTransport(),
    now: options.now ?? (() => Date.now()),
    clock: options.clock ?? (() => performance.now()),
    digest: options.digest ?? hashSha256Hex,
    random: options.random ?? createRandomBytes,
    decode: options.decode ?? decodeContent,
    log: options.log ?? (() => {}),
    ...(options.wordsOf && { wordsOf: options.wordsOf }),
    ...(options.logs && { logs: options.logs }),
  };
}

/**
 * Decodes `gzip`, `x-gzip`, `deflate` (with and without its zlib wrapper) and, where the platform
 * can, `br`. Null when the bytes are damaged, when they would give more than `limit` bytes, or when
 * the coding is not known. Never rejects.
 */
export async function decodeContent(
  coding: string,
  bytes: Uint8Array,
  limit: number,
): Promise<Uint8Array | null> {
  for (const format of formats.get(coding.toLowerCase()) ?? []) {
    const result = await inflate(format, bytes, limit);
    if (result === "too-large") return null;
    if (result !== "damaged") return result;
  }
  return null;
}

// In the order they are tried. RFC 9110 section 8.4.1.2: some send deflate without the zlib format.
// Brotli has two names among runtimes.
const formats: ReadonlyMap<string, readonly string[]> = new Map([
  ["gzip", ["gzip"]],
  ["x-gzip", ["gzip"]],
  ["deflate", ["deflate", "deflate-raw"]],
  ["br", ["brotli", "br"]],
]);

/** Bytes per piece: a runtime that inflates each at once overshoots the limit by one. */
const pieceLength = 4096;

async function inflate(
  format: string,
  bytes: Uint8Array,
  limit: number,
): Promise<Uint8Array | "damaged" | "too-large"> {
  const inflater = createInflater(format);
  if (inflater === null) return "damaged";
  const reader = inflater.readable.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  void feed(inflater.writable.getWriter(), copyUnlessOwn(bytes));
  try {
    for (;;) {
      const next = await reader.read();
      if (next.done) return joinChunks(chunks, size);
      size += next.value.length;
      if (size > limit) return "too-large";
      chunks.push(next.value);
    }
  } catch {
    return "damaged";
  } finally {
    reader.cancel().catch(ignore);
  }
}

/**
 * Writes all bytes as fast as they are read. Ends silently when the reader stops or bytes are
 * damaged.
 */
async function feed(
  writer: WritableStreamDefaultWriter<BufferSource>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  writer.closed.catch(ignore);
  try {
    for (let at = 0; at < bytes.length; at += pieceLength) {
      await writer.write(bytes.subarray(at, at + pieceLength));
    }
    await writer.close();
  } catch {
    // The reading side reports the reason.
  }
}

interface Inflater {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<BufferSource>;
}

function createInflater(format: string): Inflater | null {
  try {
    // The formats that the type knows are fewer than those that runtimes know.
    return Reflect.construct(DecompressionStream, [format]);
  } catch {
    return null;
  }
}

function ignore(): void {}

/** More than this at once is a QuotaExceededError. */
const maxRandom = 65_536;

function createRandomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += maxRandom) {
    crypto.getRandomValues(bytes.subarray(at, at + maxRandom));
  }
  return bytes;
}
