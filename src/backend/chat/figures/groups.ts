import { sql, type RawBuilder } from "kysely";
import type { FigureGroup } from "../../../api/chat/answers-figures.ts";
import type { FigureTable } from "../../../api/chat/schema-figures.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { listQueues } from "../../ticketing/queues.ts";
import { readRoomNames } from "../agents/rooms.ts";
import type { Supervisor } from "../rights.ts";
import { hourIn, type Period } from "./period.ts";

/** Tables about the chats or tickets that began in a period. */
export type GroupedTable = Extract<FigureTable, `chats${string}` | `tickets${string}`>;

/**
 * Reads the groups of a table: the chats of the supervisor's rooms, or the tickets of a project,
 * that began in the period. The largest groups come first; hours are in their order.
 *
 * @param project whose tickets are counted; null for a table of chats
 */
export async function readGroups(
  queries: Queries,
  { app, agent }: Supervisor,
  project: string | null,
  table: GroupedTable,
  period: Period,
): Promise<readonly FigureGroup[]> {
  const { by, names } = GROUPINGS[table];
  const counted =
    project === null
      ? countChats(by(period), { app, agent, period })
      : countTickets(by(period), { project, period });
  const { rows } = await measureRows(counted).execute(queries);
  const found = rows.map(({ id, ...figures }) => ({ id: id ?? "", name: "", ...figures }));
  if (table.endsWith("-by-hour")) return fillHours(found);
  if (names === undefined) return found;
  const known = await names(queries, { app, project: project ?? "" }, found);
  return found.map((group) => ({ ...group, name: known.get(group.id) ?? "" }));
}

interface Grouping {
  /** The value that the members of a group have in common. */
  readonly by: (period: Period) => RawBuilder<unknown>;
  /** Reads the names of the groups, by their ids. */
  readonly names?: (
    queries: Queries,
    of: { readonly app: string; readonly project: string },
    groups: readonly FigureGroup[],
  ) => Promise<ReadonlyMap<string, string>>;
}

const by = (column: string) => (): RawBuilder<unknown> => sql.ref(column);
const byHour = (period: Period): RawBuilder<unknown> => hourIn(period, sql.ref("created"));

const GROUPINGS: Readonly<Record<GroupedTable, Grouping>> = {
  chats: { by: () => sql`NULL` },
  "chats-by-room": {
    by: by("room"),
    names: (queries, { app }) => readRoomNames(queries, app),
  },
  "chats-by-agent": {
    by: by("answered_by"),
    names: (queries, _, groups) => nameAgents(queries, groups),
  },
  "chats-by-hour": { by: byHour },
  "chats-by-reason": { by: by("reason") },
  "chats-by-closing": { by: by("close_reason") },
  tickets: { by: () => sql`NULL` },
  "tickets-by-queue": {
    by: by("queue"),
    names: async (queries, { project }) => namesOf(await listQueues(queries, project)),
  },
  "tickets-by-agent": {
    by: by("solver"),
    names: (queries, _, groups) => nameSolvers(queries, groups),
  },
  "tickets-by-hour": { by: byHour },
};

function namesOf(
  all: readonly { readonly id: string | number; readonly name: string }[],
): ReadonlyMap<string, string> {
  return new Map(all.map(({ id, name }) => [String(id), name]));
}

async function nameAgents(queries: Queries, groups: readonly FigureGroup[]) {
  const ids = groups.map(({ id }) => id);
  if (ids.length === 0) return new Map<string, string>();
  const people = queries.selectFrom("chat_people").select(["id", "name", "nickname"]);
  const rows = await people.where("id", "in", ids).execute();
  return namesOf(rows.map(({ id, name, nickname }) => ({ id, name: nickname ?? name })));
}

async function nameSolvers(queries: Queries, groups: readonly FigureGroup[]) {
  const ids = groups.map(({ id }) => Number(id));
  const users = queries.selectFrom("users").select(["id", "name"]).where("id", "in", ids);
  return namesOf(ids.length === 0 ? [] : await users.execute());
}

