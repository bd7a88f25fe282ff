import type { OwnWords } from "./recognition.ts";

/** BCP 47 tag of a loaded table, such as `fr` or `pt-BR`. Only negotiation makes one. */
export type Locale = string & { readonly __locale: unique symbol };

/** CLDR plural categories, as Intl.PluralRules returns them. */
export type PluralCategory = "zero" | "one" | "two" | "few" | "many" | "other";

/** How a text is meant to be read: `html` texts escape inserted values, `text` ones do not. */
export type TextFormat = "html" | "text";

/** Literal text, or a place where a value goes. */
export type TemplatePart = string | { readonly slot: string };

/** One text, parsed: literal parts and slots in order. No part is an empty string. */
export interface Template {
  readonly format: TextFormat;
  readonly parts: readonly TemplatePart[];
}

/** One thing to say: exactly one of the three is present. */
export interface Phrase {
  readonly text?: Template;
  /** Chosen by a stable hash of session, key and request bytes. */
  readonly variants?: readonly Template[];
  /** Chosen by the category of the value `count`; `other` is always there. */
  readonly plural?: Readonly<Partial<Record<PluralCategory, Template>>>;
}

/** A phrase used when every named field of the context has the given value (as strings). */
export interface ConditionalPhrase extends Phrase {
  readonly when: { readonly [field: string]: string };
}

/** One table's entry of one layer for a key and channel; `when` is tried first, in order. */
export interface Line {
  readonly when?: readonly ConditionalPhrase[];
  readonly say?: Phrase;
  /** The origin of the line, for traces and coverage. */
  readonly origin: "own" | "shipped";
  readonly locale: string;
}

/**
 * Everything that can be said in one locale through one channel: for each key the candidates in
 * order of preference (this locale's own line, its shipped line, then along the fallback chain). A
 * candidate whose slots have no value is skipped for the next.
 */
export interface Table {
  readonly locale: string;
  readonly lines: { readonly [key: string]: readonly Line[] };
}

/** All tables an instance speaks with. Instances with equal messages share one set. */
export interface TableSet {
  /** The channel named `""` is the one without a channel-specific text; unknown channels use it. */
  readonly channels: { readonly [channel: string]: { readonly [locale: string]: Table } };
  /** Configured fallback chains by lower-cased tag: `{"pt-pt": ["pt-BR", "es"]}`. */
  readonly chains: { readonly [tag: string]: readonly string[] };
  /** The locale when nothing else fits. */
  readonly fallback: string;
  /** The words that the owner's readers type beside the shipped ones. */
  readonly words?: readonly OwnWords[];
}

/** A text ready to be written into a JSON document, and where it comes from. */
export interface RenderedLine {
  /** UTF-8 bytes of a complete JSON string, quotes included. Never a blank string's. */
  readonly json: Uint8Array;
  /** Which line was chosen, for the trace. */
  readonly source: {
    readonly locale: string;
    readonly origin: "own" | "shipped";
    /** Path inside the messages file, such as `no-results.when[0].variants[2]`. */
    readonly rule: string;
  };
}

/** The number of a line, for plural forms and `{{count}}`; null when there is nothing to count. */
export type Count = () => number | null;

/** The context of a line. Functions are called only on demand: a plain line costs one look-up. */
export interface LineContext {
  readonly locale: Locale;
  readonly channel: string;
  /** Fields for conditions; null if unknown. `source`, `env` and `lang` compare without case. */
  readonly facts: Readonly<Record<ContextField, string | null>>;
  /** Conversation variables that texts may use, by lower-case name. */
  readonly variables: ReadonlyMap<string, string>;
  /** Returns the text that the reader typed, or null when the request was no free text. */
  query(): string | null;
  /** Bytes that are the same for every retry of one request, for choosing a variant. */
  seed(): readonly (string | Uint8Array)[];
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The fields of a conversation that conditions may name, beside `variables.<name>`. */
export type ContextField = "instance" | "channel" | "env" | "userType" | "source" | "lang";
