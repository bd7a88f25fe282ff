import { sql } from "kysely";
import type { BackendDatabase } from "../storage/tables/database.ts";
import type { Ticket, TicketListing, TicketSort } from "../../api/ticketing/types.ts";
import { findId } from "./identity.ts";
import type { Identified } from "./identity.ts";
import { iqlFilter } from "./iql/to-filter.ts";
import { hinted, ownChoice, pathOf } from "./list-path.ts";
import type { ListOrder } from "./list-path.ts";
import { pageBounds, toPage } from "../paging.ts";
import { Refusal } from "../refusal.ts";
import { toTickets } from "./ticket-rows.ts";

const numbers = ["queue", "status", "source", "classification"] as const;
const identified: readonly (readonly ["creator" | "solver" | "parent", Identified])[] = [
  ["creator", "users"],
  ["solver", "users"],
  ["parent", "tickets"],
];
const filters = ["external_id", ...numbers, "creator", "solver", "parent"] as const;

/** One page of tickets. With `iql` every other filter is refused (ticketing.md 6). */
export async function listTickets(
  { kysely: queries, dialect }: Pick<BackendDatabase, "kysely" | "dialect">,
  project: string,
  listing: TicketListing,
): Promise<{ readonly data: readonly Ticket[]; readonly hasMore: boolean }> {
  const { length, limit, offset } = pageBounds(listing);
  const iql = listing.iql === undefined ? null : iqlFilter(listing.iql);
  if (iql !== null) refuseOthers(listing);
  const order = orderOf(listing.sort ?? "id");
  const named = new Set(filters.filter((name) => listing[name] !== undefined));
  const path =
    dialect === "sqlite"
      ? pathOf(order.column, iql?.columns ?? named, iql?.fixed ?? named)
      : ownChoice;
  let page = queries.selectFrom(hinted(path)).select("id").where("project", "=", project);
  if (iql !== null) page = page.where(iql.where);
  if (listing.external_id !== undefined) {
    page = page.where("external_id", "=", listing.external_id);
  }
  for (const name of numbers) {
    const value = listing[name];
    if (value !== undefined) page = page.where(name, "=", value);
  }
  for (const [name, table] of identified) {
    const identifier = listing[name];
    if (identifier === undefined) continue;
    const id = await findId(queries, table, project, identifier);
    // Nobody's id is nobody's ticket: an empty list, as for any other value that nothing has.
    page = page.where(name, "=", id ?? -1);
  }
  for (const column of new Set([order.column, "id"] as const)) {
    page = page.orderBy(path.sorts ? sql`+${sql.ref(column)}` : column, order.direction);
  }
  // Which rows, and only then the rows: those that are passed over are not read, and what is sorted
  // is small.
  const rows = await queries
    .selectFrom("tickets")
    .selectAll()
    .where("id", "in", page.limit(limit).offset(offset))
    .orderBy(order.column, order.direction)
    .orderBy("id", order.direction)
    .execute();
  const { data, hasMore } = toPage(rows, length);
  return { data: await toTickets(queries, data), hasMore };
}

function refuseOthers(listing: TicketListing): void {
  const other = filters.find((name) => listing[name] !== undefined);
  if (other === undefined) return;
  throw new Refusal(422, `${other}: cannot stand beside iql: put it into iql`);
}

function orderOf(sort: TicketSort): {
  readonly column: ListOrder;
  readonly direction: "asc" | "desc";
} {
  const name = sort.replace(/^-/, "");
  return {
    column: name === "created" ? "created" : name === "last_update" ? "updated" : "id",
    direction: sort.startsWith("-") ? "desc" : "asc",
  };
}
