import type { Transaction } from "kysely";
import { dayOf } from "./batch.ts";
import type { Dismissal } from "./facts.ts";
import {
  type AskedQuestion,
  type KeptQuestions,
  type QuestionLanguages,
  UNANSWERED,
} from "./questions.ts";
import type { InsightsDatabase, InsightsTables, QuestionTable } from "./tables.ts";

type Queries = Transaction<InsightsTables>;

/**
 * Adds questions to groups with the same meaning. A group counts each conversation once a day, however
 * often its reader asks.
 *
 * @param asked the questions, each with the hashes under which its conversation may be stored now
 */
export async function addQuestions(
  queries: Queries,
  asked: readonly (AskedQuestion & { readonly hashes: readonly number[] })[],
  kept: KeptQuestions,
  now: number,
): Promise<void> {
  const today = dayOf(now);
  const grown = new Map<string, GroupKind>();
  for (const question of asked) {
    const group = await findGroup(queries, question, kept.languages);
    const id = group?.id ?? (await addGroup(queries, question, kept.languages, now));
    const isNew = await noteAsker(queries, id, question.hashes, today);
    if (group !== null) await joinGroup(queries, group, question, isNew, kept, now);
    else {
      const { instance } = question;
      const isAnswered = question.line !== UNANSWERED;
      grown.set(`${instance} ${isAnswered}`, { instance, isAnswered });
    }
  }
  for (const kind of grown.values()) {
    await forgetSmallest(queries, kind, kept.maxGroups ?? maxGroups);
  }
}

/** The kind of a group: an instance, and whether a content answered. */
interface GroupKind {
  readonly instance: string;
  readonly isAnswered: boolean;
}

/** The most groups of a kind that are kept. */
const maxGroups = 10_000;

/** The least likeness of two texts with the same meaning, from 0 to 1. */
const sameFrom = 0.76;
/** The most groups that share a part of a word with a question and are compared with it. */
const maxCompared = 300;

async function findGroup(
  queries: Queries,
  { instance, language, text, line }: AskedQuestion,
  { read, comparerOf }: QuestionLanguages,
): Promise<QuestionTable | null> {
  const asked = read(language, text);
  const parts = new Set(asked.telling.slice(0, maxWords).flatMap(({ stem }) => partsOf(stem)));
  if (parts.size === 0) return null;
  // Only the texts of compared groups are read, because their rows are large.
  const rows = await queries
    .selectFrom("insight_questions")
    .select(["id", "text"])
    .where("instance", "=", instance)
    .where("language", "=", language)
    .where("line", "=", line)
    .where("demo", "=", 0)
    .where((where) => where.or([...parts].map((part) => where("words", "like", `%${part}%`))))
    .orderBy("last", "desc")
    .limit(maxCompared)
    .execute();
  let best: number | null = null;
  let likeness = sameFrom;
  for (const row of rows) {
    const one = comparerOf(language).likeness(asked, read(language, row.text));
    if (one > likeness || (one === likeness && best === null)) [best, likeness] = [row.id, one];
  }
  if (best === null) return null;
  return queries
    .selectFrom("insight_questions")
    .selectAll()
    .where("id", "=", best)
    .executeTakeFirstOrThrow();
}

const maxWords = 12;

/** Returns the parts that a word shares with its other forms, and with compounds that end in it. */
function partsOf(stem: string): readonly string[] {
  const signs = Array.from(stem);
  const isLong = signs.length >= longCompound;
  const begin = signs.slice(0, sharedBeginning).join("");
  return isLong ? [begin, signs.slice(-sharedEnd).join("")] : [begin];
}

const [sharedBeginning, sharedEnd, longCompound] = [4, 5, 9];

async function addGroup(
  queries: Queries,
  question: AskedQuestion,
  languages: QuestionLanguages,
  now: number,
): Promise<number> {
  const { instance, language, text, line, speaker, at } = question;
  const id = await chooseId(queries, now);
  const row: QuestionTable = {
    id,
    instance,
    language,
    text,
    ...keysOf(question, languages),
    typed: at,
    line,
    speaker,
    asked: 1,
    conversations: 1,
    first: at,
    last: at,
    answered: null,
    content: null,
    dismissed: 0,
    demo: 0,
  };
  await queries.insertInto("insight_questions").values(row).execute();
  return id;
}

/** Chooses the number of a new group. */
export async function chooseId(queries: Queries, now: number): Promise<number> {
  const { newest } = await queries
    .selectFrom("insight_questions")
    .select(({ fn }) => fn.max<number | null>("id").as("newest"))
    .executeTakeFirstOrThrow();
  // The number of an erased group is not used again, so that a stale page cannot change another group.
  return Math.max(now, (newest ?? 0) + 1);
}

/** Returns the words by which a group is found, and in how many conversations each stem was used. */
function keysOf(
  { language, text }: AskedQuestion,
  { read, comparerOf }: QuestionLanguages,
): Pick<QuestionTable, "words" | "used"> {
  const words = read(language, text).telling.map(({ stem }) => stem);
  const stems = comparerOf(language)
    .cut(text)
    .flatMap((piece) => piece.stems);
  const used = Object.fromEntries(stems.map((stem) => [stem, 1]));
  return { words: words.slice(0, maxStems).join(" "), used: JSON.stringify(used) };
}

