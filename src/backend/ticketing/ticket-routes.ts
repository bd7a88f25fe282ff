import { Hono } from "hono";
import {
  newReply,
  newTicket,
  paging,
  ticketChange,
  ticketListing,
} from "../../api/ticketing/schema.ts";
import { changeTicket, lockedRow } from "./change-ticket.ts";
import type { TicketingOptions } from "./context.ts";
import { createTicket, requireUuids, userOf } from "./create-ticket.ts";
import { bodyBy, handling, queryBy } from "../http/handling.ts";
import type { ApiRequest } from "../http/handling.ts";
import { answersFor, idOf, createdAnswer, uuidFrom } from "./identity.ts";
import { listTickets } from "./list-tickets.ts";
import { readPage } from "../http/paging.ts";
import { Refusal } from "../http/refusal.ts";
import { readTicket, readHistory, recordChanges } from "./ticket-rows.ts";
import { storable } from "../../storage/storable.ts";
import type { NewReply } from "../../api/ticketing/schema.ts";
import type { TicketReply } from "../../api/ticketing/answers.ts";
import { attach, attachmentsOf, inlineMedia } from "./attaching.ts";
import type { Queries } from "../storage/tables/database.ts";
import { createdOnce } from "./idempotency.ts";
import { queueEvent } from "./outbox.ts";

/** Tickets, their replies, parts and history. */
export function ticketRoutes(options: TicketingOptions): Hono {
  const { database } = options;
  const routes = new Hono({ strict: false });
  const create = handling(options, "ticketing.createTicket", async (asked) => {
    const creation = await creationOf(asked, options, null);
    requireUuids(asked, creation.ticket);
    return Response.json(await createTicket(answersFor(options, asked), creation));
  });
  const ticketId = ({ c, project }: ApiRequest): Promise<number> =>
    idOf(database.kysely, "tickets", project, identifierOf(c));

  routes.post("/tickets", create);
  routes.post("/tickets/public", create);
  routes.get(
    "/tickets",
    handling(options, "ticketing.tickets", async (asked) =>
      Response.json(await listTickets(database, asked.project, queryBy(ticketListing, asked))),
    ),
  );
  routes.get(
    "/tickets/:id",
    handling(options, "ticketing.ticket", async (asked) =>
      Response.json(await readTicket(database.kysely, await ticketId(asked))),
    ),
  );
  routes.put(
    "/tickets/:id",
    handling(options, "ticketing.changeTicket", async (asked) => {
      const change = await bodyBy(ticketChange, asked, options);
      return Response.json(
        await changeTicket(options, asked.project, identifierOf(asked.c), change),
      );
    }),
  );
  routes.post(
    "/tickets/:id/replies",
    handling(options, "ticketing.createReply", async (asked) => {
      const reply = await bodyBy(newReply, asked, options);
      const creation = { project: asked.project, ticket: identifierOf(asked.c), reply };
      return Response.json(
        await createReply(options, { ...creation, idempotencyKey: keyOf(asked) }),
      );
    }),
  );
  routes.get(
    "/tickets/:id/replies",
    handling(options, "ticketing.replies", async (asked) => {
      const page = await readPage(queryBy(paging, asked), async (limit, offset) =>
        listReplies(database.kysely, await ticketId(asked), limit, offset),
      );
      return Response.json(page);
    }),
  );
  // 302 for invalid data since 2023-11-14 (ticketing.md 2), without a Location that clients follow.
  routes.post(
    "/tickets/:id/subtickets",
    handling(options, "ticketing.createSubticket", async (asked) => {
      try {
        const creation = await creationOf(asked, options, identifierOf(asked.c));
        return Response.json(await createTicket(options, creation));
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 422) throw error;
        throw new Refusal(302, error.message, error.extra);
      }
    }),
  );
  routes.get(
    "/tickets/:id/history",
    handling(options, "ticketing.history", async (asked) => {
      const page = await readPage(queryBy(paging, asked), async (limit, offset) =>
        readHistory(database.kysely, await ticketId(asked), limit, offset),
      );
      return Response.json(page);
    }),
  );
  return routes;
}

