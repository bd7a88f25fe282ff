import type { SearchKind } from "../../backend/storage/search-index.ts";
import type { Queries } from "../../backend/storage/tables/database.ts";
import { askInPortions, deleteWhere } from "./in-portions.ts";
import { type Mention, textsIn } from "./mentions.ts";

export interface ErasedChats {
  readonly people: number;
  readonly chats: number;
  readonly messages: number;
  readonly media: number;
  readonly webhookEvents: number;
  /** Names of agents with one of the addresses: they are staff, whom their employer removes. */
  readonly agents: readonly string[];
}

/**
 * Erases the users of the live chat who have one of the addresses, or the id, with the chats that
 * they began and everything in them.
 *
 * @param given address or id, as the operator wrote it
 */
export async function eraseChats(
  queries: Queries,
  mentions: readonly Mention[],
  given: string,
): Promise<ErasedChats> {
  const people = await findPeople(queries, mentions, given);
  const users = people.filter(({ kind }) => kind === "user").map(({ id }) => id);
  const chats = await askInPortions(users, (portion) =>
    queries
      .selectFrom("chat_chats")
      .select(["number", "id"])
      .where("creator", "in", portion)
      .execute(),
  );
  const numbers = chats.map(({ number }) => number);
  const events = await askInPortions(numbers, (portion) =>
    queries.selectFrom("chat_messages").select("number").where("chat", "in", portion).execute(),
  );
  const messages = events.map(({ number }) => number);
  await deleteWhere(queries, "chat_reads", "message", messages);
  await deleteWhere(queries, "chat_messages", "number", messages);
  const media = await deleteWhere(queries, "chat_media", "chat", numbers);
  for (const table of ["chat_notes", "chat_log", "chat_tries", "chat_members"] as const) {
    await deleteWhere(queries, table, "chat", numbers);
  }
  await deleteWhere(queries, "chat_chats", "number", numbers);
  for (const kind of ["message", "note"] as const) await forgetTexts(queries, kind, numbers);
  for (const table of ["chat_tokens", "chat_members"] as const) {
    await deleteWhere(queries, table, "person", users);
  }
  const erased = await askInPortions(users, (portion) =>
    queries.deleteFrom("chat_people").where("id", "in", portion).returning("number").execute(),
  );
  const persons = erased.map(({ number }) => number);
  await forgetTexts(queries, "person", persons);
  const erasedIds = new Set([...users, ...chats.map(({ id }) => id)]);
  return {
    people: users.length,
    chats: chats.length,
    messages: messages.length,
    media,
    webhookEvents: await forgetEvents(queries, erasedIds),
    agents: people.filter(({ kind }) => kind !== "user").map(({ name }) => name),
  };
}

/** Removes texts of chats and tickets, or data of persons, from the search index. */
export async function forgetTexts(
  queries: Queries,
  kind: SearchKind,
  subjects: Iterable<number>,
): Promise<void> {
  await askInPortions(subjects, (portion) =>
    queries
      .deleteFrom("search_texts")
      .where("kind", "=", kind)
      .where("subject", "in", portion)
      .returning("id")
      .execute(),
  );
}

interface ChatPerson {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
}

async function findPeople(
  queries: Queries,
  mentions: readonly Mention[],
  given: string,
): Promise<readonly ChatPerson[]> {
  const found = new Map<string, ChatPerson>();
  const columns = ["id", "kind", "name", "contact"] as const;
  const byId = await queries
    .selectFrom("chat_people")
    .select(columns)
    .where("id", "=", given)
    .execute();
  for (const person of byId) found.set(person.id, person);
  for (const mention of mentions) {
    const rows = await queries
      .selectFrom("chat_people")
      .select(columns)
      .where(mention.possible("contact"))
      .execute();
    for (const person of rows) if (mention.is(person.contact)) found.set(person.id, person);
  }
  return [...found.values()];
}

/** Deletes events about erased users or chats that webhooks have not received yet. */
async function forgetEvents(queries: Queries, erased: ReadonlySet<string>): Promise<number> {
  if (erased.size === 0) return 0;
  const rows = await queries.selectFrom("chat_webhook_events").select(["id", "event"]).execute();
  const ids = rows
    .filter(({ event }) => textsIn(event).some((text) => erased.has(text)))
    .map(({ id }) => id);
  return deleteWhere(queries, "chat_webhook_events", "id", ids);
}
