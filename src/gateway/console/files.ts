import type { Draft, Finding, LineFinding, Publication, OwnText } from "../../api/console.ts";
import type { Grant } from "../../api/console-session.ts";
import type { AuditEntry } from "../../api/console-health.ts";
import type {
  ContentDetails,
  ContentFields,
  ContentList,
  ContentQuestions,
  ContentTrial,
} from "../../api/console-contents.ts";
import type { MatchingSettings } from "../../matching/types.ts";
import type { ImportedContents } from "../../api/console-import.ts";
import type { Config } from "../../config/config.ts";
import type { ConsoleAnswer, Refusal } from "./answer.ts";

/** The owner's files of texts. A port, because not every runtime can parse them. */
export interface TextFiles {
  /** Checks them now. Rejects when they cannot be read. */
  read(): Promise<Findings>;
  readonly editing: Editing;
  /** The embedded backend's contents; null if no files of this machine have them. */
  readonly contents: ContentFiles | null;
  /**
   * False if `editing` can only change a line's main text, and no variant or channel.
   */
  readonly everyText: boolean;
  /** Writes an instance's texts as a translator's file. */
  exportTexts(request: ExportRequest): Promise<ConsoleAnswer>;
  /** Imports contents of the embedded backend from a file; null if there is no folder for them. */
  readonly importContents:
    | ((grant: Grant, request: ContentImportRequest) => Promise<ImportedContents | Refusal>)
    | null;
}

/** A file that another bot or program exported. */
export interface ContentImportRequest {
  /** The file's name in findings, from which the written files are named. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The language of contents whose file names none; null if the owner has not chosen one. */
  readonly language: string | null;
  /** False means a dry run. */
  readonly write: boolean;
  /** The lowest id that a new content may have. */
  readonly least: number;
}

/** The owner's contents, with the draft of the token's label applied. */
export interface ContentFiles {
  list(grant: Grant, query: ContentQuery): Promise<ContentList>;
  /** Null if there is no such content. */
  details(grant: Grant, language: string, id: number): Promise<ContentDetails | null>;
  /** Null if the files have errors. */
  ask(
    grant: Grant,
    questions: ContentQuestions,
    settings: MatchingSettings,
  ): Promise<ContentTrial | null>;
  /** Puts a content into the draft, and answers with its id and the draft. */
  put(grant: Grant, change: ContentEdit): Promise<ConsoleAnswer>;
  /** Removes a change from the draft, and returns the draft. */
  removeChange(grant: Grant, language: string, id: number): Promise<ConsoleAnswer>;
}

export interface ContentQuery {
  /** A language tag; null for all. */
  readonly language: string | null;
  /** Words that a content's texts must contain; empty matches every content. */
  readonly search: string;
  readonly filter: "draft" | "offline" | "dated" | null;
  readonly category: number | null;
  readonly limit: number;
}

export interface ContentEdit {
  readonly language: string;
  /** Null means a new content. */
  readonly id: number | null;
  /** The fields that change; null removes the content from its file. */
  readonly fields: Partial<ContentFields> | null;
  /** The same fields as the owner read them. The change is refused if one is different by now. */
  readonly seen: Partial<ContentFields> | null;
  /** Id of the content in the same language that a new content is copied from; else null. */
  readonly like: number | null;
  /** The lowest id that a new content may have. */
  readonly least: number;
}

export interface ExportRequest {
  readonly instance: string;
  readonly format: "csv" | "xliff";
  /** Empty means all except the source language. */
  readonly locales: readonly string[];
  /** Keys of lines; empty for all. */
  readonly keys: readonly string[];
}

/** A translator's file, CSV or XLIFF. */
export interface ImportRequest {
  readonly instance: string;
  /** The file's name in findings. */
  readonly name: string;
  readonly text: string;
}

export interface Findings {
  /** The findings of `afterword check`. */
  readonly findings: readonly Finding[];
  /** Indexed by an instance's `tableSet`. */
  readonly sets: readonly {
    readonly lines: readonly LineFinding[];
    readonly places: readonly OwnText[];
  }[];
}

/** Changes the files. Each token label has a draft; publications and an audit log are kept. */
export interface Editing {
  /** Returns the label's draft, and the configuration with it; null if the draft has errors. */
  draft(grant: Grant): Promise<{ readonly draft: Draft; readonly config: Config | null }>;
  /** @param text null: removes the whole line from its file */
  put(grant: Grant, address: DraftAddress, text: string | null): Promise<ConsoleAnswer>;
  /** Puts the texts of a translator's file that differ from the present ones into the draft. */
  importTexts(grant: Grant, request: ImportRequest): Promise<ConsoleAnswer>;
  /** Removes a change from the draft. */
  removeChange(grant: Grant, address: DraftAddress): Promise<ConsoleAnswer>;
  discard(grant: Grant): Promise<ConsoleAnswer>;
  /** Rebases the draft on the present state of these files. */
  rebase(grant: Grant, files: readonly string[]): Promise<ConsoleAnswer>;
  publish(grant: Grant, request: PublicationRequest): Promise<ConsoleAnswer>;
  /** The latest first. */
  history(grant: Grant): Promise<readonly Publication[]>;
  restore(grant: Grant, id: number, request: PublicationRequest): Promise<ConsoleAnswer>;
  /** Returns all reviews, including those of texts that are no longer used. */
  reviews(): Promise<readonly StoredReview[]>;
  /** @param isReviewed false: withdraws the review */
  review(grant: Grant, review: ReviewedText, isReviewed: boolean): Promise<void>;
  /** Adds an entry to the audit log, for a change of something other than these files. */
  record(grant: Grant, action: string, details: string): Promise<void>;
  audit(): Promise<readonly AuditEntry[]>;
}

/** A translation that was reviewed. The review holds for every instance with the same text. */
export interface ReviewedText {
  readonly locale: string;
  readonly key: string;
  readonly text: string;
  /** The source language, and the hash of the source text. */
  readonly from: string;
  readonly source: string;
}

export interface StoredReview extends ReviewedText {
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface DraftAddress {
  readonly instance: string;
  readonly locale: string;
  readonly key: string;
  /**
   * The text's id as in translators' files; null for the line's own text, or that of the channel.
   */
  readonly id: string | null;
  readonly channel: string;
}

export interface PublicationRequest {
  readonly note: string;
  /** Hashes of the files as the owner saw them. Files without an entry are not compared. */
  readonly files: Readonly<Record<string, string>>;
  /** True to publish in spite of warnings. */
  readonly warnings: boolean;
}
