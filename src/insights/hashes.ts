import type { CompiledQuery, Transaction } from "kysely";
import { dayOf, leftAfter } from "./batch.ts";
import type { InsightsTables } from "./tables.ts";

/** Returns the hashes under which a conversation may be stored. New lines use the first one. */
export type HashesOf = (conversation: string) => readonly [number, ...number[]];

export type Salt = InsightsTables["insight_salts"];

/**
 * Hashes conversations with a salt that changes every day. Yesterday's salt is kept while a line of
 * yesterday may be open. Once it is deleted, no hash can be traced to its conversation.
 */
export function createHashes(
  salts: readonly Salt[],
  digest: (text: string) => string,
  now: number,
): HashesOf {
  const [today = "", ...earlier] = salts
    .filter(({ day }) => day >= dayOf(now - leftAfter) && day <= dayOf(now))
    .toSorted((one, other) => other.day - one.day)
    .map(({ salt }) => salt);
  const hash = (salt: string, conversation: string): number =>
    toHashNumber(digest(`${salt}\n${conversation}`));
  // A batch hashes the same conversation several times.
  const known = new Map<string, ReturnType<HashesOf>>();
  return (conversation) => {
    const hashes = known.get(conversation) ?? [
      hash(today, conversation),
      ...earlier.map((salt) => hash(salt, conversation)),
    ];
    known.set(conversation, hashes);
    return hashes;
  };
}

/**
 * Reads the salts, and adds that of today.
 *
 * @param createSalt creates an unguessable salt
 */
export async function readSalts(
  queries: Transaction<InsightsTables>,
  createSalt: () => string,
  now: number,
): Promise<readonly Salt[]> {
  const salts = await queries.selectFrom("insight_salts").selectAll().execute();
  const today = dayOf(now);
  if (salts.some(({ day }) => day === today)) return salts;
  const fresh = { day: today, salt: createSalt() };
  await queries.insertInto("insight_salts").values(fresh).execute();
  return [...salts, fresh];
}

/** Compiles the statement that deletes expired salts. */
export function compileSaltDeletion(
  queries: Transaction<InsightsTables>,
  now: number,
): CompiledQuery {
  return queries
    .deleteFrom("insight_salts")
    .where((where) =>
      where.or([where("day", "<", dayOf(now - leftAfter)), where("day", ">", dayOf(now))]),
    )
    .compile();
}

/**
 * Takes the first 52 bits of a hash. Databases find numbers faster than texts, and among 100,000
 * conversations, the risk that two have the same number is about one in a million.
 */
export function toHashNumber(hash: string): number {
  return Number.parseInt(hash.slice(0, 13), 16);
}
