// The contents of an own bot in the console's API; the gateway writes them, and the page reads them.

import type { Finding } from "./console.ts";

/** The fields of a content that the console edits. Other keys in its file stay. */
export interface ContentFields {
  readonly title: string;
  /** Other ways in which readers ask for it. */
  readonly alternatives: readonly string[];
  /** HTML. Several answers are shown one after the other. */
  readonly answer: readonly string[];
  /** Ids. */
  readonly categories: readonly number[];
  /** Ids of contents of the same language. */
  readonly related: readonly number[];
  /** False if readers never see it. */
  readonly published: boolean;
  /** True if no question finds it; links and options do. */
  readonly hidden: boolean;
  /** A time as in files: `2026-12-31` or `2026-12-31T18:00+01:00`; null for always. */
  readonly publishFrom: string | null;
  readonly expires: string | null;
}

/** One content of a list. */
export interface ContentSummary extends Pick<
  ContentFields,
  "title" | "alternatives" | "categories" | "published" | "hidden" | "publishFrom" | "expires"
> {
  /** The same id in another language is the same content. */
  readonly id: number;
  /** A language tag, such as pt-BR. */
  readonly language: string;
  /** Its path below the configuration's folder. Null for contents that are in the database. */
  readonly file: string | null;
  /** The line on which it begins. 0 in the database, and for contents that only the draft has. */
  readonly line: number;
  /** The change that the draft makes to it; null for none. */
  readonly draft: "added" | "changed" | "removed" | null;
}

export interface ContentList {
  /** True if these are the contents of the demo shop, which cannot be changed. */
  readonly demo: boolean;
  readonly languages: readonly ContentLanguage[];
  /** The requested contents, by language and position; at most 200. */
  readonly contents: readonly ContentSummary[];
  /** The number of all requested contents. */
  readonly total: number;
  /** The errors and warnings of the check, with the draft. */
  readonly findings: readonly ContentFinding[];
}

export interface ContentLanguage {
  readonly language: string;
  readonly contents: number;
  readonly categories: readonly {
    readonly id: number;
    readonly name: string;
    readonly parent: number | null;
  }[];
}

/** A finding; `content` is absent if it does not concern a single content. */
export interface ContentFinding extends Finding {
  readonly content?: { readonly language: string; readonly id: number };
}

/** A content with all of its details, as the draft has it. */
export interface ContentDetails extends Omit<ContentSummary, keyof ContentFields> {
  readonly fields: ContentFields;
  /** The fields in the file without the draft; null if the file does not have the content yet. */
  readonly written: ContentFields | null;
  /** True if it was deleted from its file after the draft had changed it. */
  readonly deleted: boolean;
  /** The content's other keys, such as `form` or `options`, with their lines in the file. */
  readonly others: readonly { readonly key: string; readonly line: number }[];
  /** The languages that have the same content. */
  readonly languages: readonly string[];
  /** The titles of the contents that `related` names. */
  readonly relatedTitles: Readonly<Record<string, string>>;
  readonly findings: readonly ContentFinding[];
}

/** A content that a draft adds, changes or removes. Null fields: there is no such content. */
export interface ContentChange {
  readonly language: string;
  readonly id: number;
  readonly file: string;
  /** The fields in the file when the draft was begun. */
  readonly before: ContentFields | null;
  /** The fields in the file now. */
  readonly theirs: ContentFields | null;
  /** The fields after publication. */
  readonly after: ContentFields | null;
  readonly names: ContentNames;
}

/** The names of the categories and contents that fields name by id, as far as they are known. */
export interface ContentNames {
  readonly categories: Readonly<Record<string, string>>;
  /** Titles. */
  readonly related: Readonly<Record<string, string>>;
}

/** A content of a publication. */
export type PublishedContent = Omit<ContentChange, "file" | "theirs">;

/** A content that is being edited, with questions to try. */
export interface ContentQuestions {
  readonly language: string;
  /** Null if it is new or, without `fields`, no content is being edited. */
  readonly id: number | null;
  readonly fields: Pick<ContentFields, "title" | "alternatives" | "published" | "hidden"> | null;
  readonly questions: readonly string[];
}

/** The contents that questions find, including the one that is being edited. */
export interface ContentTrial {
  /** Each of the content's phrases beside the other contents that it would find too. */
  readonly phrases: readonly { readonly phrase: string; readonly others: readonly ContentHit[] }[];
  readonly questions: readonly {
    readonly question: string;
    /** The best first. */
    readonly hits: readonly ContentHit[];
    /** Readers get the best content as an answer or as an offer, or they get nothing. */
    readonly outcome: "answered" | "offered" | "nothing";
  }[];
}

export interface ContentHit {
  readonly id: number;
  readonly title: string;
  /** From 0 to 1. */
  readonly score: number;
  /** True if the words are one of its phrases. */
  readonly exact: boolean;
}
