import { sql } from "kysely";
import type { Expression, SqlBool } from "kysely";
import type { ChatTicketCounts, ChatTicketLine } from "../../../api/chat/answers-tickets.ts";
import type { TicketFilter } from "../../../api/chat/schema-tickets.ts";
import { TICKET_VIEWS, type TicketOrder, type TicketView } from "../../../api/chat/states.ts";
import { toStorable } from "../../../storage/storable.ts";
import { type Page, readPage } from "../../http/paging.ts";
import { Refusal } from "../../http/refusal.ts";
import {
  hasTextWith,
  isWithin,
  readExcerpts,
  searchTermsOf,
  weighTerms,
} from "../../storage/search-index.ts";
import type { BackendDatabase, Queries } from "../../storage/tables/database.ts";
import { toFullUuid } from "../../ticketing/identity.ts";
import { listQueues } from "../../ticketing/queues.ts";
import { tagsOf } from "../../ticketing/tags.ts";
import { statusOf } from "../../ticketing/ticket-rows.ts";
import type { TicketAccess } from "./access.ts";
import { HAS_NOBODY } from "./solver.ts";

/** Ticket states by view. `mine` has only the agent's tickets, `new` also unassigned open ones. */
const STATES: Readonly<Record<TicketView, readonly number[]>> = {
  new: [1, 2],
  mine: [1, 2, 3],
  open: [2],
  waiting: [3],
  solved: [4, 5],
  all: [1, 2, 3, 4, 5],
};

/** A filter with a person's addresses instead of the person's id. */
export type LineFilter = Omit<TicketFilter, "person"> & {
  readonly addresses?: readonly string[] | undefined;
};

/** Reads one page of the tickets that an agent may read, by their last change. */
export async function listTicketLines(
  database: BackendDatabase,
  access: TicketAccess,
  { view, status, order = "newest", ...filter }: LineFilter,
): Promise<Page<ChatTicketLine> & { readonly next: string | null }> {
  const { kysely: queries, dialect } = database;
  const matches = await matchesSearch(database, access, filter);
  let query = selectLines(queries, access.project).where(matches);
  if (filter.after !== undefined) query = query.where(isAfter(filter.after, order));
  if (view !== undefined) query = query.where(matchesView(access, view));
  if (status !== undefined) query = query.where("tickets.status", "=", status);
  const direction = order === "oldest" ? "asc" : "desc";
  const { data, hasMore } = await readPage(filter, (limit, offset) =>
    query
      .orderBy("tickets.updated", direction)
      .orderBy("tickets.id", direction)
      .limit(limit)
      .offset(offset)
      .execute(),
  );
  const terms = searchTermsOf(filter.search) ?? [];
  const subjects = data.map(({ id }) => id);
  const excerpts = await readExcerpts(queries, dialect, { kinds: KINDS, subjects, terms });
  const last = data.at(-1);
  const lines = await toLines(queries, access.project, data);
  return {
    data: lines.map((line) => {
      const excerpt = excerpts.get(line.id);
      return { ...line, ...(excerpt !== undefined && { excerpt }) };
    }),
    hasMore,
    next: hasMore && last !== undefined ? `${last.updated}.${last.id}` : null,
  };
}

/** Kinds of a ticket's texts that a search covers. */
const KINDS = ["ticket", "reply", "ticket-note"] as const;

