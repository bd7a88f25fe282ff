import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { decodeSource, reasonOf } from "../../yaml/read-file.ts";
import { createSource, START } from "../../yaml/source.ts";

/** A text as it arrives. */
export interface TextChunk {
  readonly text: string;
  /** Bytes read so far, and in the whole file. */
  readonly done: number;
  readonly of: number;
}

/** A larger file of contents is a mistake or an attack. 256 MiB. */
const MAX_BYTES = 268_435_456;

/** Reads a UTF-8 file in pieces, without its byte order mark. Ends after an error, which it reports. */
export async function* readChunks(file: string, reporter: Reporter): AsyncGenerator<TextChunk> {
  const refuse = (message: string): void =>
    reporter.error(createSource(file, ""), START, "unreadable", message);
  try {
    const facts = await stat(file);
    if (!facts.isFile()) return refuse("this is not a regular file");
    if (facts.size > MAX_BYTES) {
      const message = `this has ${facts.size} bytes; at most ${MAX_BYTES} are read`;
      return reporter.error(createSource(file, ""), START, "too-large", message);
    }
    yield* decodeChunks(file, facts.size, reporter);
  } catch (error) {
    refuse(reasonOf(error));
  }
}

async function* decodeChunks(
  file: string,
  size: number,
  reporter: Reporter,
): AsyncGenerator<TextChunk> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const read: Buffer[] = [];
  let done = 0;
  for await (const bytes of createReadStream(file, { highWaterMark: 262_144 })) {
    if (!Buffer.isBuffer(bytes)) return;
    read.push(bytes);
    done += bytes.length;
    const text = decode(() => decoder.decode(bytes, { stream: true }));
    if (text === null || (done === bytes.length && looksLikeUtf16(bytes))) {
      // Reports which byte is invalid, or which encoding the file has.
      decodeSource(file, Buffer.concat(read), reporter);
      return;
    }
    yield { text, done, of: size };
  }
  if (decode(() => decoder.decode()) === null) {
    decodeSource(file, Buffer.concat(read), reporter);
  }
}

function decode(attempt: () => string): string | null {
  try {
    return attempt();
  } catch {
    return null;
  }
}

/** Every ASCII letter of UTF-16 has a zero byte beside it. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  return bytes.length > 1 && (bytes[0] === 0) !== (bytes[1] === 0);
}
