import type { Generated } from "kysely";

/** The texts that agents find chats and tickets by. */
export interface SearchTables {
  search_texts: SearchTextTable;
}

export interface SearchTextTable {
  id: Generated<number>;
  /** See `SEARCH_SUBJECTS` in `../search-index.ts`. */
  kind: string;
  /** Number of the row that has the text. */
  source: number;
  /** Number of the chat, ticket, person or user that it leads to. */
  subject: number;
  /** As people read it. */
  text: string;
  /** Folded, and with one space between them. */
  words: string;
}
