import type { Fact, LineKey } from "./facts.ts";
import type { NotedFact } from "./noted-facts.ts";
import { toContentLine } from "./shown-lines.ts";

/** The contents that an answer has shown, as they are counted. */
export interface ShownLines {
  readonly lines: readonly LineKey[];
  /** The reader's language, which need not be that of the contents. */
  readonly spoken: string;
  /** Tells whether the reader only said yes or no. */
  readonly isReply: () => Promise<boolean>;
}

/** Finds the language of the embedded backend's contents for readers of a language. */
export type LanguageOfContents = (instance: string, language: string) => string;

/**
 * Reads which contents of the embedded backend these facts have shown. A fact whose conversation
 * cannot be read now is left out, because the language of its content is unknown.
 */
export async function readShownContents(
  facts: readonly NotedFact[],
  languageOfContents: LanguageOfContents,
): Promise<ReadonlyMap<Fact, ShownLines>> {
  const showing = facts
    .map(({ fact }) => fact)
    .filter((fact) => fact.kind === "turn" && fact.readContents !== undefined);
  const shown = new Map<Fact, ShownLines>();
  // The store of conversations may be remote, and answers a few at once.
  for (let from = 0; from < showing.length; from += atOnce) {
    const some = showing.slice(from, from + atOnce);
    const lines = await Promise.all(some.map((fact) => readLines(fact, languageOfContents)));
    for (const [index, fact] of some.entries()) {
      const found = lines[index];
      if (found) shown.set(fact, found);
    }
  }
  return shown;
}

const atOnce = 20;

async function readLines(
  fact: Fact,
  languageOfContents: LanguageOfContents,
): Promise<ShownLines | null> {
  if (fact.kind !== "turn" || fact.readContents === undefined) return null;
  const { instance } = fact;
  try {
    const { ids, language: spoken, channel, isReply } = await fact.readContents();
    const language = languageOfContents(instance, spoken);
    const lines = [...new Set(ids)].map((id): LineKey => {
      return { instance, language, channel, line: toContentLine(id), speaker: "own" };
    });
    return { lines, spoken, isReply };
  } catch {
    return null;
  }
}