/** The most groups that are listed. */
const MAX_GROUPS = 200;

/** Selects chats in the supervisor's rooms: group, seconds to the first answer and to the end. */
function countChats(
  group: RawBuilder<unknown>,
  { app, agent, period }: Supervisor & { readonly period: Period },
): RawBuilder<unknown> {
  return sql`
    SELECT ${group} AS id, (answered - created) / 1000 AS first,
      CASE WHEN answered IS NOT NULL THEN (closed - created) / 1000 END AS solving,
      CASE WHEN closed IS NOT NULL AND answered IS NULL THEN 1 END AS lost
    FROM chat_chats
    WHERE app = ${app} AND created >= ${period.from} AND created < ${period.to}
      AND room IN (SELECT room FROM chat_agent_rooms WHERE agent = ${agent})`;
}

/** Tickets of a project, except those that were merged into others. */
function countTickets(
  group: RawBuilder<unknown>,
  { project, period }: { readonly project: string; readonly period: Period },
): RawBuilder<unknown> {
  return sql`
    SELECT ${group} AS id, (answered - created) / 1000 AS first,
      (solved - created) / 1000 AS solving, NULL AS lost
    FROM tickets
    WHERE project = ${project} AND created >= ${period.from} AND created < ${period.to}
      AND merged IS NULL`;
}

interface Measured extends Omit<FigureGroup, "id" | "name"> {
  readonly id: string | null;
}

/**
 * Computes counts and percentiles of each group. The percentile p is the smallest value that p % of
 * the values do not exceed (nearest rank). Both databases compute it alike with whole numbers.
 */
function measureRows(rows: RawBuilder<unknown>): RawBuilder<Measured> {
  return sql<Measured>`
    WITH counted AS (${rows}), ranked AS (
      SELECT id, first, solving, lost,
        row_number() OVER (PARTITION BY id, first IS NULL ORDER BY first) AS first_rank,
        count(first) OVER (PARTITION BY id) AS firsts,
        row_number() OVER (PARTITION BY id, solving IS NULL ORDER BY solving) AS solving_rank,
        count(solving) OVER (PARTITION BY id) AS solvings
      FROM counted
    )
    SELECT CAST(id AS text) AS id, count(*) AS count, count(first) AS answered,
      count(solving) AS solved, count(lost) AS lost,
      ${rankNearest("first", "first_rank", "firsts", 50)} AS "firstMedian",
      ${rankNearest("first", "first_rank", "firsts", 90)} AS "firstNinetieth",
      ${rankNearest("solving", "solving_rank", "solvings", 50)} AS "solvingMedian",
      ${rankNearest("solving", "solving_rank", "solvings", 90)} AS "solvingNinetieth"
    FROM ranked GROUP BY id ORDER BY count(*) DESC, id LIMIT ${sql.lit(MAX_GROUPS)}`;
}

/** The value whose rank is `per` per cent of all values, rounded up. */
function rankNearest(value: string, rank: string, values: string, per: number): RawBuilder<number> {
  const position = sql`(${sql.ref(values)} * ${sql.lit(per)} + 99) / 100`;
  return sql`min(CASE WHEN ${sql.ref(rank)} = ${position} THEN ${sql.ref(value)} END)`;
}

/** Completes the groups to all 24 hours. */
function fillHours(groups: readonly FigureGroup[]): readonly FigureGroup[] {
  const known = new Map(groups.map((group) => [group.id, group]));
  return Array.from(
    { length: 24 },
    (_, hour) => known.get(String(hour)) ?? { ...EMPTY, id: String(hour) },
  );
}

const EMPTY: FigureGroup = {
  id: "",
  name: "",
  count: 0,
  answered: 0,
  solved: 0,
  lost: 0,
  firstMedian: null,
  firstNinetieth: null,
  solvingMedian: null,
  solvingNinetieth: null,
};
