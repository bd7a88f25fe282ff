import type { Reporter } from "../../../yaml/diagnostic.ts";
import { createSource, type Source } from "../../../yaml/source.ts";
import { decodeText } from "./decode-text.ts";
import type { ImportFile } from "./imported/imported.ts";

/** The value of a JSON file, or undefined after a report. */
export function readJsonFile({ name, bytes }: ImportFile, reporter: Reporter): unknown {
  return parseJsonSource(createSource(name, decodeText(bytes, null).text), reporter);
}

/** The value of a JSON text, or undefined after a report. */
export function parseJsonSource(source: Source, reporter: Reporter): unknown {
  try {
    return JSON.parse(source.text);
  } catch (error) {
    const { start, message } = locateJsonFault(source.text, error);
    reporter.error(source, { start, end: start + 1 }, "json", message, null, {});
    return undefined;
  }
}

/** Finds where JSON.parse stopped, and why: its message has an offset, a quotation, or the end. */
export function locateJsonFault(
  text: string,
  error: unknown,
): { readonly start: number; readonly message: string } {
  const reason = error instanceof Error ? error.message : "unknown reason";
  const offset = /^(.*) in JSON at position (\d+)/s.exec(reason);
  if (offset !== null)
    return { start: Number(offset[2]), message: describeJsonFault(offset[1] ?? "") };
  const quoted = /^(Unexpected token '(.+?)'), (\.{3})?"(.*)"(?:\.{3})? is not valid JSON$/s.exec(
    reason,
  );
  if (quoted !== null) {
    const [, what = "", token = "", cut, excerpt = ""] = quoted;
    const from = cut === undefined ? text.indexOf(token) : text.indexOf(excerpt) + CONTEXT;
    return { start: Math.max(0, from), message: describeJsonFault(what) };
  }
  return { start: Math.max(0, text.trimEnd().length - 1), message: describeJsonFault(reason) };
}

/** The number of characters that a JSON error message quotes before the fault. */
const CONTEXT = 10;

function describeJsonFault(what: string): string {
  return `this can't be read as JSON: ${what}`;
}
