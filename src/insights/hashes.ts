import type { Transaction } from "kysely";
import { dayOf, leftAfter } from "./batch.ts";
import type { InsightsTables } from "./tables.ts";

/** The names under which a conversation may be kept now; new lines are kept under the first. */
export type HashesOf = (conversation: string) => readonly [string, ...string[]];

/**
 * The salt changes with every day. Yesterday's lives on while a line of yesterday may be open; then
 * it goes, and nobody can tell any more which conversation a hash meant.
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
  // A conversation is looked for and kept in the same batch.
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
  /** Makes the salt of a day: unguessable. */
  readonly createSalt: () => string;
}
