import { sql, type AliasedExpression, type Selectable } from "kysely";
import type { BackendDatabase } from "../storage/tables/database.ts";
import type { Ticket } from "../../api/ticketing/answers.ts";
import type { TicketListing } from "../../api/ticketing/schema.ts";
import { findId } from "./identity.ts";
import type { IdentifiedTable } from "./identity.ts";
import { toIqlFilter } from "./iql/to-filter.ts";
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
      : ownChoice;
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
    // Nobody's id is nobody's ticket: an empty list, as for any other value that nothing has.
    query = query.where(name, "=", id ?? -1);
  }
  for (const column of new Set([order.column, "id"] as const)) {
    query = query.orderBy(path.sorts ? sql`+${sql.ref(column)}` : column, order.direction);
  }
  // First which rows, then the rows: skipped ones are not read, and sorting stays small.
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

export type TicketColumn = keyof TicketTable;
export type ListOrder = "id" | "created" | "updated";

/**
 * How SQLite is to find the tickets of a list. Without statistics of the table, which nobody makes
 * for it, it would take the index that has the order whatever the filter is, and read a million
 * rows for a single one.
 */
interface ListPath {
  /** The index that is read from end to end, as it has all columns that are needed; or null. */
  readonly index: `tickets_by_${ListOrder}` | null;
  /** True: the found rows are sorted. Else the index has the order. */
  readonly sorts: boolean;
}

// Few tickets share a value of each of these, and each has an index.
const fewEach: readonly TicketColumn[] = [
  "id",
  "hash_uuid",
  "external_id",
  "creator",
  "solver",
  "parent",
];
// The columns that every index of an order holds (migration 0007).
const held: readonly TicketColumn[] = [
  "project",
  "id",
  "status",
  "queue",
  "source",
  "classification",
];

/** For a database that knows what its tables hold. */
const ownChoice: ListPath = { index: null, sorts: false };

/**
 * @param asked every column that the filter names @param fixed those of them that must have one
 * value
 */
export function pathOf(
  order: ListOrder,
  asked: Iterable<TicketColumn>,
  fixed: ReadonlySet<TicketColumn>,
): ListPath {
  if (fewEach.some((column) => fixed.has(column))) return { index: null, sorts: true };
  const whole = [...asked].every((column) => column === order || held.includes(column));
  // Rows that must be read after all are read in the order in which they lie on the disk.
  return whole || order === "id"
    ? { index: `tickets_by_${order}`, sorts: false }
    : { index: "tickets_by_id", sorts: true };
}

/** The table, with the index that SQLite must use. */
function hintIndex({ index }: ListPath): AliasedExpression<Selectable<TicketTable>, "tickets"> {
  const name = index === null ? sql`tickets` : sql`tickets INDEXED BY ${sql.ref(index)}`;
  return sql<Selectable<TicketTable>>`tickets`.as<"tickets">(name);
}
