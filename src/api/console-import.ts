// Contents from elsewhere in the console's API.

import type { Finding } from "./console.ts";

/** The contents that a file of another bot or program would become, or has become. */
export interface ImportedContents {
  /** Null if the format is unknown. */
  readonly format: "sheet" | "rasa" | "dialogflow" | "watson" | "botpress" | null;
  /** True if the file does not say which language it is in, and none was named. */
  readonly needsLanguage: boolean;
  /** The content files, one for each language. */
  readonly files: readonly ImportedContentFile[];
  /** The parts that cannot be imported as they are, grouped by the reason. */
  readonly left: readonly LeftBehind[];
  /** The reasons why it cannot be imported, and warnings. */
  readonly findings: readonly Finding[];
  /** True if the files are written. */
  readonly written: boolean;
  /** True if they answer only after a restart of the process. */
  readonly needsRestart: boolean;
}

/** A content file of an import. */
export interface ImportedContentFile {
  readonly language: string;
  /** Below the configuration's folder. */
  readonly file: string;
  readonly contents: number;
  /** Titles and other ways to ask. */
  readonly phrases: number;
  /** The number of contents that are unpublished until the owner has checked them. */
  readonly unpublished: number;
  /** The number of contents that only an option leads to. */
  readonly hidden: number;
  /** The first contents. */
  readonly first: readonly {
    readonly title: string;
    readonly alternatives: readonly string[];
    readonly answer: readonly string[];
  }[];
}

/** Parts that cannot be imported as they are, all for one reason. */
export interface LeftBehind {
  /** The name of the reason's sentence, which the page says as `left-<code>`. */
  readonly code: string;
  /** The number of parts. */
  readonly count: number;
  /** The first 100 parts. */
  readonly parts: readonly LeftPart[];
}

export interface LeftPart {
  readonly file: string;
  /** From 1; null for a file as a whole. */
  readonly line: number | null;
  /** The part as the other bot names it, such as `slot "name"`; null if the sentence names it. */
  readonly part: string | null;
  /** The beginning of what it says; null if there is none, or the sentence quotes it. */
  readonly text: string | null;
  /** The values of the sentence. */
  readonly params: Readonly<Record<string, string | number>>;
  /** The sentence in English. */
  readonly why: string;
}
