import type { Transaction } from "kysely";
import { dayOf, leftAfter } from "./batch.ts";
import type { InsightsTables } from "./tables.ts";

/** Returns the hashes under which a conversation may be stored. New lines use the first one. */
export type HashesOf = (conversation: string) => readonly [string, ...string[]];

/**
 * Hashes conversations with a salt that changes every day. Yesterday's salt is kept while a line of
 * yesterday may be open. Once it is deleted, no hash can be traced to its conversation.
 */
export async function createHashes(
  queries: Transaction<InsightsTables>,
  { digest, createSalt }: HashOptions,
  now: number,
): Promise<HashesOf> {
  const today = dayOf(now);
  const oldest = dayOf(now - leftAfter);
  await queries
    .deleteFrom("insight_salts")
    .where((where) => where.or([where("day", "<", oldest), where("day", ">", today)]))
    .execute();
  let rows = await queries.selectFrom("insight_salts").selectAll().orderBy("day", "desc").execute();
  if (rows[0]?.day !== today) {
    const fresh = { day: today, salt: createSalt() };
    await queries.insertInto("insight_salts").values(fresh).execute();
    rows = [fresh, ...rows];
  }
  const [salt = "", ...earlier] = rows.map((row) => row.salt);
  const hash = (one: string, conversation: string): string => digest(`${one}\n${conversation}`);
  // A batch hashes the same conversation several times.
  const known = new Map<string, ReturnType<HashesOf>>();
  return (conversation) => {
    const hashes = known.get(conversation) ?? [
      hash(salt, conversation),
      ...earlier.map((one) => hash(one, conversation)),
    ];
    known.set(conversation, hashes);
    return hashes;
  };
}

interface HashOptions {
  /** SHA-256 of a text as hex. */
  readonly digest: (text: string) => string;
  /** Creates an unguessable salt. */
  readonly createSalt: () => string;
}
