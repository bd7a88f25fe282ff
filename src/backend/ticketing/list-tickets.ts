import type { Ticket, TicketListing, TicketSort } from "../../wire/ticketing/types.ts";
import { findId } from "./identity.ts";
import type { Identified, Queries } from "./identity.ts";
import { iqlFilter } from "./iql/to-filter.ts";
import { pageBounds, toPage } from "../paging.ts";
import { Refusal } from "../refusal.ts";
import { toTickets } from "./ticket-rows.ts";

const numbers = ["queue", "status", "source", "classification"] as const;
const identified: readonly (readonly ["creator" | "solver" | "parent", Identified])[] = [
  ["creator", "users"],
  ["solver", "users"],
  ["parent", "tickets"],
];

/** One page of tickets. With `iql` every other filter is refused (ticketing.md 6). */
export async function listTickets(
  queries: Queries,
  project: string,
  listing: TicketListing,
): Promise<{ readonly data: readonly Ticket[]; readonly hasMore: boolean }> {
  const { length, limit, offset } = pageBounds(listing);
  let query = queries.selectFrom("tickets").selectAll().where("project", "=", project);
  if (listing.iql !== undefined) {
    const others = ["external_id", ...numbers, "creator", "solver", "parent"] as const;
    const other = others.find((name) => listing[name] !== undefined);
    if (other !== undefined)
      throw new Refusal(422, `${other}: cannot stand beside iql: put it into iql`);
    query = query.where(iqlFilter(listing.iql));
  }
  if (listing.external_id !== undefined) {
    query = query.where("external_id", "=", listing.external_id);
  }
  for (const name of numbers) {
    const value = listing[name];
    if (value !== undefined) query = query.where(name, "=", value);
  }
  for (const [name, table] of identified) {
    const identifier = listing[name];
    if (identifier === undefined) continue;
    const id = await findId(queries, table, project, identifier);
    // Nobody's id is nobody's ticket: an empty list, as for any other value that nothing has.
    query = query.where(name, "=", id ?? -1);
  }
  const { column, direction } = orderOf(listing.sort ?? "id");
  const rows = await query
    .orderBy(column, direction)
    .orderBy("id", direction)
    .limit(limit)
    .offset(offset)
    .execute();
  const page = toPage(rows, length);
  return { data: await toTickets(queries, page.data), hasMore: page.hasMore };
}

function orderOf(sort: TicketSort): {
  readonly column: "id" | "created" | "updated";
  readonly direction: "asc" | "desc";
} {
  const name = sort.replace(/^-/, "");
  return {
    column: name === "created" ? "created" : name === "last_update" ? "updated" : "id",
    direction: sort.startsWith("-") ? "desc" : "asc",
  };
}
