import type { Path, YamlFile } from "../../yaml/yaml.ts";
import type { WrittenCategory, WrittenItem } from "./schema.ts";
import type { AppDatum } from "./types.ts";

/** A value with its origin in a file. */
export interface Located<T> {
  readonly value: T;
  readonly file: YamlFile;
  /** Path to it within the file. */
  readonly base: Path;
}

/** Everything that was written for one language, in all files. */
export interface LanguageDraft {
  readonly language: string;
  readonly items: Located<WrittenItem>[];
  /** Ids of contents with mistakes. References to them are not reported as well. */
  readonly broken: Set<number>;
  readonly categories: Located<WrittenCategory>[];
  readonly brokenCategories: Set<number>;
  readonly customized: Located<{ readonly flag: string; readonly content: number }>[];
  readonly synonyms: (readonly string[])[];
}

/** Everything that was written. */
export interface ContentDraft {
  readonly languages: Map<string, LanguageDraft>;
  readonly appData: Map<string, readonly AppDatum[]>;
}

export function createEmptyDraft(): ContentDraft {
  return { languages: new Map(), appData: new Map() };
}

/** Returns the draft of a language, and creates it if it is missing. */
export function draftOf({ languages }: ContentDraft, language: string): LanguageDraft {
  const known = languages.get(language);
  if (known !== undefined) return known;
  const fresh: LanguageDraft = {
    language,
    items: [],
    broken: new Set(),
    categories: [],
    brokenCategories: new Set(),
    customized: [],
    synonyms: [],
  };
  languages.set(language, fresh);
  return fresh;
}
