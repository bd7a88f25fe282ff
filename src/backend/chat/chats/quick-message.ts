import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { ChatMessage } from "../../../api/chat/answers.ts";
import { newId } from "../ids.ts";
import { MACHINE, phaseOf } from "./machine.ts";
import { idleAt } from "./move.ts";
import type { Queries } from "../../storage/tables/database.ts";
import type { ChatOptions } from "../options.ts";
import { toSettings } from "../settings.ts";
import { noteEvent, noteWebhookEvents } from "../emit.ts";

/** What was said in a chat, by whom. */
export interface QuickMessage {
  readonly chat: string;
  readonly sender: string;
  readonly text: string;
}

/**
 * Says something by somebody who is in an open chat, as most messages are said: looks first, and
 * then writes everything in one go that others may share the disk's time with. Each statement asks
 * once more whether what was seen still holds; the first one locks the chat on PostgreSQL, so that
 * messages of a chat come one after the other.
 *
 * Null, and nothing is written, where it does not hold: then the long way finds out what is wrong.
 */
export async function sayQuickly(
  { database, now, random }: ChatOptions,
  app: string,
  { chat: id, sender, text }: QuickMessage,
): Promise<ChatMessage | null> {
  const { kysely } = database;
  const seen = await look(kysely, app, id, sender);
  if (seen === null) return null;
  const { number, phase } = seen;
  const cell = MACHINE.message.cells[phase];
  if ("refused" in cell || cell.to !== phase) return null;
  const at = now();
  const message: ChatMessage = {
    id: newId(random),
    chat: id,
    sender,
    type: "text",
    message: text,
    created: Math.floor(at / 1000),
    read: [],
  };
  const context = { now: at, settings: toSettings(seen.settings) };
  const inside = sql`number = ${number} AND phase = ${phase} AND EXISTS (
    SELECT 1 FROM chat_members WHERE chat = ${number} AND person = ${sender} AND left_at IS NULL)`;
  const said = sql`EXISTS (SELECT 1 FROM chat_messages WHERE id = ${message.id})`;
  const happening = {
    app,
    chat: number,
    trigger: "messages:new",
    data: { chatId: id, message },
    now: at,
  } as const;
  const statements: readonly CompiledQuery[] = [
    sql`UPDATE chat_chats SET idle = ${idleAt(phase, context)} WHERE ${inside}`.compile(kysely),
    sql`INSERT INTO chat_messages (id, app, chat, created, sender, type, message)
      SELECT ${message.id}, app, number, cast(${at} AS bigint), ${sender}, ${message.type}, ${JSON.stringify(text)}
      FROM chat_chats WHERE ${inside}`.compile(kysely),
    noteEvent(happening, said).compile(kysely),
    noteWebhookEvents(happening, said).compile(kysely),
  ];
  const [, stored] = await database.batch(statements, { durable: true });
  return stored?.changes === 1 ? message : null;
}

interface CurrentChat {
  readonly number: number;
  readonly phase: ReturnType<typeof phaseOf>;
  /** JSON, or null for an app that has never changed them. */
  readonly settings: string | null;
}

/** The chat, if this person is in it. */
async function look(
  queries: Queries,
  app: string,
  id: string,
  person: string,
): Promise<CurrentChat | null> {
  const { rows } = await sql<{ number: number; phase: string; settings: string | null }>`
    SELECT number, phase, (SELECT value FROM chat_settings WHERE app = chat_chats.app) AS settings
    FROM chat_chats WHERE id = ${id} AND app = ${app} AND EXISTS (
      SELECT 1 FROM chat_members WHERE chat = number AND person = ${person} AND left_at IS NULL)
  `.execute(queries);
  const [row] = rows;
  return row === undefined ? null : { ...row, phase: phaseOf(row.phase) };
}
