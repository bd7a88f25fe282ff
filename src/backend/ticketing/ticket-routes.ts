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
  const create = createHandler(options, "ticketing.createTicket", async (request) => {
    const creation = await creationOf(request, options, null);
    requireUuids(request, creation.ticket);
    return Response.json(await createTicket(answersFor(options, request), creation));
  });
  const readTicketId = ({ c, project }: ApiRequest): Promise<number> =>
    idOf(database.kysely, "tickets", project, identifierOf(c));

  routes.post("/tickets", create);
  routes.post("/tickets/public", create);
  routes.get(
    "/tickets",
    createHandler(options, "ticketing.tickets", async (request) =>
      Response.json(
        await listTickets(database, request.project, parseQuery(ticketListing, request)),
      ),
    ),
  );
  routes.get(
    "/tickets/:id",
    createHandler(options, "ticketing.ticket", async (request) =>
      Response.json(await readTicket(database.kysely, await readTicketId(request))),
    ),
  );
  routes.put(
    "/tickets/:id",
    createHandler(options, "ticketing.changeTicket", async (request) => {
      const change = await bodyBy(ticketChange, request, options);
      return Response.json(
        await changeTicket(options, request.project, identifierOf(request.c), change),
      );
    }),
  );
  routes.post(
    "/tickets/:id/replies",
    createHandler(options, "ticketing.createReply", async (request) => {
      const reply = await bodyBy(newReply, request, options);
      const creation = { project: request.project, ticket: identifierOf(request.c), reply };
      return Response.json(
        await createReply(options, { ...creation, idempotencyKey: keyOf(request) }),
      );
    }),
  );
  routes.get(
    "/tickets/:id/replies",
    createHandler(options, "ticketing.replies", async (request) => {
      const page = await readPage(parseQuery(paging, request), async (limit, offset) =>
        listReplies(database.kysely, await readTicketId(request), limit, offset),
      );
      return Response.json(page);
    }),
  );
  // 302 for invalid data since 2023-11-14 (ticketing.md 2), without a Location that clients follow.
  routes.post(
    "/tickets/:id/subtickets",
    createHandler(options, "ticketing.createSubticket", async (request) => {
      try {
        const creation = await creationOf(request, options, identifierOf(request.c));
        return Response.json(await createTicket(options, creation));
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 422) throw error;
        throw new Refusal(302, error.message, error.extra);
      }
    }),
  );
  routes.get(
    "/tickets/:id/history",
    createHandler(options, "ticketing.history", async (request) => {
      const page = await readPage(parseQuery(paging, request), async (limit, offset) =>
        readHistory(database.kysely, await readTicketId(request), limit, offset),
      );
      return Response.json(page);
    }),
  );
  return routes;
}

async function creationOf(request: ApiRequest, options: TicketingOptions, parent: string | null) {
  const ticket = await bodyBy(newTicket, request, options);
  return { project: request.project, ticket, parent, idempotencyKey: keyOf(request) };
}

/** Reads the idempotency key. Keys of domain keys are separate from those of other callers. */
function keyOf({ c, domainKey }: ApiRequest): string | null {
  const key = c.req.header("idempotency-key")?.trim() ?? "";
  if (key === "") return null;
  return domainKey === null ? key : `${domainKey} ${key}`;
}

function identifierOf(c: ApiRequest["c"]): string {
  return c.req.param("id") ?? "";
}
