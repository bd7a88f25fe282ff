import type { AnswerParser } from "../../src/http/answer-parser.ts";

type Refused = readonly (readonly [what: string, bytes: string])[];

/** Fields that do not end a message unambiguously, and so may hide another message. */
export const refusedFields: Refused = [
  ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n"],
  ["the same length twice", "Content-Length: 5\r\nContent-Length: 5\r\n"],
  ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"],
  ["chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"],
  ["a signed length", "Content-Length: +5\r\n"],
  ["a list of lengths", "Content-Length: 5, 5\r\n"],
  ["a length in hexadecimal digits", "Content-Length: 0x5\r\n"],
  ["a length past all numbers", "Content-Length: 99999999999999999999999\r\n"],
  ["a blank before the colon", "Content-Length : 5\r\n"],
  ["a name of no bytes", ": 5\r\n"],
  ["a line without a colon", "Content-Length\r\n"],
  ["a folded line", "X-A: 1\r\n 2\r\nContent-Length: 5\r\n"],
  ["a folded first line", " X-A: 1\r\nContent-Length: 5\r\n"],
  ["a bare line feed", "X-A: 1\nContent-Length: 5\r\n"],
  ["a bare carriage return", "X-A: 1\rContent-Length: 5\r\n"],
  ["a zero byte", "X-A: 1\0\r\nContent-Length: 5\r\n"],
  ["a control character in a name", "X\x01A: 1\r\nContent-Length: 5\r\n"],
];

/** The same for bodies in chunks. */
export const refusedChunks: Refused = [
  ["a chunk without a size", "\r\nhello\r\n0\r\n\r\n"],
  ["a chunk with a signed size", "+5\r\nhello\r\n0\r\n\r\n"],
  ["a chunk longer than its size", "4\r\nhello\r\n0\r\n\r\n"],
  ["a chunk size that ends with a line feed", "5\nhello\r\n0\r\n\r\n"],
  ["a chunk size past all numbers", "fffffffffffffffff\r\nhello\r\n0\r\n\r\n"],
];

/** Passes these bytes to a parser, one per character, until a message is complete. */
export function feed(
  parser: AnswerParser,
  parts: readonly string[],
): { readonly progress: string; readonly body: string } {
  let progress = "more";
  let body = "";
  for (const part of parts) {
    const bytes = Buffer.from(part, "latin1");
    progress = parser.read(bytes);
    for (let i = 0; i < parser.pieces.length; i += 2) {
      body += bytes.toString("latin1", parser.pieces[i], parser.pieces[i + 1]);
    }
    if (progress !== "more") break;
  }
  return { progress, body };
}
