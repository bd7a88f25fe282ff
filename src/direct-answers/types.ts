import type { Edit } from "../json/types.ts";
import type { RenderedLine } from "../locales/types.ts";
import type { Flag } from "./flags.ts";

/** What the decision needs to know of one instance. Plain data. */
export interface InstanceRules {
  /**
   * Flags whose default content is active on this instance, so that the engine does not return them
   * (seed.md, Chatbot rule 2).
   */
  readonly activeDefaultContent: readonly Flag[];
  /**
   * Titles, trimmed and lower-cased, by which active default content is known, and the flag each
   * stands for.
   */
  readonly recognize: { readonly [title: string]: Flag };
  /** Put the flag of recognized default content back into `flags`. */
  readonly restoreFlags: boolean;
}

/**
 * Finds what to say, or null when the original must stay. `key` is a flag or `related-title`;
 * `count` is how many options (or related contents) the answer offers, null when it offers none.
 */
export type Say = (key: Flag | "related-title", count: number | null) => RenderedLine | null;

/** Why nothing, or something, was edited in one place of an answer. */
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

/** One decision about one place in the body. `before` and `after` are JSON text. */
export interface TraceStep {
  /** JSON pointer of the place, such as `/answers/0/message`. */
  readonly at: string;
  readonly flag: Flag | null;
  readonly reason: Reason;
  /**
   * True on the second of two places that one text was written to (`messageList` after `message`):
   * count only the first.
   */
  readonly twin?: boolean;
  /** True when the flag came although the instance's default content should hide it. */
  readonly unexpected?: boolean;
  readonly source?: RenderedLine["source"];
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
  | "disabled"
  | "unknown-instance"
  | "error";

/** The one record that explain, metrics, the console and tests read. */
export interface Trace {
  readonly gate: Gate | null;
  readonly locale: string;
  readonly localeReason: string;
  readonly instance: string;
  readonly channel: string;
  readonly steps: readonly TraceStep[];
}

export interface Decision {
  readonly edits: readonly Edit[];
  readonly gate: "invalid-json" | "unknown-shape" | null;
  readonly steps: readonly TraceStep[];
}
