import { JSONParser } from "@streamparser/json";
import { parse as parseWithOffsets, parseTree } from "jsonc-parser";
import type { Rewriter } from "../../src/gateway/rewriter/rewriter.ts";
import { scan } from "../../src/json/scan.ts";
import { splice } from "../../src/json/splice.ts";
import { editsOf, shape } from "./shapes.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export type Contender = (bytes: Uint8Array, rewriter: Rewriter) => unknown;

/**
 * Functions that read or edit a body. Those of other libraries start from bytes, too, as in a
 * gateway.
 */
export const contenders: Readonly<Record<string, Contender>> = {
  "JSON.parse": parsed,
  "JSON.parse, stringify": (bytes) => encoder.encode(JSON.stringify(parsed(bytes))),
  scan: (bytes) => scan(bytes, shape),
  "scan, splice": (bytes) => splice(bytes, editsOf(bytes)),
  "rewrite: search, scan, decide, splice": (bytes, rewriter) => rewriter.rewrite(bytes),
  "jsonc-parser, tree": (bytes) => parseTree(decoder.decode(bytes)),
  "jsonc-parser, values": (bytes) => parseWithOffsets(decoder.decode(bytes)),
  "@streamparser/json": streamed,
};

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(decoder.decode(bytes));
}

function streamed(bytes: Uint8Array): unknown {
  let last: unknown = null;
  const parser = new JSONParser({ paths: ["$"] });
  parser.onValue = ({ value }) => {
    last = value;
  };
  parser.write(bytes);
  return last;
}
