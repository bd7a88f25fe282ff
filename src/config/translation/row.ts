import type { Span } from "../../yaml/source.ts";
import type { TranslationUnit } from "../edit/unit.ts";

/** The texts of one target language that an export writes. */
export interface LanguageUnits {
  readonly locale: string;
  readonly units: readonly TranslationUnit[];
}

/** A text of a translator's file. */
export interface TranslatedRow {
  readonly locale: string;
  /** The language of the messages file that was exported; null if the translator's file does not say. */
  readonly exported: string | null;
  readonly id: string;
  /** The text that it was translated from; null when the file does not say. */
  readonly source: string | null;
  /** Null when there is no translation. */
  readonly target: string | null;
  /** The span of the text in the translator's file. */
  readonly span: Span;
}
