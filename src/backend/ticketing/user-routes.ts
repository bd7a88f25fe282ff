import { Hono } from "hono";
import { addressQuery, newUser, userChange, userListing } from "../../api/ticketing/schema.ts";
import type { TicketingOptions } from "./context.ts";
import { bodyBy, createHandler, parseQuery } from "../auth/handling.ts";
import { answersFor, idOf } from "./identity.ts";
import { readPage } from "../http/paging.ts";
import { changeUser, createUser, keyOf, readUser, toUser } from "./users.ts";

/** POST, GET and PUT /users, and GET /users/public. */
export function createUserRoutes(options: TicketingOptions): Hono {
  const { database } = options;
  const routes = new Hono({ strict: false });

  routes.post(
    "/users",
    createHandler(options, "ticketing.createUser", async (request) =>
      Response.json(
        await createUser(
          answersFor(options, request),
          request,
          await bodyBy(newUser, request, options),
        ),
      ),
    ),
  );

  routes.get(
    "/users",
    createHandler(options, "ticketing.users", async (request) => {
      const filter = parseQuery(userListing, request);
      let query = database.kysely
        .selectFrom("users")
        .select("id")
        .where("project", "=", request.project);
      if (filter.address !== undefined) {
        query = query.where("address_key", "=", keyOf(filter.address));
      }
      if (filter.name !== undefined) query = query.where("name", "=", filter.name);
      if (filter.hash_uuid !== undefined) query = query.where("hash_uuid", "=", filter.hash_uuid);
      if (filter.id !== undefined) {
        const id = /^\d{1,15}$/.test(filter.id) ? Number(filter.id) : -1;
        query = query.where("id", "=", id);
      }
      // Ids are selected first, so that skipped rows are not read.
      const { data, hasMore } = await readPage(filter, (limit, offset) =>
        database.kysely
          .selectFrom("users")
          .selectAll()
          .where("id", "in", query.orderBy("id").limit(limit).offset(offset))
          .orderBy("id")
          .execute(),
      );
      return Response.json({ data: data.map((row) => toUser(row)), hasMore });
    }),
  );

  routes.get(
    "/users/public",
    createHandler(options, "ticketing.publicUser", async (request) => {
      const { address } = parseQuery(addressQuery, request);
      const data = await database.kysely
        .selectFrom("users")
        .select(["name", "address", "hash_uuid"])
        .where("project", "=", request.project)
        .where("address_key", "=", keyOf(address))
        .execute();
      return Response.json({ data, hasMore: false });
    }),
  );

  routes.get(
    "/users/:id",
    createHandler(options, "ticketing.user", async ({ c, project }) => {
      const id = await idOf(database.kysely, "users", project, c.req.param("id") ?? "");
      return Response.json(await readUser(database.kysely, id));
    }),
  );

  routes.put(
    "/users/:id",
    createHandler(options, "ticketing.changeUser", async (request) => {
      const change = await bodyBy(userChange, request, options);
      const identifier = request.c.req.param("id") ?? "";
      return Response.json(await changeUser(options, request.project, identifier, change));
    }),
  );

  return routes;
}
