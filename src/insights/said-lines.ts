import type { Flag } from "../direct-answers/flags.ts";
import type { Trace, TraceStep } from "../direct-answers/types.ts";
import { isSameLanguage } from "../locales/relatives.ts";
import { languageOf } from "../locales/tag.ts";
import type { LineCounts, LineSaid, Outcome, Speaker } from "./facts.ts";

/**
 * The meaning of a line for its reader: `failure`: the bot could not help; `question`: the bot
 * waits for the reader; `end`: the reader may leave content.
 */
type Meaning = "failure" | "question" | "end";

const meanings: Readonly<Record<Flag | "related-title", Meaning>> = {
  "all-options-discarded": "failure",
  "character-limit-exceeded": "failure",
  "conversation-error-message": "failure",
  "end-form": "end",
  "follow-up-question": "question",
  "form-continue": "question",
  "form-retry": "failure",
  "generic-error-message": "failure",
  "multiple-options": "question",
  "no-question": "failure",
  "no-results": "failure",
  "no-subset-match": "failure",
  refinement: "question",
  "related-title": "end",
  "webhook-bad-request": "failure",
  "webhook-wrong-field": "failure",
  welcome: "end",
};

/** True for a line by which the bot says that it could not help. */
export function isFailure(line: string): boolean {
  return meaningOf(line) === "failure";
}

function meaningOf(line: string): Meaning {
  const known: Readonly<Record<string, Meaning>> = meanings;
  return known[line] ?? (findContent(line) === null ? "question" : "end");
}

/** The beginning of the lines that stand for contents. */
export const CONTENT_LINE = "content/";

/** The line that a content of the own backend is counted as. */
export function toContentLine(id: number): string {
  return `${CONTENT_LINE}${id}`;
}

/** The content that a line stands for; null for the bot's own lines. */
export function findContent(line: string): number | null {
  return line.startsWith(CONTENT_LINE) ? Number(line.slice(CONTENT_LINE.length)) : null;
}

/** How many readers of a line were not helped in the end, as far as is known. */
export function countUnrecovered(line: string, counts: LineCounts): number {
  const gone = meaningOf(line) === "end" ? 0 : counts.left;
  return counts.failed + counts.ratedDown + gone;
}

/** How many readers of a line have an outcome that says something. */
export function countKnown(counts: LineCounts): number {
  const { answered, failed, clicked, handedOver, ratedUp, ratedDown, left } = counts;
  return answered + failed + clicked + handedOver + ratedUp + ratedDown + left;
}

/** The lines that the reader of an answer saw, each once. */
export function listSaidLines(trace: Trace): readonly LineSaid[] {
  const { instance, locale: language, channel } = trace;
  const seen = new Set<string>();
  return trace.steps.flatMap((step): LineSaid[] => {
    const line = lineOf(step);
    const speaker = line === null ? null : speakerOf(step, language);
    // `message` and `messageList` of one answer are one text.
    const place = `${step.at.replace(/\/[^/]*$/, "")} ${line}`;
    if (line === null || speaker === null || seen.has(place)) return [];
    seen.add(place);
    return [{ instance, language, channel, line, speaker }];
  });
}

function lineOf({ flag, at }: TraceStep): Flag | "related-title" | null {
  return flag ?? (at.endsWith("/relatedTitle") ? "related-title" : null);
}

/** Null: nothing was said there. */
function speakerOf({ reason, source }: TraceStep, language: string): Speaker | null {
  switch (reason) {
    case "rewritten":
    case "same-text":
      if (source === undefined) return "engine";
      return isSameLanguage(languageOf(source.locale), languageOf(language))
        ? source.origin
        : "another";
    case "no-text":
    case "default-content":
    case "flag-restored":
      return "engine";
    case "no-flag":
    case "unknown-flags":
    case "not-a-string":
    case "empty-message":
      return null;
  }
}

/** Finds the outcome that an answer is for the lines that were said before it. */
export function outcomeOf(
  isHandedOver: boolean,
  lines: readonly LineSaid[],
  isOption: boolean,
): Outcome {
  if (isHandedOver) return "handedOver";
  if (lines.some(({ line }) => isFailure(line))) return "failed";
  return isOption ? "clicked" : "answered";
}
