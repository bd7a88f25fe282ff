import type { FeedEvent } from "./feed-events.ts";
import type { Queries } from "../../storage/tables/database.ts";

/** Decides who may see an event. */
export type EventAudience = (event: FeedEvent) => ReadonlySet<string>;

/** How many ids stand in one statement. */
const portion = 500;

/** Looks up who may see these events: as `requireVisible` says, and whom an event names. */
export async function audienceOf(
  queries: Queries,
  events: readonly FeedEvent[],
): Promise<EventAudience> {
  const insiders = new Map<number, Set<string>>();
  const inRoom = new Map<string, Set<string>>();
  for (const some of splitIntoPortions(new Set(events.map(({ chat }) => chat)))) {
    const query = queries.selectFrom("chat_members").select(["chat", "person"]);
    for (const { chat, person } of await query.where("chat", "in", some).execute()) {
      add(insiders, chat, person);
    }
  }
  for (const [app, all] of Map.groupBy(events, (event) => event.app)) {
    for (const some of splitIntoPortions(new Set(all.map(({ room }) => room)))) {
      const query = queries.selectFrom("chat_agent_rooms").select(["agent", "room"]);
      const rows = await query.where("app", "=", app).where("room", "in", some).execute();
      for (const { agent, room } of rows) add(inRoom, `${app} ${room}`, agent);
    }
  }
  return ({ app, chat, room, creator, invited, named }) => {
    const may = new Set([creator]);
    if (invited !== null) may.add(invited);
    if (named !== null) may.add(named);
    for (const person of insiders.get(chat) ?? nobody) may.add(person);
    for (const agent of inRoom.get(`${app} ${room}`) ?? nobody) may.add(agent);
    return may;
  };
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
