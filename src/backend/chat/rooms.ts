import type { ChatRoom } from "../../wire/chat/types.ts";
import { storable } from "../storage/storable.ts";
import type { Queries } from "./options.ts";

export async function listRooms(queries: Queries, app: string): Promise<readonly ChatRoom[]> {
  const query = queries.selectFrom("chat_rooms").select(["id", "name"]).where("app", "=", app);
  return query.orderBy("id").execute();
}

/** Adds a room, or gives it another name. */
export async function saveRoom(
  queries: Queries,
  app: string,
  { id, name }: { readonly id: string; readonly name?: string | undefined },
): Promise<ChatRoom> {
  const room = { id: storable(id), name: storable(name ?? id) };
  await queries
    .insertInto("chat_rooms")
    .values({ app, ...room })
    .onConflict((conflict) => conflict.columns(["app", "id"]).doUpdateSet({ name: room.name }))
    .execute();
  return room;
}

/** Sets the rooms of an agent; those that do not exist yet come to be. */
export async function setRooms(
  queries: Queries,
  app: string,
  agent: string,
  rooms: readonly string[],
): Promise<void> {
  await queries.deleteFrom("chat_agent_rooms").where("agent", "=", agent).execute();
  for (const id of new Set(rooms.map((room) => storable(room)))) {
    await queries
      .insertInto("chat_rooms")
      .values({ app, id, name: id })
      .onConflict((conflict) => conflict.columns(["app", "id"]).doNothing())
      .execute();
    await queries.insertInto("chat_agent_rooms").values({ app, agent, room: id }).execute();
  }
}
