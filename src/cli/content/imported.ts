import type { Source, Span } from "../../yaml/source.ts";
import type { YamlFile } from "../../yaml/yaml.ts";

/** The contents of an imported file. */
export interface ImportedFile {
  /** The value of each is one content, written as in a content file. */
  readonly rows: readonly YamlFile[];
  /** The other parts of its language: categories, customized answers, synonyms; null in CSV. */
  readonly parts: YamlFile | null;
  /** The language that the file names, and where. */
  readonly language: { readonly tag: string; readonly source: Source; readonly span: Span } | null;
}
