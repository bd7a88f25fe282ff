import type {
  Draft,
  Finding,
  Grant,
  LineFinding,
  Publication,
  TextPlace,
} from "../../api/console.ts";
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
import type { ConsoleAnswer } from "./answer.ts";

/** The owner's files of texts; a port, as parsing them is not for every runtime. */
export interface TextFiles {
  /** Reads their findings now. Rejects when they cannot be looked at. */
  read(): Promise<Findings>;
  readonly editing: Editing;
  /** The contents of an own backend; null: there are none, or not in files of this machine. */
  readonly contents: ContentFiles | null;
  /** False: `editing` changes what a line says to everybody, and nothing else. */
  readonly everyText: boolean;
  /** Texts of an instance as a translator's file. */
  exported(wish: ExportWish): Promise<ConsoleAnswer>;
  /** Makes contents of the embedded backend of a file; null: there is no place for them. */
  readonly importContents: ((wish: ContentImportWish) => Promise<ImportedContents>) | null;
}

/** A file of another bot or program. */
export interface ContentImportWish {
  /** As findings call it; it also names the files that are written. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The language of contents whose file names none; null: nobody has said. */
  readonly language: string | null;
  /** False: only says what would be written. */
  readonly write: boolean;
}

/** The owner's contents, as a label's draft has them. */
export interface ContentFiles {
  list(grant: Grant, wish: ContentWish): Promise<ContentList>;
  /** Null: there is no such content. */
  details(grant: Grant, language: string, id: number): Promise<ContentDetails | null>;
  /** Null: nothing can be said while the files have errors. */
  ask(
    grant: Grant,
    questions: ContentQuestions,
    settings: MatchingSettings,
  ): Promise<ContentTrial | null>;
  /** Puts a content into the draft, and answers with its id and the draft. */
  put(grant: Grant, change: WantedContent): Promise<ConsoleAnswer>;
  /** Takes a change out of the draft, and answers with the draft. */
  takeOut(grant: Grant, language: string, id: number): Promise<ConsoleAnswer>;
}

export interface ContentWish {
  /** A language tag; null: all. */
  readonly language: string | null;
  /** Words that all of a content's texts together have. Empty: all fit. */
  readonly search: string;
  readonly filter: "draft" | "offline" | "dated" | null;
  readonly category: number | null;
  readonly limit: number;
}

export interface WantedContent {
  readonly language: string;
  /** Null: a new content. */
  readonly id: number | null;
  /** The fields that change; null: it goes out of its file. */
  readonly fields: Partial<ContentFields> | null;
  /** The same fields as they were read: one that says something else now is refused. */
  readonly seen: Partial<ContentFields> | null;
  /** The id of a content of the same language that the new one is a copy of. */
  readonly like: number | null;
}

export interface ExportWish {
  readonly instance: string;
  readonly format: "csv" | "xliff";
  /** Empty: all but the one that is translated from. */
  readonly locales: readonly string[];
  /** Lines; empty: all. */
  readonly keys: readonly string[];
}

/** A translator's file, CSV or XLIFF. */
export interface ImportWish {
  readonly instance: string;
  /** As findings call it. */
  readonly name: string;
  readonly text: string;
}

export interface Findings {
  /** The findings of `afterword check`. */
  readonly findings: readonly Finding[];
  /** By table set, as instances number them. */
  readonly sets: readonly {
    readonly lines: readonly LineFinding[];
    readonly places: readonly TextPlace[];
  }[];
}

/** Changing the files: a draft for each label, publications, and what was done. */
export interface Editing {
  /** The draft of a label, and the configuration with it: null where none can be made. */
  draft(grant: Grant): Promise<{ readonly draft: Draft; readonly config: Config | null }>;
  /** @param text null: the whole line is to go out of its file */
  put(grant: Grant, place: DraftPlace, text: string | null): Promise<ConsoleAnswer>;
  /** Puts the texts of a translator's file that differ from what is said into the draft. */
  imported(grant: Grant, wish: ImportWish): Promise<ConsoleAnswer>;
  /** Takes a change out of the draft. */
  takeOut(grant: Grant, place: DraftPlace): Promise<ConsoleAnswer>;
  discard(grant: Grant): Promise<ConsoleAnswer>;
  /** Takes these files as the draft's beginning, as they are now. */
  rebase(grant: Grant, files: readonly string[]): Promise<ConsoleAnswer>;
  publish(grant: Grant, wish: PublicationWish): Promise<ConsoleAnswer>;
  /** The latest first. */
  history(grant: Grant): Promise<readonly Publication[]>;
  restore(grant: Grant, id: number, wish: PublicationWish): Promise<ConsoleAnswer>;
  /** All reviews, of texts that nobody says any more too. */
  reviews(): Promise<readonly StoredReview[]>;
  /** @param wanted false: the review is taken back */
  review(grant: Grant, review: ReviewedText, wanted: boolean): Promise<void>;
  /** Puts a write that is none of the files' into the audit log. */
  record(grant: Grant, action: string, details: string): Promise<void>;
  audit(): Promise<readonly AuditEntry[]>;
}

/** A text that was found right, by its hash: it stays so for every instance that says the same. */
export interface ReviewedText {
  readonly locale: string;
  readonly key: string;
  readonly text: string;
  /** The language that it is translated from, and the hash of what that said. */
  readonly from: string;
  readonly source: string;
}

export interface StoredReview extends ReviewedText {
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface DraftPlace {
  readonly instance: string;
  readonly locale: string;
  readonly key: string;
  /** As translators' files name it; null: the line's own text, or that of the channel. */
  readonly id: string | null;
  readonly channel: string;
}

export interface PublicationWish {
  readonly note: string;
  /** Hashes of the files as they were looked at; a file that is not named is not asked about. */
  readonly files: Readonly<Record<string, string>>;
  /** True: in spite of warnings. */
  readonly warnings: boolean;
}
