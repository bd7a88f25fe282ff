import { JSONParser } from "@streamparser/json";
import { parse as parseWithOffsets, parseTree } from "jsonc-parser";
import type { Rewriter } from "../src/gateway/rewriter.ts";
import { scan } from "../src/json/scan.ts";
import { splice } from "../src/json/splice.ts";
import { editsOf, shape } from "./cpu-shapes.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** What reads, or edits, a body: the others from its bytes too, as they would have to. */
export function contendersOf(
  bytes: Uint8Array,
  rewriter: Rewriter,
): Readonly<Record<string, () => unknown>> {
  const parse = (): unknown => JSON.parse(decoder.decode(bytes));
  return {
    "JSON.parse": parse,
    "JSON.parse, stringify": () => encoder.encode(JSON.stringify(parse())),
    scan: () => scan(bytes, shape),
    "scan, splice": () => splice(bytes, editsOf(bytes)),
    "rewrite: search, scan, decide, splice": () => rewriter.rewrite(bytes),
    "jsonc-parser, tree": () => parseTree(decoder.decode(bytes)),
    "jsonc-parser, values": () => parseWithOffsets(decoder.decode(bytes)),
    "@streamparser/json": () => streamed(bytes),
  };
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
