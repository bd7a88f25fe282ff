import type { Selectable } from "kysely";
import type { ChatNote } from "../../../api/chat/answers.ts";
import { LIMITS } from "../../../api/call/limits.ts";
import { toStorable } from "../../../storage/storable.ts";
import { refuseFor } from "../../http/refusal.ts";
import type { ChatNoteTable } from "../../storage/tables/chat.ts";
import { addSearchedTexts } from "../../storage/search-index.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { createOnce } from "../../ticketing/idempotency.ts";
import { createId } from "../ids.ts";
import type { ChatOptions } from "../options.ts";
import { lockChat, type ChatRow } from "./chat-rows.ts";

/** Lists the notes that agents keep about a chat for themselves, oldest first. */
export async function listNotes(queries: Queries, chat: ChatRow): Promise<readonly ChatNote[]> {
  const rows = await queries
    .selectFrom("chat_notes")
    .selectAll()
    .where("chat", "=", chat.number)
    .orderBy("number")
    .execute();
  return rows.map((row) => toNote(row, chat.id));
}

export interface NoteRequest {
  readonly chat: string;
  /** Id of an agent. */
  readonly author: string;
  readonly text: string;
  /** From the header `Idempotency-Key`, or null. */
  readonly key: string | null;
}

/** Keeps a note, also about a closed chat. Throws 409 when there are too many. */
export async function addNote(
  { database, now, random }: ChatOptions,
  app: string,
  { key, ...note }: NoteRequest,
): Promise<ChatNote> {
  return database.durable(async (queries) => {
    const chat = await lockChat(queries, app, note.chat);
    const project = `chat note ${app} ${toStorable(note.author)}`;
    const once = { project, key, request: JSON.stringify(note), now: now() };
    const number = await createOnce(queries, once, async () => {
      const kept = await listNotes(queries, chat);
      if (kept.length >= LIMITS.chatNotes) {
        throw refuseFor(409, "notes", `The chat has ${LIMITS.chatNotes} notes already.`, {
          count: LIMITS.chatNotes,
        });
      }
      const { author } = note;
      const text = toStorable(note.text);
      const added = await queries
        .insertInto("chat_notes")
        .values({ id: createId(random), app, created: now(), chat: chat.number, author, text })
        .returning("number")
        .executeTakeFirstOrThrow();
      await addSearchedTexts(queries, [
        { kind: "note", source: added.number, subject: chat.number, text },
      ]);
      return added.number;
    });
    const query = queries.selectFrom("chat_notes").selectAll().where("number", "=", number);
    return toNote(await query.executeTakeFirstOrThrow(), chat.id);
  });
}

function toNote(row: Selectable<ChatNoteTable>, chat: string): ChatNote {
  const { id, author, text, created } = row;
  return { id, chat, author, text, created: Math.floor(created / 1000) };
}
