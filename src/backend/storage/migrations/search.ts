import { sql } from "kysely";
import { toColumnTypes, type CreateTables, executeAll } from "../../../storage/migrate.ts";

/**
 * Creates the table of the texts of chats and tickets, and an index of their words. The database
 * updates the index itself, so that statements for texts are the same on both databases.
 */
export const createSearchTables: CreateTables = async (database, dialect) => {
  const { identity, integer, strict } = toColumnTypes(dialect);
  await executeAll(database, [
    sql`CREATE TABLE search_texts (
        id ${identity}, kind text NOT NULL, source ${integer} NOT NULL, subject ${integer} NOT NULL,
        text text NOT NULL, words text NOT NULL
      ) ${strict}`,
    sql`CREATE INDEX search_texts_source ON search_texts (kind, source)`,
    sql`CREATE INDEX search_texts_subject ON search_texts (kind, subject, id)`,
    ...(dialect === "sqlite" ? indexOfSqlite : indexOfPostgres),
  ]);
};

// The words are folded already: letters, digits and marks, which the tokenizer `ascii` leaves
// alone. With `secure-delete`, words of a deleted text leave the index's pages at once, not only
// its results.
const indexOfSqlite = [
  sql`CREATE VIRTUAL TABLE search_words USING fts5 (
      words, content = 'search_texts', content_rowid = 'id', tokenize = 'ascii', prefix = '1 2 3'
    )`,
  sql`INSERT INTO search_words (search_words, rank) VALUES ('secure-delete', 1)`,
  sql`CREATE TRIGGER search_texts_added AFTER INSERT ON search_texts BEGIN
      INSERT INTO search_words (rowid, words) VALUES (new.id, new.words);
    END`,
  sql`CREATE TRIGGER search_texts_deleted AFTER DELETE ON search_texts BEGIN
      INSERT INTO search_words (search_words, rowid, words) VALUES ('delete', old.id, old.words);
    END`,
];

const indexOfPostgres = [
  sql`CREATE INDEX search_texts_words ON search_texts
      USING gin (array_to_tsvector(string_to_array(words, ' ')))`,
];
