import { isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from "yaml";
import type { Document } from "yaml";
import type { z } from "zod";
import type { SourceFile } from "./types.ts";

/** A mistake in a content file. Lines and columns count from 1. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A parsed file: its value when it keeps the schema, and a way to complain about a place in it. */
export interface ParsedFile<T> {
  readonly value: T | null;
  readonly diagnostics: readonly Diagnostic[];
  /** A diagnostic at the value that `path` leads to. */
  at(path: readonly PropertyKey[], message: string): Diagnostic;
}

/** Reads one YAML file against a schema. Never throws: whatever is wrong becomes a diagnostic with its position. */
export function parseFile<T>(file: SourceFile, schema: z.ZodType<T>): ParsedFile<T> {
  const lines = new LineCounter();
  const document = parseDocument(file.text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number, message: string): Diagnostic => {
    const { line, col } = lines.linePos(offset);
    return { file: file.name, line: Math.max(line, 1), column: Math.max(col, 1), message };
  };
  const at = (path: readonly PropertyKey[], message: string): Diagnostic =>
    place(offsetOf(document, path), message);
  const broken = document.errors.map((error) => place(error.pos[0], error.message));
  if (broken.length > 0) return { value: null, diagnostics: broken, at };

  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const message = error instanceof Error ? error.message : "cannot be read";
    return { value: null, diagnostics: [place(0, message)], at };
  }
  const result = schema.safeParse(data);
  if (result.success) return { value: result.data, diagnostics: [], at };
  const diagnostics = result.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => place(keyOffset(document, issue.path, key), `unknown key "${key}"`))
      : [at(issue.path, `${name(issue.path)}: ${issue.message}`)],
  );
  return { value: null, diagnostics, at };
}

/** `file:line:column: message`, one per line. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
    .join("\n");
}

function name(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "the file" : path.map(String).join(".");
}

/** Where the deepest node on the path begins: a missing key is reported at the map that lacks it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function keyOffset(document: Document, path: readonly PropertyKey[], key: string): number {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isMap(map)) {
    for (const pair of map.items) {
      if (isPair(pair) && isScalar(pair.key) && String(pair.key.value) === key) {
        return pair.key.range?.[0] ?? 0;
      }
    }
  }
  return offsetOf(document, path);
}
