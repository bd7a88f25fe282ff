// The answers of the console's API; the gateway writes them, and the page reads them.

import type { ContentChange, ContentFinding, PublishedContent } from "./console-contents.ts";

/** The origin of a text: the owner, Afterword, another language, none; or it is never said. */
export type CellState = "own" | "shipped" | "inherited" | "missing" | "never";

/** The texts of an instance in one channel: `cells[key][locale]`, in the order to show them. */
export interface Texts {
  readonly instance: string;
  readonly channel: string;
  /** The language in which the instance answers by default. */
  readonly fallback: string;
  readonly keys: readonly KeyFacts[];
  readonly locales: readonly string[];
  readonly cells: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
}

/** The findings in an instance's texts, which have their own operation: reading files is slow. */
export interface FindingsAnswer {
  readonly findings: readonly LineFinding[];
}

/** The record that a reviewer found a line right in a language. */
export interface Review {
  readonly key: string;
  readonly locale: string;
  /** The label of the token that made it. */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  /** True when the text that it was translated from has changed. */
  readonly sourceChanged: boolean;
}

export interface KeyFacts {
  readonly key: string;
  /** The engine's own line in English; null if it has none. */
  readonly engine: string | null;
  /** When readers get the line. */
  readonly use: string;
}

export interface Cell {
  readonly state: CellState;
  /** The first text of the line; null for none. */
  readonly text: string | null;
  /** The language of the text, if it is not the reader's own. */
  readonly from?: string;
}

/** A line in one language, with all of its texts. */
export interface LineDetails extends KeyFacts {
  readonly instance: string;
  readonly channel: string;
  readonly locale: string;
  readonly state: CellState;
  /** SHA-256 of the language's own texts, to which a review refers; null if it has none. */
  readonly hash: string | null;
  /** The placeholders that its texts may use: `query`, and the instance's variables. */
  readonly placeholders: readonly string[];
  /** In the order in which they are tried. */
  readonly wordings: readonly Wording[];
  readonly previews: readonly Preview[];
  /** Readers of other languages who get this language's texts. */
  readonly readers: readonly Reader[];
}

export interface LineAnswer extends LineDetails {
  readonly findings: readonly LineFinding[];
  readonly places: readonly OwnText[];
}

export interface Wording {
  readonly origin: "own" | "shipped";
  readonly locale: string;
  /** The rule's name in traces, such as `no-results.when[0].variants[1]`. */
  readonly rule: string;
  readonly text: string;
  readonly format: "html" | "text";
  /** The readers who get it; absent for all. */
  readonly when?: Readonly<Record<string, string>>;
}

export interface Preview {
  /** `plain`: in a channel without markup. */
  readonly kind: "typed" | "clicked" | "long" | "plain";
  /** Null if the engine's words stay. */
  readonly text: string | null;
}

export interface Reader {
  readonly tag: string;
  readonly locale: string;
  readonly reason: string;
}

/**
 * One of the situations in which the engine gives a preset answer, with an example of that answer.
 */
export interface Situation {
  readonly key: string;
  readonly use: string;
  readonly body: string;
}

/** The text that a reader would see instead of an engine's answer, and the reason. */
export interface Explained {
  readonly changed: boolean;
  readonly bytes: { readonly before: number; readonly after: number };
  readonly locale: string;
  readonly localeReason: string;
  readonly instance: string;
  readonly channel: string;
  /** `text`: readers of this channel see markup as it is written. */
  readonly format: "html" | "text";
  /** The reason why the whole answer was left unchanged; null if its texts were examined. */
  readonly gate: string | null;
  readonly places: readonly ExplainedText[];
  readonly body: string;
  readonly trace: unknown;
}

/** One text of an answer. */
export interface ExplainedText {
  /** JSON pointer. */
  readonly at: string;
  readonly flag: string | null;
  readonly reason: string;
  readonly source?: { readonly locale: string; readonly origin: string; readonly rule: string };
  readonly engine: string | null;
  readonly reader: string | null;
  /**
   * The location of the owner's text that is shown; absent if the text is not the owner's or its
   * location is unknown.
   */
  readonly written?: { readonly file: string; readonly line: number };
  /** The flag came although default content should hide it. */
  readonly unexpected: boolean;
}

