import type { Flag } from "../../direct-answers/flags.ts";
import type { ContentAction, FormDefinition } from "../forms/types.ts";

/** Named JSON values for front ends. Afterword itself reads only texts. */
export type Attributes = Readonly<Record<string, unknown>>;

/**
 * A content: a question that the bot can answer, in one language. Translations have the same `id`.
 */
export interface ContentItem {
  readonly id: number;
  readonly title: string;
  /** Part of an address: lower-case letters, digits and hyphens; unique within a language. */
  readonly slug: string;
  /** Other ways in which a reader may ask for it (user questions). */
  readonly alternatives: readonly string[];
  /** HTML. Several answers are shown one after the other. */
  readonly answers: readonly string[];
  /** HTML beside the answer; often empty. */
  readonly sideBubble: string;
  readonly attributes: Attributes;
  /** Ids of categories. */
  readonly categories: readonly number[];
  /** Position among the contents of a category, lowest first; equal positions go by id. */
  readonly order: number;
  /** Ids of contents that are offered below this one, all of the same language. */
  readonly related: readonly number[];
  /** The question that the bot asks before it shows this content among several results, or null. */
  readonly checkQuestion: string | null;
  /** The options that follow this content: the reader chooses one. Empty when nothing follows. */
  readonly options: readonly ContentOption[];
  /** The form that this content begins after its answer, or null. */
  readonly form: FormDefinition | null;
  /** The actions of the front end, such as to begin an escalation. */
  readonly actions: readonly ContentAction[];
  /** The name under which a client can jump to it, or null. */
  readonly directCall: string | null;
  /** True if it is reached by a link, an option or a direct call, and never by a question. */
  readonly hidden: boolean;
  readonly published: boolean;
  /** Milliseconds since the epoch from which on it is shown, or null for always. */
  readonly publishFrom: number | null;
  /** Milliseconds since the epoch from which on it is no longer shown, or null for never. */
  readonly expires: number | null;
  /** Milliseconds since the epoch of the last change, or null when unknown. */
  readonly modified: number | null;
  /** User types (profiles) that may see it; empty for all. */
  readonly userTypes: readonly number[];
  /** Environments in which it is shown; empty for all. */
  readonly environments: readonly string[];
}

/** An option that leads from a content to another. */
export interface ContentOption {
  readonly label: string;
  /** Id of the content that follows. */
  readonly content: number;
  readonly attributes: Attributes;
  /** True if it can be chosen in later turns, because the client gets the content's direct call. */
  readonly revisitable: boolean;
}

/** A node of the category tree, in one language. */
export interface Category {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  /** Id of the category above, or null at the top. */
  readonly parent: number | null;
  readonly order: number;
}

/** The engine's lines in one language when it has no content to show. */
export type EngineTexts = Readonly<Record<Flag | "related-title", string>>;

/** Customized direct answers by flag: the content's id; the flag is not returned (rule 1). */
export type Customized = Readonly<Partial<Record<Flag, number>>>;

/** A named value that clients read from GET /app/data/{id}. */
export interface AppDatum {
  readonly name: string;
  /** Any JSON: front ends keep whole tables here. */
  readonly value: unknown;
}

/** Everything the bot can say in one language. */
export interface LanguageContent {
  readonly items: readonly ContentItem[];
  readonly categories: readonly Category[];
  readonly customized: Customized;
  /** Groups of words that mean the same. */
  readonly synonyms: readonly (readonly string[])[];
}

/** Everything the bot can say. Languages are lower-case tags. */
export interface Content {
  readonly languages: ReadonlyMap<string, LanguageContent>;
  readonly appData: ReadonlyMap<string, readonly AppDatum[]>;
  /** English is always there. */
  readonly texts: ReadonlyMap<string, EngineTexts>;
}

/** A file as it was read: `name` is shown in diagnostics. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}
