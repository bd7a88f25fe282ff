import { sql } from "kysely";
import type { Expression, SqlBool } from "kysely";
import type { ChatTicketCounts, ChatTicketLine } from "../../../api/chat/answers-tickets.ts";
import type { TicketFilter } from "../../../api/chat/schema-tickets.ts";
import { TICKET_VIEWS, type TicketView } from "../../../api/chat/states.ts";
import { storable } from "../../../storage/storable.ts";
import { type Page, readPage } from "../../http/paging.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { fullUuid } from "../../ticketing/identity.ts";
import { listQueues } from "../../ticketing/queues.ts";
import { tagsOf } from "../../ticketing/tags.ts";
import { statusOf } from "../../ticketing/ticket-rows.ts";
import type { TicketAccess } from "./access.ts";

/** States of the tickets of each view; `mine` has those of the agent. */
const STATES: Readonly<Record<TicketView, readonly number[]>> = {
  new: [1],
  mine: [1, 2, 3],
  open: [2],
  waiting: [3],
  solved: [4, 5],
  all: [1, 2, 3, 4, 5],
};

/** One page of the tickets that an agent may read, the latest change first. */
export async function listTicketLines(
  queries: Queries,
  access: TicketAccess,
  { view, status, ...filter }: TicketFilter,
): Promise<Page<ChatTicketLine>> {
  let query = selectLines(queries, access.project).where(found(access, filter));
  if (view !== undefined) query = query.where(inView(access, view));
  if (status !== undefined) query = query.where("tickets.status", "=", status);
  const { data, hasMore } = await readPage(filter, (limit, offset) =>
    query
      .orderBy("tickets.updated", "desc")
      .orderBy("tickets.id", "desc")
      .limit(limit)
      .offset(offset)
      .execute(),
  );
  return { data: await toLines(queries, access.project, data), hasMore };
}

/** How many tickets each view has, those that the filter finds; counted up to a thousand. */
export async function countTickets(
  queries: Queries,
  access: TicketAccess,
  filter: TicketFilter,
): Promise<ChatTicketCounts> {
  const counts = await Promise.all(
    TICKET_VIEWS.map(async (view) => {
      const some = selectLines(queries, access.project)
        .where(found(access, filter))
        .where(inView(access, view))
        .clearSelect()
        .select("tickets.id")
        .limit(MOST_COUNTED);
      const { count } = await queries
        .selectFrom(some.as("some"))
        .select((builder) => builder.fn.countAll<number | string>().as("count"))
        .executeTakeFirstOrThrow();
      return [view, Number(count)] as const;
    }),
  );
  const all = new Map(counts);
  const of = (view: TicketView): number => all.get(view) ?? 0;
  return {
    new: of("new"),
    mine: of("mine"),
    open: of("open"),
    waiting: of("waiting"),
    solved: of("solved"),
    all: of("all"),
  };
}

const MOST_COUNTED = 1_000;

function inView({ agent }: TicketAccess, view: TicketView): Expression<SqlBool> {
  const states = sql<SqlBool>`tickets.status IN (${sql.join(STATES[view])})`;
  return view === "mine" ? sql<SqlBool>`(${states} AND solvers.agent = ${agent})` : states;
}

/** What an agent may read, and what a search finds of it. */
function found(
  { view }: TicketAccess,
  { search = "", tag }: Pick<TicketFilter, "search" | "tag">,
): Expression<SqlBool> {
  const conditions = search.split(/\s+/).flatMap((word) => {
    if (word === "") return [];
    // The signs before a ticket's number are not stored.
    const part = storable(word.replace(/^\w{3}(-\d+)$/, "$1"));
    const pattern = `%${part.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`;
    return [sql<SqlBool>`lower(${SEARCHED}) LIKE lower(${pattern}) ESCAPE ${"\\"}`];
  });
  if (view !== null) conditions.push(sql<SqlBool>`tickets.queue IN (${sql.join([...view])})`);
  if (tag !== undefined) {
    conditions.push(
      sql<SqlBool>`EXISTS (SELECT 1 FROM ticket_tags WHERE ticket_tags.ticket = tickets.id AND tag = ${storable(tag)})`,
    );
  }
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql.join(conditions, sql` AND `);
}

const SEARCHED = sql`tickets.title || ' ' || users.name || ' ' || users.address || ' -' || tickets.id`;

/** Tickets with the names of who asked and who is to answer. */
export function selectLines(queries: Queries, project: string) {
  return queries
    .selectFrom("tickets")
    .innerJoin("users", "users.id", "tickets.creator")
    .leftJoin("users as solvers", "solvers.id", "tickets.solver")
    .select(["tickets.id", "tickets.hash_uuid", "tickets.title", "tickets.status"])
    .select(["tickets.queue", "tickets.language", "tickets.created", "tickets.updated"])
    .select(["users.name", "users.address"])
    .select(["solvers.id as solver", "solvers.name as solver_name", "solvers.agent"])
    .where("tickets.project", "=", project);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectLines>["execute"]>>[number];

/** Tickets as lists show them. */
export async function toLines(
  queries: Queries,
  project: string,
  rows: readonly Row[],
): Promise<readonly ChatTicketLine[]> {
  const queues = await listQueues(queries, project);
  const names = new Map(queues.map(({ id, name }) => [id, name]));
  const tags = await tagsOf(
    queries,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    number: fullUuid(row.id, row.hash_uuid),
    title: row.title,
    status: statusOf(row.status),
    queue: names.get(row.queue) ?? String(row.queue),
    user: row.name,
    language: row.language,
    assignee: row.solver === null ? null : { id: row.agent, name: row.solver_name ?? "" },
    tags: tags.get(row.id) ?? [],
    created: Math.floor(row.created / 1000),
    updated: Math.floor(row.updated / 1000),
  }));
}
