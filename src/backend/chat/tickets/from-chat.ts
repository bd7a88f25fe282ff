import { sql } from "kysely";
import { LIMITS } from "../../../api/call/limits.ts";
import type { NewChatTicket } from "../../../api/chat/schema-tickets.ts";
import type { TicketTranscript } from "../../../api/ticketing/schema.ts";
import { escapeMarkup } from "../../../locales/markup.ts";
import { guestIn } from "../../../locales/guest.ts";
import { readMailAddress, readPersonName } from "../../../locales/person.ts";
import { parseTag } from "../../../locales/tag.ts";
import { refuseFor } from "../../http/refusal.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { ensureUserOfAgent } from "../../ticketing/agent-users.ts";
import { insertTicket } from "../../ticketing/create-ticket.ts";
import { uuidFrom } from "../../ticketing/identity.ts";
import { readRow } from "../../ticketing/ticket-rows.ts";
import type { TicketRow } from "../../ticketing/ticket-rows.ts";
import { createPlaceholderAddress, userAt } from "../../ticketing/users.ts";
import { type ChatRow, lockChat } from "../chats/chat-rows.ts";
import { toMessages } from "../chats/messages.ts";
import type { ChatOptions } from "../options.ts";
import { chooseQueue, type TicketAccess } from "./access.ts";
import { covers } from "./rights.ts";

/** Number that tickets from chats have as their `source`. */
const chatSource = 3;
const maxTitleLength = 120;

/**
 * Creates a ticket from a chat, with its messages, files and person. It is open and assigned to the
 * agent who creates it. A chat gets only one ticket.
 *
 * @throws Refusal 403, 422
 */
export async function createTicketOfChat(
  options: ChatOptions,
  access: TicketAccess,
  chat: ChatRow,
  { title, queue: named }: NewChatTicket,
): Promise<TicketRow> {
  const { database, now, random } = options;
  const { project, agent } = access;
  const queue = await chooseQueue(database.kysely, access, named);
  const creator = await userAt(options, project, await personOf(database.kysely, chat));
  return database.durable(async (queries) => {
    await lockChat(queries, access.app, chat.id);
    const [known] = await ticketsOfChat(queries, project, chat);
    if (known !== undefined) {
      if (covers(access.view, known.queue)) return known;
      throw refuseFor(409, "chat-ticket", `The chat has a ticket in queue ${known.queue} already.`);
    }
    const lines = await linesOf(queries, chat);
    const solver = await ensureUserOfAgent(queries, { now, random }, project, agent);
    const at = now();
    const id = await insertTicket(queries, options, {
      project,
      title: title ?? titleOf(chat, lines),
      message: textOf(lines),
      solver,
      creator,
      source: chatSource,
      queue,
      status: 2,
      external_id: chat.external_id === "" ? null : chat.external_id,
      language: parseTag(chat.lang)?.base ?? "",
      transcript: JSON.stringify({ dropped: 0, lines } satisfies TicketTranscript),
      chat: chat.id,
      created: at,
    });
    await copyFiles(queries, options, { project, chat, ticket: id, at });
    return readRow(queries, id);
  });
}

/** Tickets that an agent made from a chat, or the gateway under the same name; oldest first. */
export function ticketsOfChat(
  queries: Queries,
  project: string,
  { id, external_id: name }: Pick<ChatRow, "id" | "external_id">,
): Promise<readonly TicketRow[]> {
  return queries
    .selectFrom("tickets")
    .selectAll()
    .where("project", "=", project)
    .where((builder) =>
      builder.or([
        builder("chat", "=", id),
        ...(name === "" ? [] : [builder("external_id", "=", name)]),
      ]),
    )
    .orderBy("id")
    .execute();
}