/** Notes who asked. True if the conversation has not asked this today; false without a session. */
async function noteAsker(
  queries: Queries,
  question: number,
  hashes: readonly number[],
  day: number,
): Promise<boolean> {
  const [conversation] = hashes;
  if (conversation === undefined) return false;
  const known = await queries
    .selectFrom("insight_askers")
    .select("day")
    .where("question", "=", question)
    .where("conversation", "in", hashes)
    .executeTakeFirst();
  if (known !== undefined) return false;
  await queries.insertInto("insight_askers").values({ question, conversation, day }).execute();
  return true;
}

async function joinGroup(
  queries: Queries,
  group: QuestionTable,
  question: AskedQuestion,
  isNew: boolean,
  { languages, retention }: KeptQuestions,
  now: number,
): Promise<void> {
  const { language, text, line, speaker, at } = question;
  const isOld = group.typed < now - retention / 2;
  const count = languages.read(language, text).telling.length;
  // The shortest wording represents the group; among equally short ones, the latest.
  const speaks = isOld || count <= languages.read(language, group.text).telling.length;
  const used = isNew ? countStems(group.used, question, languages, isOld) : group.used;
  const words = speaks ? keysOf(question, languages).words : group.words;
  await queries
    .updateTable("insight_questions")
    .set({
      ...(speaks && { text, words, typed: at }),
      used,
      line,
      speaker,
      asked: group.asked + 1,
      conversations: group.conversations + (isNew ? 1 : 0),
      last: Math.max(group.last, at),
      // The reader asked after the group was answered, so the answer did not help.
      ...(group.answered !== null && at > group.answered && { answered: null, content: null }),
    })
    .where("id", "=", group.id)
    .execute();
}

/** @param forgets true if stems of fewer than {@link MIN_SHOWN} conversations are dropped */
function countStems(
  before: string,
  { language, text }: AskedQuestion,
  { comparerOf }: QuestionLanguages,
  forgets: boolean,
): string {
  const known = Object.entries(readUsed(before)).filter(
    ([, count]) => !forgets || count >= MIN_SHOWN,
  );
  const used = new Map<string, number>(known);
  const pieces = comparerOf(language).cut(text);
  for (const stem of new Set(pieces.flatMap(({ stems }) => stems))) {
    if (used.has(stem) || used.size < maxStems) used.set(stem, (used.get(stem) ?? 0) + 1);
  }
  return JSON.stringify(Object.fromEntries(used));
}

const maxStems = 60;

/** A question of a vendor's readers is shown once this many conversations have asked it. */
export const MIN_SHOWN = 3;

/** Parses in how many conversations each stem was used. */
export function readUsed(used: string): Readonly<Record<string, number>> {
  return JSON.parse(used);
}

/** Deletes the groups of a kind that the fewest conversations asked, if there are too many. */
async function forgetSmallest(
  queries: Queries,
  { instance, isAnswered }: GroupKind,
  most: number,
): Promise<void> {
  const { count } = await queries
    .selectFrom("insight_questions")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("instance", "=", instance)
    .where("line", isAnswered ? "<>" : "=", UNANSWERED)
    .executeTakeFirstOrThrow();
  const beyond = count - most;
  if (beyond <= 0) return;
  const smallest = await queries
    .selectFrom("insight_questions")
    .select("id")
    .where("instance", "=", instance)
    .where("line", isAnswered ? "<>" : "=", UNANSWERED)
    .orderBy("conversations")
    .orderBy("last")
    .limit(beyond)
    .execute();
  await deleteGroups(
    queries,
    smallest.map(({ id }) => id),
  );
}

async function deleteGroups(queries: Queries, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += chunk) {
    const some = ids.slice(from, from + chunk);
    await queries.deleteFrom("insight_askers").where("question", "in", some).execute();
    await queries.deleteFrom("insight_questions").where("id", "in", some).execute();
  }
}

const chunk = 500;

/**
 * Deletes questions past their retention, and their askers.
 *
 * @param retention milliseconds; null if no questions are kept, so that all are deleted
 */
export async function sweepQuestions(
  queries: Queries,
  retention: number | null,
  now: number,
): Promise<void> {
  // The salts of earlier days are deleted, so these hashes no longer identify anybody.
  await queries
    .deleteFrom("insight_askers")
    .where("day", "<", dayOf(now) - 1)
    .execute();
  const bound = retention === null ? now : now - retention;
  await queries.deleteFrom("insight_questions").where("typed", "<", bound).execute();
  await queries
    .deleteFrom("insight_askers")
    .where("question", "not in", (from) => from.selectFrom("insight_questions").select("id"))
    .execute();
}

/** Dismisses a group without an answer for all owners, or undoes that. False if there is no such group. */
export async function dismissQuestion(
  database: InsightsDatabase,
  { id, instances, dismissed }: Dismissal,
): Promise<boolean> {
  // PostgreSQL does not accept an empty list.
  if (instances?.length === 0) return false;
  const { numUpdatedRows } = await database.transaction((queries) =>
    queries
      .updateTable("insight_questions")
      .set({ dismissed: dismissed ? 1 : 0 })
      .where("id", "=", id)
      .where("line", "=", UNANSWERED)
      .$if(instances !== null, (of) => of.where("instance", "in", instances ?? []))
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0;
}
