import { type RawBuilder, sql, type SqlBool } from "kysely";
import {
  findTerm,
  readSearchTerms,
  type SearchTerm,
  type SearchTerms,
  wordsToIndex,
} from "../../matching/searched-words.ts";
import type { DialectName } from "../../storage/database.ts";
import { toStorable } from "../../storage/storable.ts";
import { Refusal, refuseFor } from "../http/refusal.ts";
import type { BackendDatabase, Queries } from "./tables/database.ts";

/** The kinds of texts that are searched, and the kind of record that each leads to. */
export const SEARCH_SUBJECTS = {
  message: "chat",
  note: "chat",
  person: "person",
  ticket: "ticket",
  reply: "ticket",
  "ticket-note": "ticket",
  user: "user",
} as const;

export type SearchKind = keyof typeof SEARCH_SUBJECTS;

export interface SearchedText {
  readonly kind: SearchKind;
  /** Number of the row that has the text. */
  readonly source: number;
  /** Number of the chat, ticket, person or user that it leads to. */
  readonly subject: number;
  /** As people read it. */
  readonly text: string;
}

/**
 * Adds texts to the index. Call it in the transaction that writes the texts themselves; delete them
 * in the transaction that deletes those.
 */
export async function addSearchedTexts(
  queries: Queries,
  texts: readonly SearchedText[],
): Promise<void> {
  const rows = texts.flatMap(({ text, ...about }) =>
    piecesOf(toStorable(text)).map((piece) => ({
      ...about,
      text: piece,
      words: wordsToIndex(piece),
    })),
  );
  const found = rows.filter(({ words }) => words !== "");
  if (found.length > 0) await queries.insertInto("search_texts").values(found).execute();
}

/** Replaces the indexed text of a row. */
export async function replaceSearchedText(queries: Queries, text: SearchedText): Promise<void> {
  await queries
    .deleteFrom("search_texts")
    .where("kind", "=", text.kind)
    .where("source", "=", text.source)
    .execute();
  await addSearchedTexts(queries, [text]);
}

/** Most characters of one row, because PostgreSQL limits the words of a row to 1 MB. */
const maxPieceLength = 50_000;

function piecesOf(text: string): readonly string[] {
  const pieces = [];
  for (let at = 0; at < text.length;) {
    const end = at + maxPieceLength;
    const space = end < text.length ? text.lastIndexOf(" ", end) : -1;
    const next = space > at ? space : end;
    pieces.push(text.slice(at, next).toWellFormed());
    at = next;
  }
  return pieces;
}

const maxTerms = 12;

/** Reads the terms of a search; null for an empty one. Throws 422 for too many. */
export function searchTermsOf(search: string | undefined): SearchTerms | null {
  if (search === undefined || search.trim() === "") return null;
  const terms = readSearchTerms(search);
  if (terms.length <= maxTerms) return terms;
  throw refuseFor(422, "words", `search: has more than ${maxTerms} words`, { count: maxTerms });
}

type Kinds = readonly [SearchKind, ...SearchKind[]];

/**
 * Makes a subquery for the numbers of the subjects that have a term in a text of these kinds.
 * PostgreSQL lists them once, by its index; it would otherwise read the texts of every subject.
 */
export function subjectsWith(
  dialect: DialectName,
  kinds: Kinds,
  term: SearchTerm,
): RawBuilder<number> {
  return dialect === "sqlite"
    ? sql`SELECT search_texts.subject FROM search_words
        CROSS JOIN search_texts ON search_texts.id = search_words.rowid
        WHERE search_words MATCH ${phraseOf(term)} AND ${isOf(kinds)}`
    : sql`(WITH listed AS MATERIALIZED (
          SELECT search_texts.subject FROM search_texts WHERE ${hasTerm(term)} AND ${isOf(kinds)}
        ) SELECT subject FROM listed)`;
}

/** A term of a search, and whether so many texts have it that they cannot be listed quickly. */
export interface WeighedTerm {
  readonly term: SearchTerm;
  readonly isCommon: boolean;
}

/**
 * At most this many texts with a term are listed. For a more frequent term, the newest rows are
 * examined until the page is full, which takes long only if the term occurs in old rows alone: see
 * docs/performance.md. In a million texts, listing 700,000 took 47 s, and two lists of 50,000 take
 * SQLite more than 30 s.
 */
const MAX_LISTED: Readonly<Record<DialectName, number>> = { sqlite: 10_000, postgres: 50_000 };

/** Counts the texts with each term, up to the limit of a list. */
export function weighTerms(
  { kysely, dialect }: Pick<BackendDatabase, "kysely" | "dialect">,
  terms: SearchTerms,
): Promise<readonly WeighedTerm[]> {
  const most = MAX_LISTED[dialect];
  return Promise.all(
    terms.map(async (term) => {
      const texts =
        dialect === "sqlite"
          ? sql`SELECT rowid FROM search_words WHERE search_words MATCH ${phraseOf(term)}`
          : sql`SELECT id FROM search_texts WHERE ${hasTerm(term)}`;
      const { rows } = await sql<{ count: number | string }>`SELECT count(*) AS count
        FROM (${texts} LIMIT ${most + 1}) AS listed`.execute(kysely);
      return { term, isCommon: Number(rows[0]?.count) > most };
    }),
  );
}

