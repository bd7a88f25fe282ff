import { sql } from "kysely";
import type { ChatPerson } from "../caller.ts";
import { toEvent } from "../chats/history.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { isVisibleTo } from "../chats/visible.ts";
import { selectTicketRights, viewQueues } from "../tickets/rights.ts";

/** An event. All streams that carry it share the object. */
export interface FeedEvent {
  /** Its id in the stream; events are sent in the order of these. */
  readonly number: number;
  readonly app: string;
  readonly trigger: string;
  /** The JSON object that is sent: `{trigger, appId, data, created_at}`. */
  readonly body: string;
  /** The chat whose members may see it; null for an event about a ticket. */
  readonly chat: number | null;
  readonly room: string | null;
  readonly creator: string | null;
  readonly invited: string | null;
  /** The person that the event is about. */
  readonly named: string | null;
  /** The queue of its ticket; agents of the queue may see it. */
  readonly queue: number | null;
}

/** Some events, in order. */
export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** False when more events may follow. */
  readonly complete: boolean;
}

/** Reads the events of all apps after a number. */
export function readAfter(queries: Queries, number: number, limit: number): Promise<FeedPage> {
  return readPage(queries, selectEvents(queries).where("chat_log.number", ">", number), limit);
}

/**
 * A selection of events: those of one app, and for a person those of the chats that they may see.
 */
export interface EventSelection {
  readonly app: string;
  readonly person: ChatPerson | null;
}

/** Reads the selected events after `from`, up to `upTo`. */
export async function readSelected(
  queries: Queries,
  { app, person }: EventSelection,
  from: number,
  upTo: number,
  limit: number,
): Promise<FeedPage> {
  const query = selectEvents(queries)
    .where("chat_log.app", "=", app)
    .where("chat_log.number", ">", from)
    .where("chat_log.number", "<=", upTo);
  if (person === null) {
    return readPage(queries, query.where("chat_log.chat", "is not", null), limit);
  }
  const { id } = person;
  const queues = person.kind === "agent" ? await readTicketQueues(queries, id) : [];
  const selected = query.where((event) =>
    event.or([
      isVisibleTo(id),
      // JSON escapes the quotes of users' texts, so none of them can contain this pattern.
      event("chat_log.data", "like", `%"userId":"${id}"%`),
      ...(queues ?? [null]).map((queue) =>
        event.and([
          event("chat_log.chat", "is", null),
          event("chat_log.data", "like", queue === null ? "%" : `%"queue":${queue}}`),
        ]),
      ),
    ]),
  );
  return readPage(queries, selected, limit);
}

/** Reads the queues whose tickets an agent may read; null for every queue. */
async function readTicketQueues(
  queries: Queries,
  agent: string,
): Promise<readonly number[] | null> {
  const rights = await selectTicketRights(queries).where("id", "=", agent).executeTakeFirst();
  return rights === undefined ? [] : viewQueues(rights);
}

/** Limit of a page's characters, since a message may have millions. A page has at least one event. */
const maxPageBytes = 1_048_576;

async function readPage(
  queries: Queries,
  query: ReturnType<typeof selectEvents>,
  limit: number,
): Promise<FeedPage> {
  const page = query.orderBy("chat_log.number").limit(limit);
  const { rows } = await sql<Row & { readonly found: number }>`
    SELECT * FROM (
      SELECT page.*, count(*) OVER () AS found,
        sum(length(data)) OVER (ORDER BY number) - length(data) AS ahead
      FROM ${page} AS page
    ) AS sized WHERE ahead < ${maxPageBytes} ORDER BY number
  `.execute(queries);
  const found = rows[0]?.found ?? 0;
  return { events: rows.map(toFeedEvent), complete: found < limit && rows.length === found };
}

/** Reads the highest number that is visible so far, or 0. */
export async function readNewest(queries: Queries): Promise<number> {
  const row = await queries
    .selectFrom("chat_log")
    .select(({ fn }) => fn.max<number | null>("number").as("number"))
    .executeTakeFirst();
  return row?.number ?? 0;
}

type Row = Awaited<ReturnType<ReturnType<typeof selectEvents>["execute"]>>[number];

function selectEvents(queries: Queries) {
  return queries
    .selectFrom("chat_log")
    .leftJoin("chat_chats", "chat_chats.number", "chat_log.chat")
    .select([
      "chat_log.number",
      "chat_log.app",
      "chat_log.chat",
      "chat_log.trigger_name",
      "chat_log.data",
      "chat_log.at",
      "chat_chats.room",
      "chat_chats.creator",
      sql<string | null>`chat_chats.invited`.as("invited"),
    ]);
}

function toFeedEvent(row: Row): FeedEvent {
  const { number, app, chat, room, creator, invited } = row;
  const { trigger, data, created_at } = toEvent(row);
  const { userId, queue } = data;
  return {
    number,
    app,
    trigger,
    body: JSON.stringify({ trigger, appId: app, data, created_at }),
    chat,
    room,
    creator,
    invited,
    named: typeof userId === "string" ? userId : null,
    queue: chat === null && typeof queue === "number" ? queue : null,
  };
}
