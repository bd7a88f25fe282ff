import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/**
 * Makes undici keep the reason phrases of this connection as Latin-1, one char per byte. By itself it decodes each piece as
 * UTF-8, which destroys any other byte, and keeps only the last piece when a status line comes in two.
 *
 * There is no public way: this replaces the method `onStatus` of this one connection's parser, found on the socket once the
 * client has taken it. Returns false when that parser does not look as expected; {@link reasonPhrase} then does its best.
 */
export function keepReasonBytes(socket: Socket): boolean {
  const parser = parserOf(socket);
  if (parser === null) return false;
  parser.onStatus = (bytes) => {
    parser.statusText += bytes.toString("latin1");
    return 0;
  };
  return true;
}

/**
 * The reason phrase as Latin-1. `exact` says that {@link keepReasonBytes} worked; else `text` was decoded as UTF-8, and is
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
    typeof value.onStatus === "function"
  );
}