async function creationOf(asked: ApiRequest, options: TicketingOptions, parent: string | null) {
  const ticket = await bodyBy(newTicket, asked, options);
  return { project: asked.project, ticket, parent, idempotencyKey: keyOf(asked) };
}

/** A domain key's are kept from those of others. */
function keyOf({ c, domainKey }: ApiRequest): string | null {
  const key = c.req.header("idempotency-key")?.trim() ?? "";
  if (key === "") return null;
  return domainKey === null ? key : `${domainKey} ${key}`;
}

function identifierOf(c: ApiRequest["c"]): string {
  return c.req.param("id") ?? "";
}

interface ReplyCreation {
  readonly project: string;
  readonly ticket: string;
  readonly reply: NewReply;
  readonly idempotencyKey: string | null;
}

/** Adds a reply. Throws 404, 409 for a closed ticket, 410, 422. */
async function createReply(
  options: TicketingOptions,
  { project, ticket, reply, idempotencyKey }: ReplyCreation,
): Promise<object> {
  const { database, now, wire } = options;
  const request = JSON.stringify(["reply", ticket, reply]);
  const id = await database.durable(async (queries) => {
    const about = await idOf(queries, "tickets", project, ticket);
    return createdOnce(queries, { project, key: idempotencyKey, request, now: now() }, () =>
      insertReply(queries, options, project, about, reply),
    );
  });
  const row = database.kysely.selectFrom("replies").select("hash_uuid").where("id", "=", id);
  return createdAnswer(wire, id, (await row.executeTakeFirstOrThrow()).hash_uuid);
}

async function insertReply(
  queries: Queries,
  { now, random }: TicketingOptions,
  project: string,
  ticket: number,
  reply: NewReply,
): Promise<number> {
  const at = now();
  const about = await lockedRow(queries, ticket);
  if (about.status === 5) {
    throw new Refusal(409, "The ticket is closed: create a new one, with this one as its parent.");
  }
  const creator = await userOf(queries, project, "creator", reply.creator);
  const type = creator === about.creator ? "reply" : "answer";
  const { id } = await queries
    .insertInto("replies")
    .values({
      project,
      hash_uuid: uuidFrom(random(16)),
      ticket,
      creator,
      message: storable(reply.message),
      type,
      created: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const media = [...(reply.attachments ?? []), ...inlineMedia(reply.message)];
  await attach(queries, project, media, { ticket, reply: id, now: at });
  const reopened = about.status === 4 && type === "reply";
  await queries
    .updateTable("tickets")
    .set({ updated: at, ...(reopened && { status: 2 }) })
    .where("id", "=", ticket)
    .execute();
  const records = [
    { action: type, after: id } as const,
    ...(reopened
      ? [{ action: "reopen", field: "status", before: about.status, after: 2 } as const]
      : []),
  ];
  await recordChanges(queries, { project, ticket, actor: creator }, at, records);
  await queueEvent(queries, project, at, {
    id,
    item: "reply",
    action: "add",
    actor: creator,
    parent: ticket,
  });
  return id;
}

/** Replies of a ticket, oldest first. */
async function listReplies(
  queries: Queries,
  ticket: number,
  limit: number,
  offset: number,
): Promise<readonly TicketReply[]> {
  const rows = await queries
    .selectFrom("replies")
    .selectAll()
    .where("ticket", "=", ticket)
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
  const files = Map.groupBy(await attachmentsOf(queries, [ticket]), ({ reply }) => reply);
  return rows.map((row) => ({
    id: row.id,
    hash_uuid: row.hash_uuid,
    ticket: row.ticket,
    creator: row.creator,
    message: row.message,
    type: row.type === "reply" ? "reply" : "answer",
    attachments: (files.get(row.id) ?? []).map(({ id, hash_uuid, name }) => ({
      id,
      hash_uuid,
      name,
    })),
    created: Math.floor(row.created / 1000),
  }));
}
