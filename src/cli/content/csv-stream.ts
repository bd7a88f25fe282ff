import type { TextChunk } from "./read-chunks.ts";

/** A CSV text whose first line is known before the rest has been read. */
export interface CsvStream {
  readonly delimiter: string;
  /** The whole text, the first line included. */
  readonly texts: AsyncIterable<string>;
}

/**
 * Reads as far as the first line, which tells what separates the cells. `seen` is told of every
 * chunk when it is read.
 */
export async function openCsvStream(
  chunks: AsyncIterable<TextChunk>,
  seen: (chunk: TextChunk) => void,
): Promise<CsvStream> {
  const texts = textsOf(chunks, seen);
  let begun = "";
  while (!begun.includes("\n")) {
    const { value, done } = await texts.next();
    if (done === true) break;
    begun += value;
  }
  const [first = ""] = begun.split(/\r?\n/, 1);
  return { delimiter: delimiterOf(first), texts: again(begun, texts) };
}

async function* textsOf(
  chunks: AsyncIterable<TextChunk>,
  seen: (chunk: TextChunk) => void,
): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    seen(chunk);
    yield chunk.text;
  }
}

async function* again(begun: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (begun !== "") yield begun;
  yield* rest;
}

/** Whichever the header has most of. */
function delimiterOf(header: string): string {
  const marks = [",", ";", "\t"].map((mark) => [mark, header.split(mark).length] as const);
  return marks.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}
