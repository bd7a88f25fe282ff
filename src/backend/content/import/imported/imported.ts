import type { Omission } from "./omissions.ts";

/** A file that another bot or program wrote. */
export interface ImportFile {
  /** Its name as people know it; `/` separates folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The result of reading a format's files. */
export interface Imported {
  readonly contents: readonly ImportedContent[];
  /** Groups of words that mean the same, by language tag. */
  readonly synonyms: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** The parts without a counterpart, and those that need a review before readers see them. */
  readonly left: readonly Omission[];
}

/** One content in all of its languages. */
export interface ImportedContent {
  /** The other bot's name for it, by which options refer to it. */
  readonly key: string;
  /** The file that it comes from, for messages. */
  readonly file: string;
  readonly line: number | null;
  /** By language tag; {@link UNNAMED} where the files name no language. */
  readonly texts: ReadonlyMap<string, ImportedText>;
}

export interface ImportedText {
  readonly title: string;
  readonly alternatives: readonly string[];
  /** HTML, at least one; shown one after the other. */
  readonly answer: readonly string[];
  /** False if it needs a review before readers see it. */
  readonly published: boolean;
  /** True for a step of a dialog, which is reached by options and not by questions. */
  readonly hidden: boolean;
  /** A name, which becomes a category. */
  readonly category: string | null;
  /** Each leads to a content by its key, or by one of its phrases. */
  readonly options: readonly ImportedOption[];
}

export interface ImportedOption {
  readonly label: string;
  readonly to: string;
}

/** Stands for the command's language, in texts whose files name no language. */
export const UNNAMED = "";

/** Most bytes of one file. */
export const MAX_IMPORT_BYTES = 52_428_800;
/** The most files of one folder or archive. */
export const MAX_IMPORT_FILES = 10_000;

/** Shortens a text to its beginning, in one line. */
export function shorten(text: string): string {
  const plain = text.replace(/\s+/gu, " ").trim();
  return plain.length > 60 ? `${plain.slice(0, 60).toWellFormed().trimEnd()}…` : plain;
}

/** Quotes a name for the part of an {@link Omission}, shortened. */
export function quoteShort(text: string): string {
  return `"${shorten(text)}"`;
}
