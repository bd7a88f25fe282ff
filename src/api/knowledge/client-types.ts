import type { CallOptions, Id, PageOptions } from "../call/caller.ts";
import type { FoundContent, QueryPart } from "./answers.ts";

/** The options of every call to the knowledge service. */
export interface KnowledgeCallOptions extends CallOptions {
  /** The token of a session. */
  readonly session?: string;
  /** The language of the contents. Default: the project's. */
  readonly lang?: string;
}

export interface KnowledgeListOptions extends KnowledgeCallOptions, PageOptions {}

export interface ReadOptions extends KnowledgeCallOptions {
  /** False if the click is not recorded. Default: true. */
  readonly tracking?: boolean;
  /** True if the click is recorded as one in the autocompleter. */
  readonly autocompleterClick?: boolean;
}

export interface SearchOptions extends KnowledgeCallOptions {
  /** False if the search is not recorded. Default: true. */
  readonly tracking?: boolean;
  /** `instant` while the user is still typing the query. */
  readonly type?: "instant";
  /** True if a query that asks for several things is split, and each part is searched for. */
  readonly splitQuery?: boolean;
  /** The most parts of a split query. */
  readonly splitQueriesLimit?: number;
  /** True if each result has the part of its answer that matches best (`dynamicAbstract`). */
  readonly dynabs?: boolean;
  readonly categoryId?: Id | readonly Id[];
  /** How many results are returned, from 1 to 100. */
  readonly length?: number;
}

export interface TreeOptions extends KnowledgeCallOptions {
  /** How many levels below the category are returned. Default: -1, which means all. */
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
  /** The code by which the search can be rated; null if the service returned none. */
  readonly searchCode: string | null;
}