/** Condition for the rows after a cursor. Throws 422 for an invalid cursor. */
function isAfter(cursor: string, order: TicketOrder): Expression<SqlBool> {
  const [, updated, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (updated === undefined || id === undefined) {
    throw new Refusal(422, "after: must be the `next` of the page before");
  }
  const [time, number] = [Number(updated), Number(id)];
  const lies = sql.raw(order === "oldest" ? ">" : "<");
  return sql<SqlBool>`(tickets.updated ${lies} ${time} OR (tickets.updated = ${time} AND tickets.id ${lies} ${number}))`;
}

/** Counts the tickets of each view that the filter finds, up to a thousand. */
export async function countTickets(
  database: BackendDatabase,
  access: TicketAccess,
  filter: LineFilter,
): Promise<ChatTicketCounts> {
  const { kysely: queries } = database;
  const matches = await matchesSearch(database, access, filter);
  const groups = [
    ...TICKET_VIEWS.map((view) => [view, matchesView(access, view)] as const),
    ["toAnswer", sql<SqlBool>`(${matchesView(access, "mine")} AND tickets.status = 2)`] as const,
  ];
  const counts = await Promise.all(
    groups.map(async ([group, belongs]) => {
      const some = selectLines(queries, access.project)
        .where(matches)
        .where(belongs)
        .clearSelect()
        .select("tickets.id")
        .limit(MAX_COUNTED);
      const { count } = await queries
        .selectFrom(some.as("some"))
        .select((builder) => builder.fn.countAll<number | string>().as("count"))
        .executeTakeFirstOrThrow();
      return [group, Number(count)] as const;
    }),
  );
  const all = new Map(counts);
  const countOf = (group: keyof ChatTicketCounts): number => all.get(group) ?? 0;
  return {
    new: countOf("new"),
    mine: countOf("mine"),
    open: countOf("open"),
    waiting: countOf("waiting"),
    solved: countOf("solved"),
    all: countOf("all"),
    toAnswer: countOf("toAnswer"),
  };
}

const MAX_COUNTED = 1_000;

function matchesView({ agent }: TicketAccess, view: TicketView): Expression<SqlBool> {
  const states = sql<SqlBool>`tickets.status IN (${sql.join(STATES[view])})`;
  if (view === "mine") return sql<SqlBool>`(${states} AND solvers.agent = ${agent})`;
  return view === "new" ? HAS_NOBODY : states;
}

/** Selects the tickets that an agent may read and a search finds. */
async function matchesSearch(
  database: BackendDatabase,
  { view }: TicketAccess,
  filter: LineFilter,
): Promise<Expression<SqlBool>> {
  const { dialect } = database;
  const { search, tag, queue, agent, lang } = filter;
  const conditions: Expression<SqlBool>[] = [sql`1 = 1`, ...isWithin("tickets", filter)];
  const terms = searchTermsOf(search);
  if (terms?.length === 0) conditions.push(sql`1 = 0`);
  for (const term of await weighTerms(database, terms ?? [])) {
    const isOfTicket = hasTextWith(dialect, KINDS, "tickets.id", term);
    conditions.push(
      sql`(${isOfTicket} OR ${hasTextWith(dialect, ["user"], "tickets.creator", term)})`,
    );
  }
  if (view !== null) conditions.push(sql`tickets.queue IN (${sql.join([...view])})`);
  if (filter.addresses !== undefined) {
    conditions.push(sql`users.address_key IN (${sql.join([...filter.addresses])})`);
  }
  if (queue !== undefined) conditions.push(sql`tickets.queue = ${queue}`);
  if (agent !== undefined) conditions.push(sql`solvers.agent = ${toStorable(agent)}`);
  if (lang !== undefined) conditions.push(sql`tickets.language = ${baseOf(lang)}`);
  if (tag !== undefined) {
    conditions.push(
      sql`EXISTS (SELECT 1 FROM ticket_tags WHERE ticket_tags.ticket = tickets.id AND tag = ${toStorable(tag)})`,
    );
  }
  return sql.join<SqlBool>(conditions, sql` AND `);
}

/** Tickets have languages without their regions. */
function baseOf(lang: string): string {
  return toStorable(lang.toLowerCase().split(/[-_]/)[0] ?? "");
}

/**
 * Selects tickets with the names of their person and their assignee, and the number of their last
 * change. A number that is read later could be of a change that the row does not show.
 */
export function selectLines(queries: Queries, project: string) {
  return queries
    .selectFrom("tickets")
    .innerJoin("users", "users.id", "tickets.creator")
    .leftJoin("users as solvers", "solvers.id", "tickets.solver")
    .select(["tickets.id", "tickets.hash_uuid", "tickets.title", "tickets.status"])
    .select(["tickets.queue", "tickets.language", "tickets.created", "tickets.updated"])
    .select(["users.name", "users.address"])
    .select(["solvers.id as solver", "solvers.name as solver_name", "solvers.agent"])
    .select((builder) =>
      builder
        .selectFrom("ticket_events")
        .whereRef("ticket_events.ticket", "=", "tickets.id")
        .select(({ fn }) => fn.max<number | string>("ticket_events.id").as("last"))
        .as("seen"),
    )
    .where("tickets.project", "=", project);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectLines>["execute"]>>[number];

/** Converts tickets to the lines of a list. */
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
    number: toFullUuid(row.id, row.hash_uuid),
    title: row.title,
    status: statusOf(row.status),
    queue: names.get(row.queue) ?? String(row.queue),
    user: row.name,
    language: row.language,
    assignee: row.solver === null ? null : { id: row.agent, name: row.solver_name ?? "" },
    tags: tags.get(row.id) ?? [],
    seen: Number(row.seen),
    created: Math.floor(row.created / 1000),
    updated: Math.floor(row.updated / 1000),
  }));
}
