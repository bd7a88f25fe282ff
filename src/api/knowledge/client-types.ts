import type { CallOptions, Id, PageOptions } from "../call/caller.ts";
import type { FoundContent, QueryPart } from "./answers.ts";

/** The options of every call of knowledge. */
export interface KnowledgeCallOptions extends CallOptions {
  /** The token of a session. */
  readonly session?: string;
  /** The language of the contents. Default: the project's. */
  readonly lang?: string;
}

export interface KnowledgeListOptions extends KnowledgeCallOptions, PageOptions {}

export interface ReadOptions extends KnowledgeCallOptions {
  /** False: records no click. Default: true. */
  readonly tracking?: boolean;
  /** True: records the click as one in the autocompleter. */
  readonly autocompleterClick?: boolean;
}

export interface SearchOptions extends KnowledgeCallOptions {
  /** False: does not record the search. Default: true. */
  readonly tracking?: boolean;
  /** `instant`: the query is still being typed. */
  readonly type?: "instant";
  /** True: answers a query that asks for several things part by part. */
  readonly splitQuery?: boolean;
  readonly splitQueriesLimit?: number;
  readonly dynabs?: boolean;
  readonly categoryId?: Id | readonly Id[];
  /** From 1 to 100. */
  readonly length?: number;
}

export interface TreeOptions extends KnowledgeCallOptions {
  /** Levels below the category; -1 for all, which is the default. */
  readonly maxDepth?: number;
}

export interface ContentFilter {
  readonly categoryId?: Id | readonly Id[];
  readonly sortBy?: "modificationDate" | "creationDate";
}

export interface CrossSellingFilter {
  readonly query?: string;
  readonly contentId?: Id;
  readonly tracking?: boolean;
}

export interface Rating {
  /** Id of the rating. */
  readonly value: Id;
  readonly comment?: string | null;
}

export interface SearchOutcome {
  readonly results: readonly FoundContent[];
  readonly parts?: readonly QueryPart[];
  /** The code with which the search is rated; null if the service returned none. */
  readonly searchCode: string | null;
}
