import { sql } from "kysely";
import type { ChatTicket, ChatTicketLine } from "../../api/chat/answers.ts";
import { ticketFilter } from "../../api/chat/schema-project.ts";
import { textOfHtml } from "../../locales/html-text.ts";
import { storable } from "../../storage/storable.ts";
import { downloadOf } from "../http/files.ts";
import { queryBy } from "../http/handling.ts";
import { notFound, shown } from "../http/refusal.ts";
import { attachmentsOf } from "../ticketing/attaching.ts";
import { fullUuid, idOf } from "../ticketing/identity.ts";
import { readMediaFile } from "../ticketing/media.ts";
import { listQueues } from "../ticketing/queues.ts";
import { readTicket, statusOf } from "../ticketing/ticket-rows.ts";
import { readPage } from "../http/paging.ts";
import type { ChatHandler, ChatRequest } from "./request.ts";
import { requireTicketView } from "./rights.ts";

/** Tickets of the app's project, which agents with the right to may read. */
export const TICKET_HANDLERS: Readonly<Record<`chat.${string}`, ChatHandler>> = {
  async "chat.tickets"(asked) {
    const project = await requireTicketView(asked);
    const { status, search = "", ...page } = queryBy(ticketFilter, asked);
    let query = selectLines(asked, project);
    if (status !== undefined) query = query.where("tickets.status", "=", status);
    for (const word of search.split(/\s+/).filter(Boolean)) {
      // The signs before a ticket's number are not stored.
      const part = storable(word.replace(/^\w{3}(-\d+)$/, "$1"));
      const pattern = `%${part.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`;
      query = query.where(sql<boolean>`lower(${SEARCHED}) LIKE lower(${pattern}) ESCAPE ${"\\"}`);
    }
    const { data, hasMore } = await readPage(page, (limit, offset) =>
      query
        .orderBy("tickets.updated", "desc")
        .orderBy("tickets.id", "desc")
        .limit(limit)
        .offset(offset)
        .execute(),
    );
    return { tickets: await toLines(asked, project, data), hasMore };
  },

  async "chat.ticket"(asked) {
    const project = await requireTicketView(asked);
    const { kysely } = asked.options.database;
    const id = await idOf(kysely, "tickets", project, asked.id);
    const row = await selectLines(asked, project)
      .where("tickets.id", "=", id)
      .executeTakeFirstOrThrow();
    const [line] = await toLines(asked, project, [row]);
    const { message, history } = await readTicket(kysely, id);
    const replies = await kysely
      .selectFrom("replies")
      .innerJoin("users", "users.id", "replies.creator")
      .select(["replies.id", "replies.message", "replies.type", "replies.created", "users.name"])
      .where("replies.ticket", "=", id)
      .orderBy("replies.id")
      .execute();
    const attached = Map.groupBy(await attachmentsOf(kysely, [id]), ({ reply }) => reply);
    const filesOf = (reply: number | null): ChatTicket["files"] =>
      (attached.get(reply) ?? []).map((file) => ({
        url: `/tickets/media/${file.id}`,
        type: file.type,
        name: file.name,
      }));
    const ticket = {
      ...line,
      contact: row.address,
      message: textOfHtml(message),
      files: filesOf(null),
      transcript: history.messages.map(({ user, message: said }) => ({
        user,
        message: textOfHtml(said),
      })),
      replies: replies.map((reply) => ({
        user: reply.name,
        type: reply.type === "reply" ? "reply" : "answer",
        message: textOfHtml(reply.message),
        files: filesOf(reply.id),
        created: Math.floor(reply.created / 1000),
      })),
    };
    return { ticket };
  },

  async "chat.ticketFile"(asked) {
    const project = await requireTicketView(asked);
    const { media, data } = await readMediaFile(asked.options, project, asked.id);
    // What was only uploaded belongs to no ticket yet.
    if (!media.attached) throw notFound(`media file ${shown(asked.id)}`);
    return downloadOf(media, data);
  },
};

const SEARCHED = sql`title || ' ' || name || ' ' || address || ' -' || tickets.id`;

function selectLines({ options }: ChatRequest, project: string) {
  return options.database.kysely
    .selectFrom("tickets")
    .innerJoin("users", "users.id", "tickets.creator")
    .select(["tickets.id", "tickets.hash_uuid", "tickets.title", "tickets.status"])
    .select(["tickets.queue", "tickets.created", "tickets.updated", "users.name", "users.address"])
    .where("tickets.project", "=", project);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectLines>["execute"]>>[number];

async function toLines(
  { options }: ChatRequest,
  project: string,
  rows: readonly Row[],
): Promise<readonly ChatTicketLine[]> {
  const queues = await listQueues(options.database.kysely, project);
  const names = new Map(queues.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    id: row.id,
    number: fullUuid(row.id, row.hash_uuid),
    title: row.title,
    status: statusOf(row.status),
    queue: names.get(row.queue) ?? String(row.queue),
    user: row.name,
    created: Math.floor(row.created / 1000),
    updated: Math.floor(row.updated / 1000),
  }));
}
