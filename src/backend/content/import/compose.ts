import { readAnswer, readPhrase } from "./answer.ts";
import {
  countOf,
  type ImportedOption,
  type ImportedText,
  type Omission,
  quoteShort,
} from "./imported.ts";

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
  readonly doubt?: string | null;
  /** The message that has to come before it in a dialog; null: none. */
  readonly after?: string | null;
  /** The pattern of the values that the other bot fills in. */
  readonly placeholder: RegExp;
}

/** The file, line and name of a content, for messages. */
export type Position = Pick<Omission, "file" | "line" | "what">;

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
    const why = title === undefined ? "no phrase leads to it" : "no answer with text belongs to it";
    left.push({ ...position, why });
    return null;
  }
  const after = found.after ?? null;
  const doubts = [found.doubt ?? null, ...read.map(({ doubt }) => doubt)];
  const doubt = doubts.find((one) => one !== null);
  if (doubt !== undefined) left.push({ ...position, why: `${doubt}: it came over unpublished` });
  else if (after !== null) {
    const why = `it is said after ${after} alone: it came over hidden, for the options of another content`;
    left.push({ ...position, why });
  }
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
    const what = `${position.what}, another wording ${quoteShort(other)}`;
    left.push({ ...position, what, why: "a content has one answer, and the first came over" });
  }
  return first;
}

/** Lists all things of a kind in one line: `2 slots (city, name)`. */
export function leaveAll(
  file: string,
  kind: string,
  names: readonly string[],
  why: string,
): readonly Omission[] {
  if (names.length === 0) return [];
  const count = countOf(names.length, kind);
  return [{ file, line: null, what: `${count} (${names.join(", ")})`, why }];
}
