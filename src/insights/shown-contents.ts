import type { Fact, LineKey } from "./facts.ts";
import type { NotedFact } from "./noted-facts.ts";
import { toContentLine } from "./shown-lines.ts";

/** The contents that an answer has shown, as lines to count. */
export interface ShownLines {
  readonly lines: readonly LineKey[];
  /** The reader's language, which may differ from that of the contents. */
  readonly spoken: string;
  /** True if the reader's message was only a yes or no. */
  readonly isReply: () => Promise<boolean>;
}

/** Finds the language of the embedded backend's contents for readers of a language. */
export type LanguageOfContents = (instance: string, language: string) => string;

/**
 * Reads which contents of the embedded backend were shown in these facts. A fact is left out if its
 * conversation cannot be read now, because the language of its contents is unknown then.
 */
export async function readShownContents(
  facts: readonly NotedFact[],
  languageOfContents: LanguageOfContents,
): Promise<ReadonlyMap<Fact, ShownLines>> {
  const turns = facts
    .map(({ fact }) => fact)
    .filter((fact) => fact.kind === "turn" && fact.readContents !== undefined);
  const shown = new Map<Fact, ShownLines>();
  // The store of conversations may be remote, so only a few are read at once.
  for (let from = 0; from < turns.length; from += atOnce) {
    const chunk = turns.slice(from, from + atOnce);
    const lines = await Promise.all(chunk.map((fact) => readLines(fact, languageOfContents)));
    for (const [index, fact] of chunk.entries()) {
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
