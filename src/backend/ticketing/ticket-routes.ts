import { Hono } from "hono";
import {
  newReply,
  newTicket,
  paging,
  ticketChange,
  ticketListing,
} from "../../api/ticketing/schema.ts";
import { changeTicket } from "./change-ticket.ts";
import type { TicketingOptions } from "./context.ts";
import { createTicket, requireUuids } from "./create-ticket.ts";
import { bodyBy, createHandler, parseQuery } from "../auth/handling.ts";
import type { ApiRequest } from "../auth/handling.ts";
import { answersFor, idOf } from "./identity.ts";
import { listTickets } from "./list-tickets.ts";
import { readPage } from "../http/paging.ts";
import { Refusal } from "../http/refusal.ts";
import { createReply, listReplies } from "./replies.ts";
import { readTicket, readHistory } from "./ticket-rows.ts";

/** Tickets, their replies, parts and history. */
export function createTicketRoutes(options: TicketingOptions): Hono {
  const { database } = options;
  const routes = new Hono({ strict: false });
  const create = createHandler(options, "ticketing.createTicket", async (asked) => {
    const creation = await creationOf(asked, options, null);
    requireUuids(asked, creation.ticket);
    return Response.json(await createTicket(answersFor(options, asked), creation));
  });
  const readTicketId = ({ c, project }: ApiRequest): Promise<number> =>
    idOf(database.kysely, "tickets", project, identifierOf(c));

  routes.post("/tickets", create);
  routes.post("/tickets/public", create);
  routes.get(
    "/tickets",
    createHandler(options, "ticketing.tickets", async (asked) =>
      Response.json(await listTickets(database, asked.project, parseQuery(ticketListing, asked))),
    ),
  );
  routes.get(
    "/tickets/:id",
    createHandler(options, "ticketing.ticket", async (asked) =>
      Response.json(await readTicket(database.kysely, await readTicketId(asked))),
    ),
  );
  routes.put(
    "/tickets/:id",
    createHandler(options, "ticketing.changeTicket", async (asked) => {
      const change = await bodyBy(ticketChange, asked, options);
      return Response.json(
        await changeTicket(options, asked.project, identifierOf(asked.c), change),
      );
    }),
  );
  routes.post(
    "/tickets/:id/replies",
    createHandler(options, "ticketing.createReply", async (asked) => {
      const reply = await bodyBy(newReply, asked, options);
      const creation = { project: asked.project, ticket: identifierOf(asked.c), reply };
      return Response.json(
        await createReply(options, { ...creation, idempotencyKey: keyOf(asked) }),
      );
    }),
  );
  routes.get(
    "/tickets/:id/replies",
    createHandler(options, "ticketing.replies", async (asked) => {
      const page = await readPage(parseQuery(paging, asked), async (limit, offset) =>
        listReplies(database.kysely, await readTicketId(asked), limit, offset),
      );
      return Response.json(page);
    }),
  );
  // 302 for invalid data since 2023-11-14 (ticketing.md 2), without a Location that clients follow.
  routes.post(
    "/tickets/:id/subtickets",
    createHandler(options, "ticketing.createSubticket", async (asked) => {
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
    createHandler(options, "ticketing.history", async (asked) => {
      const page = await readPage(parseQuery(paging, asked), async (limit, offset) =>
        readHistory(database.kysely, await readTicketId(asked), limit, offset),
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
