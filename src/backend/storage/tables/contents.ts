export interface ContentTables {
  contents: ContentTable;
  content_sources: ContentSourceTable;
  revisions: RevisionTable;
}

export interface ContentTable {
  /** Name of a project, or `*` for all. */
  project: string;
  language: string;
  id: number;
  /** The content as JSON. */
  document: string;
  /** When it was last changed, in milliseconds since the epoch; null when unknown. */
  modified: number | null;
}

/** The data of a project in a language beside its contents: categories, synonyms and the like. */
export interface ContentSourceTable {
  project: string;
  language: string;
  /** JSON. */
  document: string;
}

/** Counters that tell a running engine that something has changed. */
export interface RevisionTable {
  subject: string;
  revision: number;
}