/** Condition for rows whose texts of these kinds have a term; `subject` is their number. */
export function hasTextWith(
  dialect: DialectName,
  kinds: Kinds,
  subject: string,
  { term, isCommon }: WeighedTerm,
): RawBuilder<SqlBool> {
  return isCommon
    ? sql`EXISTS (SELECT 1 FROM search_texts WHERE ${isOf(kinds)}
        AND search_texts.subject = ${sql.ref(subject)} AND ${containsTerm(dialect, term)})`
    : sql`${sql.ref(subject)} IN (${subjectsWith(dialect, kinds, term)})`;
}

/** Condition for a text that is read anyway. The words have one space between them. */
function containsTerm(dialect: DialectName, term: SearchTerm): RawBuilder<SqlBool> {
  const find = sql.raw(dialect === "sqlite" ? "instr" : "strpos");
  const spellings = term.map(
    (words) => sql`${find}(' ' || search_texts.words, ${` ${words.join(" ")}`}) > 0`,
  );
  return sql`(${sql.join(spellings, sql` OR `)})`;
}

function isOf(kinds: Kinds): RawBuilder<SqlBool> {
  return sql`search_texts.kind IN (${sql.join(kinds)})`;
}

function phraseOf(term: SearchTerm): string {
  return term.map((words) => `"${words.join(" ")}" *`).join(" OR ");
}

/**
 * Words consist of letters, digits and marks, so they contain no operators of `LIKE` or `tsquery`.
 */
function hasTerm(term: SearchTerm): RawBuilder<SqlBool> {
  const spellings = term.map((words) => {
    const last = words.length - 1;
    const parts = words.map((word, at) => (at === last ? `'${word}':*` : `'${word}'`));
    return `(${parts.join(" & ")})`;
  });
  const indexed = sql<SqlBool>`array_to_tsvector(string_to_array(search_texts.words, ' ')) @@ ${spellings.join(" | ")}::tsquery`;
  // The index stores no positions.
  const hasPhrases = term.some((words) => words.length > 1);
  return hasPhrases ? sql`${indexed} AND ${containsTerm("postgres", term)}` : indexed;
}

/** Conditions for rows that were created from one moment on, and before another (Unix seconds). */
export function isWithin(
  table: "chat_chats" | "tickets",
  { from, to }: { readonly from?: number | undefined; readonly to?: number | undefined },
): readonly RawBuilder<SqlBool>[] {
  if (from !== undefined && to !== undefined && to < from) {
    throw new Refusal(422, "to: must not be before from");
  }
  const created = sql.ref(`${table}.created`);
  return [
    ...(from === undefined ? [] : [sql<SqlBool>`${created} >= ${from * 1000}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`${created} < ${to * 1000}`]),
  ];
}

/** The part of a text that a search has found. */
export interface Excerpt {
  readonly text: string;
  /** Begin and length of the found word in `text`, in UTF-16 units; `length` may be 0. */
  readonly at: number;
  readonly length: number;
}

/** Reads, by subject, an excerpt of its latest text that has one of the terms. */
export async function readExcerpts(
  queries: Queries,
  dialect: DialectName,
  { kinds, subjects, terms }: ExcerptRequest,
): Promise<ReadonlyMap<number, Excerpt>> {
  if (subjects.length === 0 || terms.length === 0) return new Map();
  const matches = terms.map((term) => containsTerm(dialect, term));
  const rows = await queries
    .selectFrom("search_texts")
    .select(["subject", "text"])
    .where("id", "in", (inner) =>
      inner
        .selectFrom("search_texts")
        .select((of) => of.fn.max("id").as("id"))
        .where("kind", "in", [...kinds])
        .where("subject", "in", [...subjects])
        .where(sql<SqlBool>`(${sql.join(matches, sql` OR `)})`)
        .groupBy("subject"),
    )
    .execute();
  return new Map(rows.map(({ subject, text }) => [subject, cutExcerpt(text, terms)]));
}

export interface ExcerptRequest {
  readonly kinds: Kinds;
  readonly subjects: readonly number[];
  readonly terms: SearchTerms;
}

const lettersBefore = 60;
const maxExcerptLength = 200;

/** Cuts out the surroundings of the first term in a text, in one line. */
export function cutExcerpt(text: string, terms: SearchTerms): Excerpt {
  const { at, length } = findTerm(text, terms) ?? { at: 0, length: 0 };
  const space = at > lettersBefore ? text.lastIndexOf(" ", at - lettersBefore / 2) : -1;
  const begin = at <= lettersBefore ? 0 : Math.max(space + 1, at - lettersBefore);
  const end = begin + maxExcerptLength;
  const cut = text.slice(begin, end).toWellFormed().replaceAll(/\s/gu, " ");
  const head = begin > 0 ? "…" : "";
  const tail = end < text.length ? "…" : "";
  return { text: `${head}${cut}${tail}`, at: at - begin + head.length, length };
}
