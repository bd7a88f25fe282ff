import type { Selectable } from "kysely";
import { z } from "zod";
import type { Chat } from "../../../api/chat/answers.ts";
import type { ChatTable } from "../../storage/tables/chat.ts";
import { refuseUnknown } from "../errors.ts";
import { phaseOf, statusOf } from "./machine.ts";
import type { Queries } from "../../storage/tables/database.ts";

export type ChatRow = Selectable<ChatTable>;

const numberOrText = z.union([z.number(), z.string()]);

/** Converts a chat to its form in answers. `room` and `source` keep the JSON type of the request. */
export function toChat(row: ChatRow, wire: "deployed" | "seed"): Chat {
  const phase = phaseOf(row.phase);
  return {
    id: row.id,
    status: statusOf(phase, wire),
    creator: row.creator,
    room: numberOrText.parse(JSON.parse(row.room_json)),
    source: numberOrText.parse(JSON.parse(row.source_json)),
    lang: row.lang,
    externalId: row.external_id,
    inQueue: phase !== "closed" && row.queued !== null ? 1 : 0,
    agent: row.holder,
    invitation: invitationOf(row),
    closed: phase === "closed",
    created: Math.floor(row.created / 1000),
  };
}

function invitationOf({ invited, invitation, due }: ChatRow): Chat["invitation"] {
  if (invited === null) return null;
  const type = invitation === "join" || invitation === "transfer" ? invitation : "assign";
  return { userId: invited, type, expires: Math.ceil((due ?? 0) / 1000) };
}

/** Reads a chat of the app. Throws 404. */
export async function readChat(queries: Queries, app: string, id: string): Promise<ChatRow> {
  const row = await queries
    .selectFrom("chat_chats")
    .selectAll()
    .where("id", "=", id)
    .where("app", "=", app)
    .executeTakeFirst();
  if (row === undefined) throw refuseUnknown("chat", id);
  return row;
}

export async function readChatNumbered(queries: Queries, number: number): Promise<ChatRow> {
  const query = queries.selectFrom("chat_chats").selectAll().where("number", "=", number);
  return query.executeTakeFirstOrThrow();
}

/** As {@link readChat}, and locks the chat for the transaction: on PostgreSQL by an empty update. */
export async function lockChat(queries: Queries, app: string, id: string): Promise<ChatRow> {
  const row = await queries
    .updateTable("chat_chats")
    .set((builder) => ({ round: builder.ref("round") }))
    .where("id", "=", id)
    .where("app", "=", app)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw refuseUnknown("chat", id);
  return row;
}
