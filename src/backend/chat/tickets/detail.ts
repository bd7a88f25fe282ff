import { sql } from "kysely";
import type { ChatTicket, ChatTicketWords } from "../../../api/chat/answers-tickets.ts";
import { TICKET_TRANSITIONS } from "../../../api/ticketing/answers.ts";
import type { TicketTranscript } from "../../../api/ticketing/schema.ts";
import { textOfHtml } from "../../../locales/html-text.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { toWrittenText } from "../../ticketing/agent-users.ts";
import { attachmentsOf } from "../../ticketing/attaching.ts";
import { toFullUuid } from "../../ticketing/identity.ts";
import { contactOf } from "../../ticketing/users.ts";
import { priorMessagesOf, statusOf, transcriptOf } from "../../ticketing/ticket-rows.ts";
import type { TicketRow } from "../../ticketing/ticket-rows.ts";
import { isVisibleTo } from "../chats/visible.ts";
import type { TicketAccess } from "./access.ts";
import { readChanges } from "./changes.ts";
import { selectLines, toLines } from "./list.ts";
import { listPresent } from "./presence.ts";
import { covers } from "./rights.ts";

/** How many of a user's other tickets are listed. */
const maxOthers = 20;

/** A ticket with everything that an agent may know of it. */
export async function readTicketDetail(
  queries: Queries,
  access: TicketAccess,
  row: TicketRow,
  now: number,
): Promise<ChatTicket> {
  const { project, agent, edit } = access;
  const merged = await queries
    .selectFrom("tickets")
    .selectAll()
    .where("merged", "=", row.id)
    .orderBy("id")
    .execute();
  const doubles = merged.map(({ id }) => id);
  // Read before the rest, so that `seen` is of no change that is not shown.
  const { changes, seen } = await readChanges(queries, row, doubles);
  const ids = [row.id, ...doubles];
  const lines = await selectLines(queries, project).where("tickets.id", "in", ids).execute();
  const users = new Map(lines.map((line) => [line.id, line]));
  const [line] = await toLines(
    queries,
    project,
    lines.filter(({ id }) => id === row.id),
  );
  if (line === undefined) throw new Error("unreachable: a ticket that was just read");
  const words = await readWords(queries, access, [row, ...merged]);
  const status = statusOf(row.status);
  return {
    ...line,
    ...wordsOf(words, row.id),
    contact: contactOf(users.get(row.id)?.address ?? ""),
    queueId: row.queue,
    editable: covers(edit, row.queue),
    next: TICKET_TRANSITIONS[status],
    seen,
    present: await listPresent(queries, { ticket: row.id, agent }, now),
    changes,
    mails: await readMails(queries, ids),
    mergedInto: await readReference(queries, access, row.merged),
    merged: merged.map((one) => ({
      ...toReference(one),
      user: users.get(one.id)?.name ?? "",
      created: Math.floor(one.created / 1000),
      ...wordsOf(words, one.id),
    })),
    others: await readOthers(queries, access, row),
    chats: await readChats(queries, access, [row, ...merged]),
  };
}

/** E-mail of tickets, the oldest first. */
async function readMails(
  queries: Queries,
  tickets: readonly number[],
): Promise<ChatTicket["mails"]> {
  const rows = await queries
    .selectFrom("mails")
    .select(["id", "reply", "state", "address", "subject", "text", "quoted", "reason", "created"])
    .where("ticket", "in", [...tickets])
    .orderBy("id")
    .execute();
  return rows.map(({ text, reason, created, ...mail }) => ({
    ...mail,
    message: mail.reply === null ? text : "",
    reason: reason ?? "",
    created: Math.floor(created / 1000),
  }));
}

type Words = ReadonlyMap<number, ChatTicketWords>;

function wordsOf(words: Words, ticket: number): ChatTicketWords {
  const found = words.get(ticket);
  if (found === undefined) throw new Error("unreachable: words of a ticket that was read");
  return found;
}

/** Reads texts and files, without files of merged tickets that the agent may not open. */
async function readWords(
  queries: Queries,
  { view }: TicketAccess,
  rows: readonly TicketRow[],
): Promise<Words> {
  const ids = rows.map(({ id }) => id);
  const replies = await queries
    .selectFrom("replies")
    .innerJoin("users", "users.id", "replies.creator")
    .select(["replies.id", "replies.ticket", "replies.message", "replies.type"])
    .select(["replies.created", "users.name", "users.agent"])
    .where("replies.ticket", "in", ids)
    .orderBy("replies.id")
    .execute();
  const notes = await queries
    .selectFrom("ticket_notes")
    .leftJoin("chat_people", "chat_people.id", "ticket_notes.author")
    .select(["ticket_notes.ticket", "ticket_notes.message", "ticket_notes.created"])
    .select(sql<string>`coalesce(chat_people.nickname, chat_people.name, '')`.as("user"))
    .where("ticket_notes.ticket", "in", ids)
    .orderBy("ticket_notes.id")
    .execute();
  const authors = await readAuthors(queries, ids);
  const readable = rows.filter(({ queue }) => covers(view, queue)).map(({ id }) => id);
  const attached = readable.length === 0 ? [] : await attachmentsOf(queries, readable);
  const filesOf = (ticket: number, reply: number | null): ChatTicketWords["files"] =>
    attached
      .filter((file) => file.ticket === ticket && file.reply === reply)
      .map(({ id, type, name }) => ({ url: `/tickets/media/${id}`, type, name }));
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...openingOf(row, authors.get(row.id)),
        files: filesOf(row.id, null),
        replies: replies
          .filter(({ ticket }) => ticket === row.id)
          .map(({ id, name, type, message, agent, created }) => ({
            id,
            user: name,
            type: type === "reply" ? "reply" : "answer",
            message: agent === null ? textOfHtml(message) : toWrittenText(message),
            files: filesOf(row.id, id),
            created: Math.floor(created / 1000),
          })),
        notes: notes
          .filter(({ ticket }) => ticket === row.id)
          .map(({ user, message, created }) => ({
            user,
            message,
            created: Math.floor(created / 1000),
          })),
      },
    ]),
  );
}