async function personOf(
  queries: Queries,
  { creator, lang }: ChatRow,
): Promise<{ readonly name: string; readonly address: string }> {
  const { name, contact } = await queries
    .selectFrom("chat_people")
    .select(["name", "contact"])
    .where("id", "=", creator)
    .executeTakeFirstOrThrow();
  const address = readMailAddress(contact);
  return {
    name: readPersonName(name) ?? address ?? guestIn(lang),
    address: address ?? createPlaceholderAddress(`chat-${creator}`),
  };
}

type Line = TicketTranscript["lines"][number];

/** Lists the lines of a chat, and those before it; of too many lines the newest. */
async function linesOf(queries: Queries, chat: ChatRow): Promise<readonly Line[]> {
  const rows = await queries
    .selectFrom("chat_messages")
    .selectAll()
    .where("chat", "=", chat.number)
    .orderBy("number", "desc")
    .limit(LIMITS.priorLines)
    .execute();
  const messages = await toMessages(queries, rows.toReversed());
  const people = await queries
    .selectFrom("chat_people")
    .select(["id", "name", "nickname"])
    .where("id", "in", [chat.creator, ...new Set(messages.map(({ sender }) => sender))])
    .execute();
  const names = new Map(people.map(({ id, name, nickname }) => [id, nickname ?? name]));
  return messages.map(({ sender, message, created }) => {
    const text = typeof message === "string" ? message : message.name;
    const who = sender === chat.creator ? "reader" : names.has(sender) ? "agent" : "bot";
    const name = who === "agent" ? (names.get(sender) ?? "") : "";
    return { who, name, message: text.slice(0, LIMITS.priorLine), created };
  });
}

/** Finds a title: the question before the chat, else the person's first words in it. */
function titleOf({ question }: ChatRow, lines: readonly Line[]): string {
  const line = lines.find(({ who, message }) => who === "reader" && message.trim() !== "");
  const words = (question?.split("\n")[0] ?? line?.message ?? "").replaceAll(/\s+/gu, " ").trim();
  const characters = Array.from(words);
  if (characters.length <= maxTitleLength) return words;
  return `${characters.slice(0, maxTitleLength - 1).join("")}…`;
}

/** Renders the lines as HTML. */
function textOf(lines: readonly Line[]): string {
  const text = lines
    .map(
      ({ who, name, message }) =>
        `<p><b>${escapeMarkup(name || who)}</b>: ${escapeMarkup(message)}</p>`,
    )
    .join("\n");
  return text.slice(0, LIMITS.ticketMessage) || "–";
}

interface Copying {
  readonly project: string;
  readonly chat: ChatRow;
  readonly ticket: number;
  readonly at: number;
}

/** Copies the files of a chat to its ticket, so that they stay when the chat is deleted. */
async function copyFiles(
  queries: Queries,
  { random }: Pick<ChatOptions, "random">,
  { project, chat, ticket, at }: Copying,
): Promise<void> {
  const files = await queries
    .selectFrom("chat_media")
    .select("number")
    .where("chat", "=", chat.number)
    .where("data", "is not", null)
    .orderBy("number")
    .limit(LIMITS.attachments)
    .execute();
  for (const { number } of files) {
    const hash = uuidFrom(random(16));
    // The bytes stay in the database.
    const { id: media } = await queries
      .insertInto("media")
      .columns(["project", "hash_uuid", "name", "type", "size", "data", "attached", "created"])
      .expression((builder) =>
        builder
          .selectFrom("chat_media")
          .select([
            sql<string>`cast(${project} as text)`.as("project"),
            sql<string>`cast(${hash} as text)`.as("hash_uuid"),
          ])
          .select(["name", "type", "size", "data"])
          .select([
            sql<number>`cast(${at} as bigint)`.as("attached"),
            sql<number>`cast(${at} as bigint)`.as("created_now"),
          ])
          .where("number", "=", number),
      )
      .returning("id")
      .executeTakeFirstOrThrow();
    await queries.insertInto("attachments").values({ media, ticket, reply: null }).execute();
  }
}
