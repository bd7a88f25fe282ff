import type { Asked } from "./asked.ts";
import { toEvent } from "./history.ts";
import type { Queries } from "./options.ts";

/** Events that are sent at once, and how far back is looked for some that were stored late. */
const batch = 200;
const lookBack = 100;
/** Milliseconds between two signs of life, and after which a client has to show its token again. */
const heartbeat = 15_000;
const longest = 900_000;

/**
 * What happens, as it happens (`text/event-stream`): for the app's server everything, for a person what happens in the chats
 * that this person may see. `Last-Event-ID` goes on where a broken stream ended. An event may come twice, with the same id.
 */
export async function eventStream(asked: Asked): Promise<Response> {
  const { options } = asked;
  const { kysely } = options.database;
  const every = options.streamEvery ?? 500;
  const from = /^\d{1,15}$/.exec(asked.lastEventId ?? "");
  const resumed = from === null ? null : Number(from[0]);
  const cursor = createCursor(resumed, await latest(kysely, asked.app));
  const encoder = new TextEncoder();
  const ends = performance.now() + longest;
  let alive = performance.now();
  const left = new AbortController();
  const signal = AbortSignal.any([asked.signal, left.signal]);
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode("retry: 2000\n\n")),
    async pull(controller) {
      while (!signal.aborted && performance.now() < ends) {
        const text = (await read(asked, cursor)).join("");
        const silent = text === "" && performance.now() - alive > heartbeat;
        if (text !== "" || silent) {
          alive = performance.now();
          controller.enqueue(encoder.encode(silent ? ": alive\n\n" : text));
          return;
        }
        await sleep(every, signal);
      }
      controller.close();
    },
    cancel() {
      left.abort();
    },
  });
  return new Response(stream, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}

interface Cursor {
  /** Nothing up to this number is asked for. */
  floor: () => number;
  /** True the first time. */
  isNew: (number: number) => boolean;
}

/**
 * PostgreSQL gives out numbers before transactions end, so a lower one may appear after a higher one: a little is looked back
 * at, and what was sent is remembered.
 */
function createCursor(resumed: number | null, latest: readonly number[]): Cursor {
  const seen = new Set(resumed === null ? latest : []);
  const start = resumed ?? Math.max(0, ...latest);
  let highest = start;
  return {
    floor: () => (resumed === null ? highest - lookBack : Math.max(resumed, highest - lookBack)),
    isNew(number) {
      if (seen.has(number)) return false;
      seen.add(number);
      highest = Math.max(highest, number);
      if (seen.size > 10 * lookBack) {
        for (const old of seen) if (old < highest - 2 * lookBack) seen.delete(old);
      }
      return true;
    },
  };
}

async function latest(queries: Queries, app: string): Promise<readonly number[]> {
  const rows = await queries
    .selectFrom("chat_log")
    .select("number")
    .where("app", "=", app)
    .orderBy("number", "desc")
    .limit(lookBack * 2)
    .execute();
  return rows.map(({ number }) => number);
}

async function read(asked: Asked, cursor: Cursor): Promise<readonly string[]> {
  const { app, options, caller } = asked;
  let query = options.database.kysely
    .selectFrom("chat_log")
    .selectAll()
    .where("app", "=", app)
    .where("number", ">", cursor.floor());
  const { person } = caller;
  if (person !== null) {
    query = query.where("chat", "in", (builder) =>
      builder
        .selectFrom("chat_chats")
        .select("number")
        .where((chat) =>
          chat.or([
            chat("creator", "=", person.id),
            chat("invited", "=", person.id),
            chat(
              "number",
              "in",
              chat.selectFrom("chat_members").select("chat").where("person", "=", person.id),
            ),
            chat(
              "room",
              "in",
              chat.selectFrom("chat_agent_rooms").select("room").where("agent", "=", person.id),
            ),
          ]),
        ),
    );
  }
  const rows = await query
    .orderBy("number")
    .limit(batch + lookBack)
    .execute();
  return rows
    .filter(({ number }) => cursor.isNew(number))
    .map((row) => {
      const { id, trigger, data, created_at } = toEvent(row);
      const body = JSON.stringify({ trigger, appId: app, data, created_at });
      return `id: ${id}\nevent: ${trigger}\ndata: ${body}\n\n`;
    });
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done, { once: true });
  });
}
