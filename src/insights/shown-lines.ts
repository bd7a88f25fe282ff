import type { Flag } from "../direct-answers/flags.ts";
import type { Trace, TraceStep } from "../direct-answers/types.ts";
import { isSameLanguage } from "../locales/relatives.ts";
import { languageOf } from "../locales/tag.ts";
import type { LineCounts, LineKey, Outcome, Speaker, TurnFact } from "./facts.ts";

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

/** Returns the line under which a content of the embedded backend is counted. */
export function toContentLine(id: number): string {
  return `${CONTENT_LINE}${id}`;
}

/** The content that a line stands for; null for the bot's own lines. */
export function findContent(line: string): number | null {
  return line.startsWith(CONTENT_LINE) ? Number(line.slice(CONTENT_LINE.length)) : null;
}

/** Counts the readers of a line who were not helped in the end, as far as it is known. */
export function countUnrecovered(line: string, counts: LineCounts): number {
  const gone = meaningOf(line) === "end" ? 0 : counts.left;
  return counts.failed + counts.ratedDown + gone;
}

/** Counts the readers of a line with a conclusive outcome. */
export function countKnown(counts: LineCounts): number {
  const { answered, failed, clicked, handedOver, ratedUp, ratedDown, left } = counts;
  return answered + failed + clicked + handedOver + ratedUp + ratedDown + left;
}

/** The lines that the reader of an answer saw, each once. */
export function listShownLines({ instance, locale, channel, steps }: Trace): readonly LineKey[] {
  const lines: LineKey[] = [];
  let previous: TraceStep | null = null;
  for (const step of steps) {
    const line = lineOf(step);
    const speaker = line === null ? null : speakerOf(step, locale);
    const isTwin = previous !== null && isOneText(previous, step);
    previous = step;
    if (line === null || speaker === null || isTwin) continue;
    lines.push({ instance, language: locale, channel, line, speaker });
  }
  return lines;
}

/** `message` and `messageList` of one answer are one text; they follow each other. */
function isOneText(previous: TraceStep, { flag, at }: TraceStep): boolean {
  if (flag === null || flag !== previous.flag) return false;
  const end = at.lastIndexOf("/") + 1;
  return previous.at.lastIndexOf("/") + 1 === end && previous.at.startsWith(at.slice(0, end));
}

function lineOf({ flag, at }: TraceStep): Flag | "related-title" | null {
  return flag ?? (at.endsWith("/relatedTitle") ? "related-title" : null);
}

/** Null if nothing was said there. */
function speakerOf({ reason, source }: TraceStep, language: string): Speaker | null {
  switch (reason) {
    case "rewritten":
    case "same-text":
      if (source === undefined) return "engine";
      return source.locale === language ||
        isSameLanguage(languageOf(source.locale), languageOf(language))
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

/**
 * An outcome, or a function that reads it from the request, because most requests need not be read.
 */
export type Ending = Outcome | TurnFact["readRequest"];

/** Finds the outcome that an answer means for the lines before it. */
export function endingOf(
  isHandedOver: boolean,
  lines: readonly LineKey[],
  readRequest: TurnFact["readRequest"],
): Ending {
  if (isHandedOver) return "handedOver";
  return lines.some(({ line }) => isFailure(line)) ? "failed" : readRequest;
}

export function toOutcome(ending: Ending): Outcome {
  if (typeof ending === "string") return ending;
  return ending().isOption ? "clicked" : "answered";
}
