import { sql } from "kysely";
import type { AliasedExpression, Selectable } from "kysely";
import type { TicketTable } from "../storage/tables/ticketing.ts";

export type TicketColumn = keyof TicketTable;
export type ListOrder = "id" | "created" | "updated";

/**
 * How SQLite is to find the tickets of a list. Without statistics of the table, which nobody makes
 * for it, it would take the index that has the order whatever the filter is, and read a million
 * rows for a single one.
 */
export interface ListPath {
  /** The index that is read from end to end, or null: the one that has what is asked for. */
  readonly index: `tickets_by_${ListOrder}` | null;
  /** True: what was found is sorted. Else the index has the order. */
  readonly sorts: boolean;
}

// Of each of their values there are few tickets, and each has an index.
const fewEach: readonly TicketColumn[] = [
  "id",
  "hash_uuid",
  "external_id",
  "creator",
  "solver",
  "parent",
];
// What every index of an order holds (migration 0007).
const held: readonly TicketColumn[] = [
  "project",
  "id",
  "status",
  "queue",
  "source",
  "classification",
];

/** For a database that knows what its tables hold. */
export const ownChoice: ListPath = { index: null, sorts: false };

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
  // Where rows must be read after all, they are read in the order in which they lie on the disk.
  return whole || order === "id"
    ? { index: `tickets_by_${order}`, sorts: false }
    : { index: "tickets_by_id", sorts: true };
}

/** The table, with the index that SQLite must use. */
export function hinted({ index }: ListPath): AliasedExpression<Selectable<TicketTable>, "tickets"> {
  const name = index === null ? sql`tickets` : sql`tickets INDEXED BY ${sql.ref(index)}`;
  return sql<Selectable<TicketTable>>`tickets`.as<"tickets">(name);
}
