import type { HistoryLine } from "../../api/chat/schema.ts";
import type { ChatMessage } from "../../api/chat/types.ts";
import type { ChatRow } from "./chat-rows.ts";
import { newId } from "./ids.ts";
import { toMessages } from "./message-rows.ts";
import type { MoveContext } from "./move.ts";
import type { Turn } from "./turn.ts";

/** The sender of what was said by the bot. */
export const ASSISTANT = "assistant";

// How transcripts name the two sides (row 29 of the spellings).
const botNames: ReadonlySet<string> = new Set([ASSISTANT, "bot", "system"]);
const userNames: ReadonlySet<string> = new Set(["user", "guest"]);

/**
 * Whose word a transcript is: the app's server says who spoke; a person speaks for themselves and
 * for the bot alone.
 */
export type Source = "app" | "person";

/** Milliseconds that a person's transcript may go back. */
const longestAgo = 86_400_000;

/**
 * Adds what was said before, in the order of the list. Nobody is told, and empty lines are dropped.
 * In a person's transcript a line of anybody else is the bot's, and a time before the last day, or
 * to come, becomes the nearest that may be.
 */
export async function importHistory(
  { queries, app, now, options }: MoveContext & Pick<Turn, "options">,
  chat: ChatRow,
  lines: readonly HistoryLine[],
  source: Source,
): Promise<readonly ChatMessage[]> {
  const at = (created: number): number =>
    source === "app" ? created : Math.min(Math.max(created, now - longestAgo), now);
  const rows = lines
    .map((line) => ({ ...line, message: textOf(line.message) }))
    .filter(({ message }) => message.trim() !== "")
    .map(({ sender, message, created = now, type }) => ({
      id: newId(options.random),
      app,
      chat: chat.number,
      sender: senderOf(sender, chat, source),
      type,
      message: JSON.stringify(message),
      created: at(created),
      imported: 1,
    }));
  if (rows.length === 0) return [];
  const made = await queries.insertInto("chat_messages").values(rows).returningAll().execute();
  const inOrder = made.toSorted((a, b) => a.number - b.number);
  const messages = await toMessages(queries, inOrder);
  // The log alone: to tell registered addresses would send the user's own words back as new.
  await queries
    .insertInto("chat_log")
    .values(
      messages.map((message) => ({
        app,
        chat: chat.number,
        trigger_name: "messages:new",
        data: JSON.stringify({ chatId: chat.id, message, imported: true }),
        at: message.created * 1000,
      })),
    )
    .execute();
  return messages;
}

function textOf(message: unknown): string {
  if (typeof message === "string") return message;
  return message === undefined || message === null ? "" : JSON.stringify(message);
}

function senderOf(sender: string, { creator }: ChatRow, source: Source): string {
  if (botNames.has(sender)) return ASSISTANT;
  if (userNames.has(sender) || sender.trim() === "" || sender === creator) return creator;
  return source === "app" ? sender.slice(0, 200) : ASSISTANT;
}
