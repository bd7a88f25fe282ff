import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { Searchable } from "../../src/matching/types.ts";
import { createMatcher } from "../../src/matching/matcher.ts";

const languageFile = z.object({
  language: z.string(),
  contents: z.array(
    z.object({ id: z.number(), title: z.string(), alternatives: z.array(z.string()).default([]) }),
  ),
  /** `id: null` means that no content answers it. */
  queries: z.array(z.object({ text: z.string(), id: z.number().nullable() })),
});

export interface LanguageResult {
  /** The file's name without its ending. */
  readonly locale: string;
  readonly right: number;
  readonly of: number;
  readonly wrong: readonly string[];
}

/** One file of queries. */
export interface LanguageQueries {
  readonly locale: string;
  /** BCP 47, lower case. */
  readonly language: string;
  readonly contents: readonly Searchable[];
  readonly queries: readonly { readonly text: string; readonly id: number | null }[];
}

/** Every `<locale>.yaml` in a folder. @throws Error naming the file that is not of that form */
export function readLanguages(folder: string): readonly LanguageQueries[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((name) => {
      const file = join(folder, name);
      const read = languageFile.safeParse(parse(readFileSync(file, "utf8")));
      if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
      const { language, contents, queries } = read.data;
      return {
        locale: name.slice(0, -".yaml".length),
        language: language.toLowerCase(),
        contents: contents.map(({ id, title, alternatives }) => ({
          id,
          phrases: [title, ...alternatives],
        })),
        queries,
      };
    });
}

/** Asks the hand-written queries of every file. @throws as {@link readLanguages} */
export function askLanguages(folder: string): readonly LanguageResult[] {
  return readLanguages(folder).map(askLanguage);
}

function askLanguage({ locale, language, contents, queries }: LanguageQueries): LanguageResult {
  const matcher = createMatcher(contents, { language, words: loadMatchingWords(language) });
  const wrong: string[] = [];
  for (const { text, id } of queries) {
    const { hits, threshold } = matcher.search(text, 2);
    const best = hits[0];
    const answer = best !== undefined && best.score >= threshold ? best.id : null;
    if (answer === id) continue;
    const seen = hits.map((hit) => `${hit.id} at ${hit.score.toFixed(2)}`).join(", ");
    wrong.push(`"${text}": ${id ?? "nothing"} expected, found ${seen || "nothing"}`);
  }
  return { locale, right: queries.length - wrong.length, of: queries.length, wrong };
}
