import type { FeedEvent } from "./feed-events.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { covers, selectTicketRights, viewQueues } from "../tickets/rights.ts";

/** Decides who may see an event. */
export type EventAudience = (event: FeedEvent) => ReadonlySet<string>;

/** The most ids of one statement. */
const portion = 500;

/**
 * Looks up who may see these events: by the rules of `requireVisible`, and the people whom the
 * events name.
 */
export async function audienceOf(
  queries: Queries,
  events: readonly FeedEvent[],
): Promise<EventAudience> {
  const insiders = new Map<number, Set<string>>();
  const inRoom = new Map<string, Set<string>>();
  for (const some of splitIntoPortions(new Set(events.flatMap(({ chat }) => chat ?? [])))) {
    const query = queries.selectFrom("chat_members").select(["chat", "person"]);
    for (const { chat, person } of await query.where("chat", "in", some).execute()) {
      add(insiders, chat, person);
    }
  }
  for (const [app, all] of Map.groupBy(events, (event) => event.app)) {
    for (const some of splitIntoPortions(new Set(all.flatMap(({ room }) => room ?? [])))) {
      const query = queries.selectFrom("chat_agent_rooms").select(["agent", "room"]);
      const rows = await query.where("app", "=", app).where("room", "in", some).execute();
      for (const { agent, room } of rows) add(inRoom, `${app} ${room}`, agent);
    }
  }
  const readers = await readTicketReaders(queries, events);
  return ({ app, chat, room, creator, invited, named, queue }) => {
    if (chat === null) return new Set(queue === null ? [] : readers(app, queue));
    const may = new Set([creator, invited, named].filter((person) => person !== null));
    for (const person of insiders.get(chat) ?? nobody) may.add(person);
    for (const agent of inRoom.get(`${app} ${room}`) ?? nobody) may.add(agent);
    return may;
  };
}

/** Reads which agents of an app may read the tickets of a queue. */
async function readTicketReaders(
  queries: Queries,
  events: readonly FeedEvent[],
): Promise<(app: string, queue: number) => readonly string[]> {
  const apps = new Set(events.flatMap(({ app, queue }) => (queue === null ? [] : app)));
  if (apps.size === 0) return () => [];
  const rows = await selectTicketRights(queries)
    .where("app", "in", [...apps])
    .where("view_tickets", "=", 1)
    .execute();
  const agents = rows.map((row) => ({ id: row.id, app: row.app, queues: viewQueues(row) }));
  return (app, queue) =>
    agents.flatMap((one) => (one.app === app && covers(one.queues, queue) ? one.id : []));
}

const nobody: ReadonlySet<string> = new Set();

function add<Key>(map: Map<Key, Set<string>>, key: Key, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

function* splitIntoPortions<Item>(items: ReadonlySet<Item>): Generator<Item[]> {
  const all = [...items];
  for (let at = 0; at < all.length; at += portion) yield all.slice(at, at + portion);
}
