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
  /** Number of what it leads to: of a chat, a ticket, a person or a user. */
  subject: number;
  /** As people read it. */
  text: string;
  /** Folded, and with one space between them. */
  words: string;
}