/** `file` is relative to the configuration's folder; `line` is 0 for a text that only a draft has. */
export interface Finding {
  readonly severity: "error" | "warning" | "note";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /**
   * The values of the code's sentence in other languages; absent if only the message says
   * everything.
   */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface LineFinding extends Finding {
  readonly key: string;
  readonly locale: string;
  /** The id of the text that it concerns; null if it concerns more of the line. */
  readonly id: string | null;
}

/** A text of the owner, and the line where it is written. */
export interface OwnText {
  readonly key: string;
  readonly locale: string;
  /** Its id in translators' files, such as `no-results.channels.voice`. */
  readonly id: string;
  readonly text: string;
  readonly file: string;
  readonly line: number;
}

/** The changes that were made under one token and are not published yet. */
export interface Draft {
  readonly changes: readonly DraftChange[];
  /** The contents of the embedded bot that it changes. */
  readonly contents: readonly ContentChange[];
  readonly files: readonly DraftFile[];
  /** Errors in anything, and warnings of the changed lines. */
  readonly findings: readonly (Finding &
    Partial<Pick<LineFinding, "key" | "locale" | "id">> &
    Pick<ContentFinding, "content">)[];
}

export interface DraftChange extends Omit<OwnText, "line" | "text"> {
  /** Null if the text is removed from the file; with the line's own `id`, the whole line is. */
  readonly text: string | null;
  readonly instance: string;
  /** All instances that use the file. */
  readonly instances: readonly string[];
  /** The owner's text when the draft was begun; null for none. */
  readonly before: string | null;
  /** The owner's text now. */
  readonly theirs: string | null;
}

export interface DraftFile {
  readonly file: string;
  /** SHA-256 of the file that the draft was begun with, hexadecimal; null if there was none. */
  readonly hash: string | null;
  /** True if the file has been changed since. */
  readonly conflict: boolean;
  /** A unified diff from the present file to the changed one. */
  readonly diff: string;
}

/** The result of importing a translator's file. */
export interface ImportResult {
  readonly draft: Draft;
  readonly taken: number;
  readonly unchanged: number;
  readonly untranslated: number;
  readonly findings: readonly Finding[];
}

/** The result of a publication without conflicts. */
export type Published =
  | {
      readonly kind: "published";
      /** The number by which the history names it. */
      readonly id: number;
      /** Hash of what is in force now. */
      readonly snapshot: string;
      readonly takeAway: ExportedChanges;
    }
  /** The files cannot be written here: this has to be applied elsewhere. */
  | {
      readonly kind: "patch";
      readonly reason: string;
      readonly file: string;
      /** The system's error code, such as `EACCES`. */
      readonly code: string;
      readonly takeAway: ExportedChanges;
    };

/** The same changes, for places that do not share these files. */
export interface ExportedChanges {
  /** For `git apply`. */
  readonly patch: string;
  /** For `afterword messages import`, by instance. A restored text is in the patch alone. */
  readonly csv: readonly { readonly name: string; readonly text: string }[];
}

/** A file that changed while it was edited, and its three texts. */
export interface Conflict {
  readonly file: string;
  readonly before: string | null;
  readonly theirs: string | null;
  readonly yours: string | null;
  /** SHA-256 of `theirs`. Sent back, it confirms that the file was seen. */
  readonly hash: string | null;
  readonly changes: readonly DraftChange[];
  readonly contents: readonly ContentChange[];
}

/** One publication. */
export interface Publication {
  readonly id: number;
  readonly label: string;
  readonly note: string;
  /** ISO 8601. */
  readonly at: string;
  /** The publication that this one took back; null for none. */
  readonly restores: number | null;
  /** The file that contents were imported from; null if it is no import. */
  readonly imported: {
    readonly format: string;
    readonly source: string;
    /** The number of imported contents. A content in two languages counts once. */
    readonly contents: number;
  } | null;
  readonly snapshot: string | null;
  readonly files: readonly {
    readonly file: string;
    /** The first 1,000 lines or 64 KiB of it. */
    readonly diff: string;
    /** The number of lines and of contents that this answer leaves out. */
    readonly more: { readonly lines: number; readonly contents: number };
    /** SHA-256 of the file as it is now; null if there is none. */
    readonly hash: string | null;
    readonly changes: readonly PublishedChange[];
    /** The first 100. */
    readonly contents: readonly PublishedContent[];
  }[];
}

/** One text of a publication; null if the owner had none, or has none any more. */
export interface PublishedChange {
  readonly locale: string;
  readonly key: string;
  /** The id of the text, as in translators' files. */
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
}
