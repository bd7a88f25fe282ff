import type { Selectable } from "kysely";
import type { ChatMedia, ChatMediaMessage } from "../../../api/chat/answers.ts";
import { type Refusal, refuseFor } from "../../http/refusal.ts";
import type { ChatMediaTable } from "../../storage/tables/chat.ts";
import type { ReadPiece } from "../../http/files.ts";
import { MEDIA_LIFETIME, selectPiece } from "../../ticketing/media.ts";
import type { ChatRow } from "./chat-rows.ts";
import { refuseUnknown } from "../errors.ts";
import type { MoveContext } from "./move.ts";
import type { Queries } from "../../storage/tables/database.ts";

export type MediaRow = Omit<Selectable<ChatMediaTable>, "data">;

/** Marks an uploaded file as used by a message, so that it is kept. Throws 404, 410. */
export async function attachMedia(
  { queries, app, now }: MoveContext,
  chat: ChatRow,
  id: string,
): Promise<ChatMediaMessage> {
  const row = await readMedia(queries, app, id, now);
  if (row.chat !== null && row.chat !== chat.number) throw refuseUnknown("media file", id);
  await queries
    .updateTable("chat_media")
    .set({ chat: chat.number })
    .where("number", "=", row.number)
    .execute();
  return toMediaMessage(row);
}

/** All columns except the bytes. */
export const mediaColumns: readonly (keyof MediaRow)[] = [
  "number",
  "id",
  "app",
  "created",
  "name",
  "type",
  "size",
  "chat",
];

/** Reads a file's row. Throws 404, or 410 for one that was not sent in time. */
export async function readMedia(
  queries: Queries,
  app: string,
  id: string,
  now: number,
): Promise<MediaRow> {
  const row = await queries
    .selectFrom("chat_media")
    .select(mediaColumns)
    .where("id", "=", id)
    .where("app", "=", app)
    .executeTakeFirst();
  if (row === undefined) throw refuseUnknown("media file", id);
  if (row.chat === null && row.created <= now - MEDIA_LIFETIME) throw refuseGone();
  return row;
}

/** Creates a reader of a file's bytes. It throws 410. */
export function createMediaReader(queries: Queries, { number }: MediaRow): ReadPiece {
  return async (from, length) => {
    const query = queries.selectFrom("chat_media").where("number", "=", number);
    const row = await query.select(selectPiece(from, length)).executeTakeFirst();
    if (row?.piece === undefined || row.piece === null) throw refuseGone();
    return row.piece;
  };
}

/** Deletes the bytes of files that were not sent in time. The rows stay for the error message. */
export async function sweepChatMedia(queries: Queries, now: number): Promise<void> {
  await queries
    .updateTable("chat_media")
    .set({ data: null })
    .where("chat", "is", null)
    .where("data", "is not", null)
    .where("created", "<=", now - MEDIA_LIFETIME)
    .execute();
}

export function toMedia(row: MediaRow): ChatMedia {
  const { id, size } = row;
  return { id, ...toMediaMessage(row), size, created: Math.floor(row.created / 1000) };
}

/** Converts a file to its form in a message. */
export function toMediaMessage({ id, type, name }: MediaRow): ChatMediaMessage {
  return { url: `/media/${id}`, type, name };
}

function refuseGone(): Refusal {
  return refuseFor(410, "expired", "The file was not sent within one hour, and is deleted.");
}
