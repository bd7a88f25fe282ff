import { sql, type AliasedExpression, type Selectable } from "kysely";
import type { BackendDatabase } from "../storage/tables/database.ts";
import type { Ticket } from "../../api/ticketing/answers.ts";
import type { TicketListing } from "../../api/ticketing/schema.ts";
import { findId } from "./identity.ts";
import type { IdentifiedTable } from "./identity.ts";
import { type TicketColumn, toIqlFilter } from "./iql/to-filter.ts";
import { type Page, readPage } from "../http/paging.ts";
import { Refusal } from "../http/refusal.ts";
import { toTickets } from "./ticket-rows.ts";
import type { TicketTable } from "../storage/tables/ticketing.ts";

const numbers = ["queue", "status", "source", "classification"] as const;
const identified: readonly (readonly ["creator" | "solver" | "parent", IdentifiedTable])[] = [
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
): Promise<Page<Ticket>> {
  const iql = listing.iql === undefined ? null : toIqlFilter(listing.iql);
  if (iql !== null) refuseOthers(listing);
  const order = orderOf(listing.sort ?? "id");
  const named = new Set(filters.filter((name) => listing[name] !== undefined));
  const path =
    dialect === "sqlite"
      ? pathOf(order.column, iql?.columns ?? named, iql?.fixed ?? named)
      : DATABASE_CHOICE;
  let query = queries.selectFrom(hintIndex(path)).select("id").where("project", "=", project);
  if (iql !== null) query = query.where(iql.where);
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
    // An unknown user or parent matches no ticket, like any other value that no ticket has.
    query = query.where(name, "=", id ?? -1);
  }
  for (const column of new Set([order.column, "id"] as const)) {
    query = query.orderBy(path.sorts ? sql`+${sql.ref(column)}` : column, order.direction);
  }
  // Ids are selected first and rows then, so that skipped rows are not read, and only ids are sorted.
  const { data, hasMore } = await readPage(listing, (limit, offset) =>
    queries
      .selectFrom("tickets")
      .selectAll()
      .where("id", "in", query.limit(limit).offset(offset))
      .orderBy(order.column, order.direction)
      .orderBy("id", order.direction)
      .execute(),
  );
  return { data: await toTickets(queries, data), hasMore };
}

function refuseOthers(listing: TicketListing): void {
  const other = filters.find((name) => listing[name] !== undefined);
  if (other === undefined) return;
  throw new Refusal(422, `${other}: cannot stand beside iql: put it into iql`);
}

function orderOf(sort: NonNullable<TicketListing["sort"]>): {
  readonly column: ListOrder;
  readonly direction: "asc" | "desc";
} {
  const name = sort.replace(/^-/, "");
  return {
    column: name === "created" ? "created" : name === "last_update" ? "updated" : "id",
    direction: sort.startsWith("-") ? "desc" : "asc",
  };
}

export type ListOrder = "id" | "created" | "updated";

/**
 * How SQLite must find the tickets of a list. No statistics are collected, and without them SQLite
 * follows the index of the order whatever the filter is, and reads a million rows to find one.
 */
interface ListPath {
  /** The index to scan completely, as it covers all needed columns; or null. */
  readonly index: `tickets_by_${ListOrder}` | null;
  /** True if SQLite sorts the rows it found. False if the index already has the order. */
  readonly sorts: boolean;
}

// Few tickets share a value in one of these columns, and each column has an index.
const SELECTIVE_COLUMNS: readonly TicketColumn[] = [
  "id",
  "hash_uuid",
  "external_id",
  "creator",
  "solver",
  "parent",
];
// The columns of every `tickets_by_…` index.
const COVERED_COLUMNS: readonly TicketColumn[] = [
  "project",
  "id",
  "status",
  "queue",
  "source",
  "classification",
];

/** Leaves the choice to the database, for one that collects statistics. */
const DATABASE_CHOICE: ListPath = { index: null, sorts: false };

/**
 * Chooses how SQLite must find tickets.
 *
 * @param asked every column that the filter names
 * @param fixed the columns among them that must equal one value
 */
export function pathOf(
  order: ListOrder,
  asked: Iterable<TicketColumn>,
  fixed: ReadonlySet<TicketColumn>,
): ListPath {
  if (SELECTIVE_COLUMNS.some((column) => fixed.has(column))) return { index: null, sorts: true };
  const whole = [...asked].every((column) => column === order || COVERED_COLUMNS.includes(column));
  // If no index covers the filter, the table itself is read in the order of the disk.
  return whole || order === "id"
    ? { index: `tickets_by_${order}`, sorts: false }
    : { index: "tickets_by_id", sorts: true };
}

/** Returns the table with the index that SQLite must use. */
function hintIndex({ index }: ListPath): AliasedExpression<Selectable<TicketTable>, "tickets"> {
  const name = index === null ? sql`tickets` : sql`tickets INDEXED BY ${sql.ref(index)}`;
  return sql<Selectable<TicketTable>>`tickets`.as<"tickets">(name);
}
