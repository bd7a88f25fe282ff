import type { Flag } from "../../direct-answers/flags.ts";

/** One thing the bot knows, in one language. The same `id` in another language is its translation. */
export interface ContentItem {
  readonly id: number;
  readonly title: string;
  /** Other ways in which a reader may ask for it. */
  readonly alternatives: readonly string[];
  /** HTML. */
  readonly answer: string;
  /** HTML beside the answer; often empty. */
  readonly sideBubble: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Ids of contents that are offered below this one, all of the same language. */
  readonly related: readonly number[];
  /** The name under which a client can jump to it, or null. */
  readonly directCall: string | null;
}

/** What the engine says in one language when it has no content to show. */
export type EngineTexts = Readonly<Record<Flag | "related-title", string>>;

/** A named value that clients read from GET /app/data/{id}. */
export interface AppDatum {
  readonly name: string;
  readonly value: string;
}

/** Everything the bot can say. Languages are lower-case tags. */
export interface Content {
  readonly items: ReadonlyMap<string, readonly ContentItem[]>;
  readonly appData: ReadonlyMap<string, readonly AppDatum[]>;
  /** English is always there. */
  readonly texts: ReadonlyMap<string, EngineTexts>;
}

/** A file as it was read: `name` is shown in diagnostics. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}
