// Contents from elsewhere in the console's API.

import type { Finding } from "./console.ts";

/** The contents that a file of another bot or program would become, or has become. */
export interface ImportedContents {
  /** Null: it is nothing that is known here. */
  readonly format: "sheet" | "rasa" | "dialogflow" | "watson" | "botpress" | null;
  /** True: the file does not say which language it is in, and none was named. */
  readonly needsLanguage: boolean;
  /** One for each language. */
  readonly files: readonly ImportedContentFile[];
  /** The parts that do not come over as they are, at most 200. */
  readonly left: readonly LeftBehind[];
  readonly leftTotal: number;
  /** Why it cannot be imported, and what is to be known of it. */
  readonly findings: readonly Finding[];
  /** True: the files are written. */
  readonly written: boolean;
  /** True: they answer once the process has started again. */
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
  /** Contents that nobody sees before the owner has looked at them. */
  readonly unpublished: number;
  /** Contents that only a choice leads to. */
  readonly hidden: number;
  /** The first contents. */
  readonly first: readonly {
    readonly title: string;
    readonly alternatives: readonly string[];
    readonly answer: readonly string[];
  }[];
}

/** A part without a counterpart. */
export interface LeftBehind {
  readonly file: string;
  /** From 1; null for a file as a whole. */
  readonly line: number | null;
  readonly what: string;
  readonly why: string;
  /** The name of the sentence that the page says instead, with its values. */
  readonly code?: string;
  readonly params?: Readonly<Record<string, string | number>>;
}
