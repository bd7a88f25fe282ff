import type { Edit } from "../json/types.ts";
import type { Count, RenderedLine } from "../locales/types.ts";
import type { Flag } from "./flags.ts";

/** The facts of one instance that the decision needs. Plain data. */
export interface InstanceRules {
  /** Flags not returned because their default content is active (seed.md, Chatbot rule 2). */
  readonly activeDefaultContent: readonly Flag[];
  /**
   * Flags whose default content the owner's words replace where it is recognized, each with the
   * engine's texts by which it is recognized beside its titles.
   */
  readonly replace: { readonly [flag in Flag]?: readonly string[] | undefined };
  /** Trimmed, lower-cased titles that identify active default content, each with its flag. */
  readonly recognize: { readonly [title: string]: Flag };
  /** Put the flag of recognized default content back into `flags`. */
  readonly restoreFlags: boolean;
}

/** The text for a key, null to keep the original. `count`: of options or related contents. */
export type Say = (key: Flag | "related-title", count: Count) => RenderedLine | null;

/** Why a text of an answer was edited or left unchanged. */
export type Reason =
  | "rewritten"
  | "no-flag"
  | "no-text"
  | "unknown-flags"
  | "not-a-string"
  | "empty-message"
  | "default-content"
  | "flag-restored"
  | "same-text";

/** One decision about one text of the body. `before` and `after` are JSON text. */
export interface TraceStep {
  /** JSON pointer of the text, such as `/answers/0/message`. */
  readonly at: string;
  readonly flag: Flag | null;
  readonly reason: Reason;
  /**
   * True for the second occurrence of the same text (`messageList` after `message`), which is not
   * counted.
   */
  readonly twin?: boolean | undefined;
  /** True when the flag came although the instance's default content should hide it. */
  readonly unexpected?: boolean | undefined;
  readonly source?: RenderedLine["source"] | undefined;
  readonly before?: string;
  readonly after?: string;
}

/** Why the whole body was left alone, before or instead of single decisions. */
export type Gate =
  | "status"
  | "media-type"
  | "coding"
  | "decode-failed"
  | "no-transform"
  | "signed"
  | "size"
  | "bytes"
  | "invalid-json"
  | "unknown-shape"
  | "memory"
  | "disabled"
  | "unknown-instance"
  | "error";

/** The one record that explain, metrics, the console and tests read. */
export interface Trace {
  readonly gate: Gate | null;
  readonly locale: string;
  readonly localeReason: string;
  /** The requested language, if no table has it. */
  readonly unserved?: string;
  readonly instance: string;
  readonly channel: string;
  readonly steps: readonly TraceStep[];
}

export interface Decision {
  readonly edits: readonly Edit[];
  readonly gate: "invalid-json" | "unknown-shape" | null;
  readonly steps: readonly TraceStep[];
}
