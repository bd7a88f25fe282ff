import { rawOf } from "../json/text.ts";
import type { Edit, JsonNode } from "../json/types.ts";
import type { RenderedLine } from "../locales/types.ts";
import type { InstanceRules, Reason, Say, TraceStep } from "./types.ts";
import type { Flag } from "./flags.ts";

/** One body on its way through the decision. `edits` and `steps` grow. */
export interface Work {
  readonly bytes: Uint8Array;
  readonly rules: InstanceRules;
  readonly say: Say;
  readonly detail: boolean;
  readonly edits: Edit[];
  readonly steps: TraceStep[];
}

/** A part of the body that holds a text: a string, or the elements of an array. */
export interface TextSpan {
  readonly at: string;
  readonly start: number;
  readonly end: number;
}

/** The decision about a span. */
interface Verdict {
  readonly flag: Flag | null;
  readonly unexpected: boolean;
  readonly line: RenderedLine;
  readonly twin: boolean;
}

/** Writes the line into the span, and returns true, unless the span has the line already. */
export function write(span: TextSpan, verdict: Verdict, work: Work): boolean {
  const { json, source } = verdict.line;
  const same = equals(work.bytes, span, json);
  if (!same) work.edits.push({ start: span.start, end: span.end, bytes: json });
  const reason: Reason = same ? "same-text" : "rewritten";
  // A literal with conditional spreads would cost more than the rest of the function.
  const step: Mutable<TraceStep> = { at: span.at, flag: verdict.flag, reason, source };
  if (verdict.twin) step.twin = true;
  if (verdict.unexpected) step.unexpected = true;
  if (work.detail) {
    step.before = UTF8.decode(work.bytes.subarray(span.start, span.end));
    step.after = UTF8.decode(json);
  }
  work.steps.push(step);
  return !same;
}

/** Records that a span, or a whole answer, was left unchanged. */
export function leave(
  at: string,
  reason: Reason,
  flag: Flag | null,
  unexpected: boolean,
  work: Work,
  node?: JsonNode,
): void {
  work.steps.push({
    at,
    flag,
    reason,
    ...(unexpected && { unexpected: true }),
    ...(work.detail && node !== undefined && { before: rawOf(work.bytes, node) }),
  });
}

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

function equals(bytes: Uint8Array, { start, end }: TextSpan, text: Uint8Array): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text[i]) return false;
  return true;
}

/** True for a line with a text: nothing between the quotes would be an empty message. */
export function isSayable(line: RenderedLine | null): line is RenderedLine {
  return line !== null && line.json.length > 2;
}
