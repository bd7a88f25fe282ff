import { loadMatchingWords } from "../../../src/config/load/matching-words.ts";
import {
  readNamingPhrases,
  type RedactionContext,
} from "../../../src/insights/redaction/redact-names.ts";
import { foldWords } from "../../../src/matching/analysis.ts";

/** A conversation in a language, and names that it told. */
export function toldIn(language: string, names: readonly string[] = []): RedactionContext {
  const words = loadMatchingWords(language);
  return {
    names,
    naming: readNamingPhrases(words?.naming ?? "", foldWords(words?.function, language)),
  };
}
