import { sql } from "kysely";
import type { AgentLoad, WaitingGroup, WaitingPerson } from "../../../api/chat/answers-figures.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { HAS_NOBODY } from "../tickets/solver.ts";
import { listQueues } from "../../ticketing/queues.ts";
import { toAgents } from "../agents/agent-rows.ts";
import { readRoomNames } from "../agents/rooms.ts";
import type { Supervisor } from "../rights.ts";

/** The most people that are listed. Those who have waited the longest come first. */
const MAX_PEOPLE = 100;

/** Reads who waits in the supervisor's rooms, and, with a project, whose tickets are new. */
export async function readWaiting(
  queries: Queries,
  supervisor: Supervisor,
  project: string | null,
): Promise<readonly WaitingPerson[]> {
  const chats = await selectWaiting(queries, supervisor)
    .innerJoin("chat_people as people", "people.id", "chat_chats.creator")
    .leftJoin("chat_people as agents", "agents.id", "chat_chats.holder")
    .select(["chat_chats.id", "chat_chats.room", "answered", SINCE.as("since")])
    .select(["people.name"])
    .select(({ fn }) => fn.coalesce("agents.nickname", "agents.name").as("agent"))
    .orderBy(SINCE)
    .limit(MAX_PEOPLE)
    .execute();
  const rooms = await readRoomNames(queries, supervisor.app);
  const waiting = chats.map(({ id, name, room, agent, answered, since }): WaitingPerson => ({
    id,
    name,
    kind: answered === null ? "first" : "reply",
    room: rooms.get(room) ?? room,
    agent: agent ?? "",
    since: Math.floor(since / 1000),
  }));
  const tickets = project === null ? [] : await readNewTickets(queries, project);
  return [...waiting, ...tickets]
    .toSorted((one, other) => one.since - other.since)
    .slice(0, MAX_PEOPLE);
}

/** Counts the waiting people of each of the supervisor's rooms, and finds the longest wait. */
export async function readWaitingByRoom(
  queries: Queries,
  supervisor: Supervisor,
): Promise<readonly WaitingGroup[]> {
  const counts = await selectWaiting(queries, supervisor)
    .select(["chat_chats.room as id"])
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      fn.count<number>("answered").as("reply"),
      fn.min(SINCE).as("since"),
    ])
    .groupBy("chat_chats.room")
    .execute();
  const of = new Map(counts.map((one) => [one.id, one]));
  const own = await queries
    .selectFrom("chat_agent_rooms")
    .select("room")
    .where("agent", "=", supervisor.agent)
    .orderBy("room")
    .execute();
  const rooms = await readRoomNames(queries, supervisor.app);
  return own.map(({ room }) => {
    const { count = 0, reply = 0, since = null } = of.get(room) ?? {};
    const name = rooms.get(room) ?? room;
    return { id: room, name, first: count - reply, reply, since: toSeconds(since) };
  });
}

/** Counts the tickets of each queue that nobody has, and finds the oldest. */
export async function readWaitingByQueue(
  queries: Queries,
  project: string,
): Promise<readonly WaitingGroup[]> {
  const counts = await selectNewTickets(queries, project)
    .select(["queue"])
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      fn.min<number, "tickets.created">("tickets.created").as("since"),
    ])
    .groupBy("queue")
    .execute();
  const of = new Map(counts.map((one) => [one.queue, one]));
  return (await listQueues(queries, project)).map(({ id, name }) => {
    const { count = 0, since = null } = of.get(id) ?? {};
    return { id: String(id), name, first: count, reply: 0, since: toSeconds(since) };
  });
}

/** Lists the present agents of the supervisor's rooms, the busiest first. */
export async function readAgentLoads(
  queries: Queries,
  { app, agent }: Supervisor,
): Promise<readonly AgentLoad[]> {
  const rows = await queries
    .selectFrom("chat_people")
    .selectAll("chat_people")
    .innerJoin("chat_agents", "chat_agents.id", "chat_people.id")
    .where("chat_agents.app", "=", app)
    .where("chat_agents.online", "=", 1)
    .where("chat_people.id", "in", (builder) =>
      builder
        .selectFrom("chat_agent_rooms as theirs")
        .innerJoin("chat_agent_rooms as own", (join) =>
          join.onRef("own.room", "=", "theirs.room").onRef("own.app", "=", "theirs.app"),
        )
        .where("own.agent", "=", agent)
        .select("theirs.agent"),
    )
    .execute();
  const agents = await toAgents(queries, app, rows);
  return agents
    .map(({ id, name, nickname = name, status, load, slots }) => ({
      id,
      name: nickname,
      status,
      load,
      slots,
    }))
    .toSorted((one, other) => other.load - one.load || one.name.localeCompare(other.name));
}

/** The start of a user's wait: the chat's beginning, or the first message without an answer. */
const SINCE = sql<number>`CASE WHEN answered IS NULL THEN chat_chats.created ELSE awaits END`;

function selectWaiting(queries: Queries, { app, agent }: Supervisor) {
  return (
    queries
      .selectFrom("chat_chats")
      .where("chat_chats.app", "=", app)
      // The literal condition of the index of open chats, which a parameter would not match.
      .where(sql<boolean>`phase <> 'closed'`)
      .where("chat_chats.room", "in", (builder) =>
        builder.selectFrom("chat_agent_rooms").select("room").where("agent", "=", agent),
      )
      .where((builder) =>
        builder.or([builder("answered", "is", null), builder("awaits", "is not", null)]),
      )
  );
}

function selectNewTickets(queries: Queries, project: string) {
  return queries.selectFrom("tickets").where("tickets.project", "=", project).where(HAS_NOBODY);
}

async function readNewTickets(
  queries: Queries,
  project: string,
): Promise<readonly WaitingPerson[]> {
  const rows = await selectNewTickets(queries, project)
    .innerJoin("users", "users.id", "tickets.creator")
    .select(["tickets.id", "tickets.queue", "tickets.created", "users.name"])
    .orderBy("tickets.created")
    .limit(MAX_PEOPLE)
    .execute();
  const queues = new Map((await listQueues(queries, project)).map(({ id, name }) => [id, name]));
  return rows.map(({ id, name, queue, created }) => ({
    id: String(id),
    name,
    kind: "ticket",
    room: queues.get(queue) ?? String(queue),
    agent: "",
    since: Math.floor(created / 1000),
  }));
}

function toSeconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.floor(milliseconds / 1000);
}
