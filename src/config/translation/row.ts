import type { Span } from "../../yaml/source.ts";
import type { TranslationUnit } from "../edit/unit.ts";

/** The texts of one target language, ready to be written down. */
export interface LanguageUnits {
  readonly locale: string;
  readonly units: readonly TranslationUnit[];
}

/** One text as a translator's file has it. */
export interface TranslatedRow {
  readonly locale: string;
  /** The language of the file that it was exported from; null when the file does not say. */
  readonly exported: string | null;
  readonly id: string;
  /** The text that it was translated from; null when the file does not say. */
  readonly source: string | null;
  /** Null when there is no translation. */
  readonly target: string | null;
  /** Its span in the translator's file. */
  readonly span: Span;
}
