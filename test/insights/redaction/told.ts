import { loadMatchingWords } from "../../../src/config/load/matching-words.ts";
import { readNamingPhrases, type Told } from "../../../src/insights/redaction/redact-names.ts";
import { foldWords } from "../../../src/matching/analysis.ts";

/** A conversation in a language, and names that it told. */
export function toldIn(language: string, names: readonly string[] = []): Told {
  const words = loadMatchingWords(language);
  return {
    names,
    naming: readNamingPhrases(words?.naming ?? "", foldWords(words?.function, language)),
  };
}
