import type { Generated } from "kysely";

/** The texts by which agents find chats and tickets. */
export interface SearchTables {
  search_texts: SearchTextTable;
}

export interface SearchTextTable {
  id: Generated<number>;
  /** See `SEARCH_SUBJECTS` in `../search-index.ts`. */
  kind: string;
  /** Number of the row that the text is from. */
  source: number;
  /** Number of the chat, ticket, person or user that the search finds by it. */
  subject: number;
  /** The text as people read it. */
  text: string;
  /** The text's words, folded, with one space between them. */
  words: string;
}
