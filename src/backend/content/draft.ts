import type { Path, YamlFile } from "../../yaml/yaml.ts";
import type { WrittenCategory, WrittenItem } from "./schema.ts";
import type { AppDatum } from "./types.ts";

/** Something that was read, with the place it was read from. */
export interface Placed<T> {
  readonly value: T;
  readonly file: YamlFile;
  /** Path to it within the file. */
  readonly base: Path;
}

/** Everything that was written for one language, in all files. */
export interface LanguageDraft {
  readonly language: string;
  readonly items: Placed<WrittenItem>[];
  /** Ids of contents with mistakes: to name them elsewhere is no mistake. */
  readonly broken: Set<number>;
  readonly categories: Placed<WrittenCategory>[];
  readonly brokenCategories: Set<number>;
  readonly customized: Placed<{ readonly flag: string; readonly content: number }>[];
  readonly synonyms: (readonly string[])[];
}

/** Everything that was written. */
export interface ContentDraft {
  readonly languages: Map<string, LanguageDraft>;
  readonly appData: Map<string, readonly AppDatum[]>;
}

export function emptyDraft(): ContentDraft {
  return { languages: new Map(), appData: new Map() };
}

/** The draft of a language, begun when it is not there yet. */
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
