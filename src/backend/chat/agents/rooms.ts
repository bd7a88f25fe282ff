import type { Selectable } from "kysely";
import { ASSIGN_RULES } from "../../../api/chat/states.ts";
import type { AssignRule } from "../../../api/chat/states.ts";
import type { ChatRoom } from "../../../api/chat/answers.ts";
import type { NewChatRoom } from "../../../api/chat/schema.ts";
import { toStorable } from "../../../storage/storable.ts";
import type { ChatRoomTable } from "../../storage/tables/chat.ts";
import type { Queries } from "../../storage/tables/database.ts";

export async function listRooms(queries: Queries, app: string): Promise<readonly ChatRoom[]> {
  const query = queries.selectFrom("chat_rooms").selectAll().where("app", "=", app);
  return (await query.orderBy("id").execute()).map(toRoom);
}

/** The names of an app's rooms by their ids. */
export async function readRoomNames(
  queries: Queries,
  app: string,
): Promise<ReadonlyMap<string, string>> {
  return new Map((await listRooms(queries, app)).map(({ id, name }) => [id, name]));
}

/** Adds a room, or changes the given fields. The default name of a new one is its id. */
export async function saveRoom(
  queries: Queries,
  app: string,
  room: NewChatRoom & { readonly id: string },
): Promise<ChatRoom> {
  const id = toStorable(room.id);
  const change = {
    ...(room.name !== undefined && { name: toStorable(room.name) }),
    ...(room.assign !== undefined && { assign: room.assign }),
  };
  const saved = await queries
    .insertInto("chat_rooms")
    .values({ app, id, name: id, ...change })
    // An update must set a column, so that the row is returned.
    .onConflict((conflict) => conflict.columns(["app", "id"]).doUpdateSet({ id, ...change }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRoom(saved);
}

/** Reads the rules of an app's rooms. Rooms that are not listed have the default rule. */
export async function readRules(
  queries: Queries,
  app: string,
): Promise<ReadonlyMap<string, AssignRule>> {
  return new Map((await listRooms(queries, app)).map(({ id, assign }) => [id, assign]));
}

function toRoom({ id, name, assign }: Selectable<ChatRoomTable>): ChatRoom {
  return { id, name, assign: ASSIGN_RULES.find((rule) => rule === assign) ?? ASSIGN_RULES[0] };
}

/** Sets the rooms of an agent, and creates those that do not exist. */
export async function setRooms(
  queries: Queries,
  app: string,
  agent: string,
  rooms: readonly string[],
): Promise<void> {
  await queries.deleteFrom("chat_agent_rooms").where("agent", "=", agent).execute();
  for (const id of new Set(rooms.map((room) => toStorable(room)))) {
    await queries
      .insertInto("chat_rooms")
      .values({ app, id, name: id })
      .onConflict((conflict) => conflict.columns(["app", "id"]).doNothing())
      .execute();
    await queries.insertInto("chat_agent_rooms").values({ app, agent, room: id }).execute();
  }
}
