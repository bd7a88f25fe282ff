import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/**
 * Makes undici read the heads of this connection as HTTP means them, where by itself it does not:
 * - It decodes each piece of a reason phrase as UTF-8, which destroys any other byte, and keeps only the last piece when a
 *   status line comes in two. Here the phrase stays Latin-1, one char per byte.
 * - It breaks the connection at a 100 that nobody asked for, which RFC 9110 (15.2) lets a client ignore. Here such a 100 is
 *   taken as any other interim answer.
 *
 * There is no public way: this replaces methods of this one connection's parser, found on the socket once the client has
 * taken it. Returns false when that parser does not look as expected; {@link reasonPhrase} then does its best.
 */
export function adjustHeads(socket: Socket): boolean {
  const parser = parserOf(socket);
  if (parser === null) return false;
  parser.onStatus = (bytes) => {
    parser.statusText += bytes.toString("latin1");
    return 0;
  };
  const complete = parser.onHeadersComplete;
  parser.onHeadersComplete = (status, ...flags) =>
    complete.call(parser, status === 100 ? 102 : status, ...flags);
  return true;
}

/**
 * The reason phrase as Latin-1. `exact` says that {@link adjustHeads} worked; else `text` was decoded as UTF-8, and is
 * encoded again where nothing was lost, or becomes the standard phrase. Never a char above 0xFF, which `writeHead` refuses.
 */
export function reasonPhrase(text: string, status: number, exact: boolean): string {
  if (exact || /^[\t\x20-\x7e]*$/.test(text)) return text;
  if (text.includes("\ufffd")) return STATUS_CODES[status] ?? "";
  return Buffer.from(text).toString("latin1");
}

interface StatusParser {
  statusText: string;
  onStatus: (bytes: Buffer) => number;
  onHeadersComplete: (status: number, upgrade: boolean, keepAlive: boolean) => number;
}

function parserOf(socket: Socket): StatusParser | null {
  for (const key of Object.getOwnPropertySymbols(socket)) {
    if (key.description !== "parser") continue;
    const value: unknown = Reflect.get(socket, key);
    if (isStatusParser(value)) return value;
  }
  return null;
}

function isStatusParser(value: unknown): value is StatusParser {
  return (
    typeof value === "object" &&
    value !== null &&
    "statusText" in value &&
    value.statusText === "" &&
    "onStatus" in value &&
    typeof value.onStatus === "function" &&
    "onHeadersComplete" in value &&
    typeof value.onHeadersComplete === "function"
  );
}
