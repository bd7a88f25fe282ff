import { type Doubt, readAnswer, readPhrase } from "./answer.ts";
import { type ImportedOption, type ImportedText, quoteShort, shorten } from "./imported.ts";
import type { Omission, OmissionPart, OmissionReason } from "./omissions.ts";

/** A content of another bot in one language, before its conversion. */
export interface FoundText {
  readonly phrases: readonly string[];
  /** Texts that are said one after the other. */
  readonly answers: readonly string[];
  /** Addresses of images, which follow the texts. */
  readonly images?: readonly string[];
  readonly options?: readonly ImportedOption[];
  readonly category?: string | null;
  readonly published?: boolean;
  /** Why it needs a review before readers see it, or null. */
  readonly doubt?: Doubt | null;
  /** The name of the step that must come before it in a dialog; null if there is none. */
  readonly after?: string | null;
  /** The pattern of the values that the other bot fills in. */
  readonly placeholder: RegExp;
}

/** The messages of a response, a node or a step. */
export type FoundAnswer = Required<Pick<FoundText, "answers" | "images" | "options">>;

/** The file, line and name of a content, for messages. */
export type Position = Pick<OmissionPart, "file" | "line" | "part">;

/** Composes the text of a content, and lists omissions. Null if phrases or answers are missing. */
export function composeText(
  found: FoundText,
  position: Position,
  left: Omission[],
): ImportedText | null {
  const [title, ...alternatives] = found.phrases.map(readPhrase).filter((one) => one !== "");
  const read = found.answers
    .filter((text) => text.trim() !== "")
    .map((text) => readAnswer(text, found.placeholder));
  const images = (found.images ?? []).map((address) => readImage(address));
  const answer = [...read.map(({ html }) => html), ...images];
  if (title === undefined || answer.length === 0) {
    left.push({ ...position, code: title === undefined ? "no-question" : "no-answer" });
    return null;
  }
  const after = found.after ?? null;
  const doubts = [found.doubt ?? null, ...read.map(({ doubt }) => doubt)];
  const doubt = doubts.find((one) => one !== null);
  if (doubt !== undefined) left.push({ ...position, ...doubt });
  else if (after !== null) left.push({ ...position, code: "hidden", text: after });
  return {
    title,
    alternatives,
    answer,
    published: (found.published ?? true) && doubt === undefined,
    hidden: after !== null,
    category: found.category ?? null,
    options: found.options ?? [],
  };
}

function readImage(address: string): string {
  const { html } = readAnswer(address);
  return html.replace(/^<a href="([^"]*)">.*<\/a>$/u, '<img src="$1" alt="">');
}

/** Returns the first wording of an answer, and lists the others: a content has one answer. */
export function firstOf(
  wordings: readonly string[],
  position: Position,
  left: Omission[],
): string | null {
  const [first = null, ...others] = [...new Set(wordings.map((one) => one.trim()))].filter(
    (one) => one !== "",
  );
  for (const other of others) {
    left.push({ ...position, code: "other-wording", text: shorten(other) });
  }
  return first;
}

/** Lists things of a kind, such as `slot "city"`, that stay behind for one reason. */
export function leaveAll(
  file: string,
  kind: string,
  names: readonly string[],
  reason: OmissionReason,
): readonly Omission[] {
  return names.map((name) => ({
    file,
    line: null,
    part: `${kind} ${quoteShort(name)}`,
    ...reason,
  }));
}