/** Reads, by ticket, the names of agents who created tickets and therefore wrote the texts. */
async function readAuthors(
  queries: Queries,
  tickets: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await queries
    .selectFrom("ticket_events")
    .innerJoin("users", "users.id", "ticket_events.actor")
    .select(["ticket_events.ticket", "users.name"])
    .where("ticket_events.ticket", "in", [...tickets])
    .where("ticket_events.action", "=", "create")
    .where("users.agent", "is not", null)
    .execute();
  return new Map(rows.map(({ ticket, name }) => [ticket, name]));
}

/**
 * Reads the beginning of a ticket. The message is left out where the transcript's parts say the
 * same.
 */
function openingOf(
  row: TicketRow,
  author: string | undefined,
): Pick<ChatTicketWords, "message" | "author" | "transcript" | "dropped" | "link"> {
  const transcript = transcriptOf(row);
  if (transcript !== null) {
    const { link = "", dropped, lines } = transcript;
    return { message: "", author: "", transcript: lines.map(toLine), dropped, link };
  }
  return {
    message: author === undefined ? textOfHtml(row.message) : toWrittenText(row.message),
    author: author ?? "",
    transcript: priorMessagesOf(row).map(({ user, message }) => ({
      user,
      name: "",
      message: textOfHtml(message),
      created: null,
    })),
    dropped: 0,
    link: "",
  };
}

const SPEAKERS = { reader: "user", bot: "assistant", agent: "agent" } as const;

function toLine({ who, name, message, created }: TicketTranscript["lines"][number]) {
  return { user: SPEAKERS[who], name, message, created };
}

type Reference = ChatTicket["others"][number];

function toReference({
  id,
  hash_uuid: hash,
  title,
  status,
}: Omit<ReferenceRow, "queue">): Reference {
  return { id, number: toFullUuid(id, hash), title, status: statusOf(status) };
}

type ReferenceRow = Pick<TicketRow, "id" | "hash_uuid" | "title" | "status" | "queue">;

/** Reads a reference; its title is left out where the agent may not read the ticket. */
async function readReference(
  queries: Queries,
  { view }: TicketAccess,
  id: number | null,
): Promise<Reference | null> {
  if (id === null) return null;
  const query = queries.selectFrom("tickets").selectAll().where("id", "=", id);
  const row = await query.executeTakeFirstOrThrow();
  return toReference(covers(view, row.queue) ? row : { ...row, title: "" });
}

async function readOthers(
  queries: Queries,
  { project, view }: TicketAccess,
  { id, creator }: TicketRow,
): Promise<readonly Reference[]> {
  const rows = await queries
    .selectFrom("tickets")
    .select(["id", "hash_uuid", "title", "status", "queue"])
    .where("creator", "=", creator)
    .where("project", "=", project)
    .where("id", "<>", id)
    .where("merged", "is", null)
    .orderBy("id", "desc")
    .limit(200)
    .execute();
  return rows
    .filter(({ queue }) => covers(view, queue))
    .slice(0, maxOthers)
    .map((row) => toReference(row));
}

/** The chats that tickets were made from, by an agent or by the gateway under the same name. */
async function readChats(
  queries: Queries,
  { agent, app }: TicketAccess,
  tickets: readonly TicketRow[],
): Promise<ChatTicket["chats"]> {
  const ids = tickets.flatMap(({ chat }) => chat ?? []);
  const names = tickets.flatMap(({ external_id: name }) =>
    name === null || name === "" ? [] : name,
  );
  if (ids.length + names.length === 0) return [];
  const rows = await queries
    .selectFrom("chat_chats")
    .select(["id", "created", "phase"])
    .where("app", "=", app)
    .where((builder) =>
      builder.or([
        ...(ids.length === 0 ? [] : [builder("id", "in", ids)]),
        ...(names.length === 0 ? [] : [builder("external_id", "in", names)]),
      ]),
    )
    .where(isVisibleTo(agent))
    .orderBy("number")
    .execute();
  return rows.map(({ id, created, phase }) => ({
    id,
    created: Math.floor(created / 1000),
    closed: phase === "closed",
  }));
}
