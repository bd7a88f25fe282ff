import type { ChatTicket } from "../../../api/chat/answers-tickets.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { listQueues } from "../../ticketing/queues.ts";
import type { TicketRow } from "../../ticketing/ticket-rows.ts";

type Change = ChatTicket["changes"][number];

/**
 * Reads the changes of a ticket except replies, oldest first, and the number of the last event.
 * Merged tickets count for this number, but their states and assignees are not changes of this one.
 */
export async function readChanges(
  queries: Queries,
  { project, id: ticket }: Pick<TicketRow, "project" | "id">,
  merged: readonly number[],
): Promise<{ readonly changes: readonly Change[]; readonly seen: number }> {
  const rows = await queries
    .selectFrom("ticket_events")
    .selectAll()
    .where("ticket", "in", [ticket, ...merged])
    .orderBy("id")
    .execute();
  const shown = rows.flatMap((row) =>
    row.field === null || row.ticket !== ticket
      ? []
      : [{ ...row, field: FIELDS.get(row.field) ?? row.field }],
  );
  const named = shown.flatMap(({ field, before, after, actor }) => [
    ...(actor === null ? [] : [actor]),
    ...(field === "assignee" ? [before, after].flatMap((id) => id ?? []).map(Number) : []),
  ]);
  const names = await namesOf(queries, new Set(named));
  const isMoved = shown.some(({ field }) => field === "queue");
  const queues = new Map(
    (isMoved ? await listQueues(queries, project) : []).map(({ id, name }) => [id, name]),
  );
  const toText = (field: string, value: string | null): string => {
    if (field === "assignee") return names.get(Number(value)) ?? "";
    const queue = field === "queue" ? queues.get(Number(value)) : undefined;
    return queue ?? value ?? "";
  };
  const changes = shown.map(({ field, before, after, actor, at }) => ({
    field,
    from: toText(field, before),
    to: toText(field, after),
    user: actor === null ? "" : (names.get(actor) ?? ""),
    created: Math.floor(at / 1000),
  }));
  return { changes, seen: rows.at(-1)?.id ?? 0 };
}

/** Fields with another name at the desk. */
const FIELDS: ReadonlyMap<string, string> = new Map([["solver", "assignee"]]);

async function namesOf(
  queries: Queries,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  if (ids.size === 0) return new Map();
  const rows = await queries
    .selectFrom("users")
    .select(["id", "name"])
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
