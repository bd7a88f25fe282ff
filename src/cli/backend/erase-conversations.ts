import { isObject, parseJson } from "../../json/values.ts";
import type { Queries } from "../../backend/storage/tables/database.ts";
import { askInPortions, deleteWhere } from "./in-portions.ts";
import { type Mention, textsIn } from "./mentions.ts";

export interface ErasedConversations {
  readonly conversations: number;
  readonly messages: number;
  readonly events: number;
}

/**
 * Erases the conversations whose reader gave one of the addresses, in a variable, a form or a
 * message, with what was said in them and reported from them. Nothing else ties a conversation to a
 * person.
 *
 * @param project null for all
 */
export async function eraseConversations(
  queries: Queries,
  mentions: readonly Mention[],
  project: string | null,
): Promise<ErasedConversations> {
  const keys = new Set<string>();
  const ids = new Set<string>();
  for (const mention of mentions) {
    for (const key of await keysOf(queries, mention)) keys.add(key);
    for (const id of await reportedBy(queries, mention, project)) ids.add(id);
  }
  const rows = await askInPortions(keys, (some) => {
    const query = queries.selectFrom("sessions").select(["key", "document", "project"]);
    return query.where("key", "in", some).execute();
  });
  const theirs = rows.filter((row) => project === null || row.project === project);
  for (const { document } of theirs) ids.add(sessionIn(document).id);
  const chosen = theirs.map(({ key }) => key);
  const messages = await deleteWhere(queries, "history", "session", chosen);
  const conversations = await deleteWhere(queries, "sessions", "key", chosen);
  const events = await deleteWhere(queries, "events", "session", ids);
  return { conversations, messages, events };
}

async function keysOf(queries: Queries, mention: Mention): Promise<readonly string[]> {
  const sessions = await queries
    .selectFrom("sessions")
    .select(["key", "document"])
    .where(mention.possible("document"))
    .execute();
  const rows = await queries
    .selectFrom("history")
    .select(["session", "item"])
    .where(mention.possible("item"))
    .execute();
  return [
    ...sessions
      .filter(({ document }) => sessionIn(document).values.some(mention.within))
      .map(({ key }) => key),
    ...rows
      .filter(({ item }) => mention.within(readReadersWords(item)))
      .map(({ session }) => session),
  ];
}

/** Events outlive their conversation. One with the address shows to whom its session belongs. */
async function reportedBy(
  queries: Queries,
  mention: Mention,
  project: string | null,
): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom("events")
    .select(["session", "project", "data"])
    .where(mention.possible("data"))
    .execute();
  return rows
    .filter((row) => project === null || row.project === project)
    .filter(({ data }) => textsIn(data).some(mention.within))
    .map(({ session }) => session);
}

/** Reads a stored session's id and its reader's input; empty when another release wrote it. */
function sessionIn(document: string): { readonly id: string; readonly values: readonly string[] } {
  const session = membersOf(document);
  const open = session["open"];
  const form = isObject(open) ? open["form"] : null;
  const entered = [session["variables"], isObject(form) ? form["values"] : null];
  return { id: String(session["id"]), values: textsIn(JSON.stringify(entered)) };
}

/**
 * The engine's lines may contain the shop's own address, which does not make the reader its owner.
 */
function readReadersWords(item: string): string {
  const { user, message } = membersOf(item);
  return user === "user" && typeof message === "string" ? message : "";
}

function membersOf(json: string): Readonly<Record<string, unknown>> {
  const parsed = parseJson(json);
  return isObject(parsed) ? parsed : {};
}
