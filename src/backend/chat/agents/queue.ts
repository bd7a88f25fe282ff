import { sql } from "kysely";
import { chooseAgent, freeSlots, readCandidates } from "./choose-agent.ts";
import { emit } from "../emit.ts";
import { move } from "../chats/move.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { addressChooses, inviteFound, laterThan, wantedBy } from "./search.ts";
import type { AppLock } from "../app-lock.ts";
import type { ChatOptions } from "../options.ts";
import { readSettings } from "../settings.ts";

/**
 * Runs `work` while no other process changes which agent has which chat of the app, then gives free
 * slots to waiting chats. Everything is on the disk before it resolves.
 */
export async function withAppLock<T>(
  options: ChatOptions,
  app: string,
  work: (lock: AppLock) => Promise<T>,
): Promise<T> {
  return options.database.durable(async (queries) => {
    // On PostgreSQL this waits for the process that has the lock; SQLite has only one writer.
    await queries
      .updateTable("chat_apps")
      .set((builder) => ({ turn: builder("turn", "+", 1) }))
      .where("id", "=", app)
      .execute();
    const settings = await readSettings(queries, app);
    const lock: AppLock = { queries, app, now: options.now(), settings, options };
    const result = await work(lock);
    await serveQueue(lock);
    return result;
  });
}

/** Chats that are looked at under one lock; the others come with the next. */
const mostAtOnce = 200;

/**
 * Gives free slots to waiting chats, oldest first, and tells each user whose place has changed. A
 * chat is passed over only when the agent can't take it: another room or language, or asked a
 * moment ago.
 */
async function serveQueue(lock: AppLock): Promise<void> {
  const waiting = await lock.queries
    .selectFrom("chat_chats")
    .selectAll()
    .where("app", "=", lock.app)
    .where("phase", "=", "queued")
    .orderBy("number")
    .limit(mostAtOnce)
    .execute();
  if (waiting.length > 0) {
    const later = await addressChooses(lock);
    const candidates = [...(await readCandidates(lock.queries, lock.app))];
    for (const { chat, wanted } of await wantedBy(lock, waiting)) {
      if (!candidates.some((agent) => freeSlots(agent) > 0)) break;
      const chosen = chooseAgent(candidates, wanted);
      if (chosen === null) continue;
      const newest = Math.max(...candidates.map(({ invitedLast }) => invitedLast));
      const taken = {
        ...chosen,
        load: chosen.load + 1,
        invitedLast: laterThan(newest, lock.now),
      };
      candidates[candidates.indexOf(chosen)] = taken;
      const set = { round: chat.round + 1, due: lock.now };
      const called = await move(lock, chat, "call", { set });
      if (!later) await inviteFound(lock, called, chosen.id);
    }
  }
  await tellPlaces(lock);
}

/** A place in a queue, counted from 1. */
export interface QueuePosition {
  readonly number: number;
  readonly id: string;
  readonly creator: string;
  readonly room: string;
  readonly told: number | null;
  readonly position: number;
}

/** Who has a place in which queue of the app, in order. */
export async function readPlaces(queries: Queries, app: string): Promise<readonly QueuePosition[]> {
  const rows = await queries
    .selectFrom("chat_chats")
    .select([
      "number",
      "id",
      "creator",
      "room",
      "queue_position as told",
      sql<number>`row_number() OVER (PARTITION BY room ORDER BY number)`.as("position"),
    ])
    .where("app", "=", app)
    .where("phase", "<>", "closed")
    .where("queued", "is not", null)
    .orderBy("number")
    .execute();
  return rows.map((row) => ({ ...row, position: row.position }));
}

async function tellPlaces({ queries, app, now }: AppLock): Promise<void> {
  const places = await readPlaces(queries, app);
  const moved = places.filter(({ told, position }) => told !== position);
  const waits = await estimates(queries, app, [...new Set(moved.map(({ room }) => room))]);
  for (const { number, id, creator, room, position } of moved) {
    await queries
      .updateTable("chat_chats")
      .set({ queue_position: position })
      .where("number", "=", number)
      .execute();
    const wait = waits(room, position);
    const data = {
      chatId: id,
      userId: creator,
      data: { queuePosition: position, estimatedWait: wait },
    };
    await emit(queries, { app, chat: number, trigger: "queues:update", data, now });
  }
}

/** Chats whose length is looked at for an estimate. */
const sample = 20;

/**
 * Seconds that a place waits: the latest chats' mean length times the place, divided by the slots
 * of the agents online. Null while either is unknown.
 */
export async function estimates(
  queries: Queries,
  app: string,
  rooms: readonly string[],
): Promise<(room: string, position: number) => number | null> {
  const perPlace = new Map<string, number>();
  const candidates = rooms.length === 0 ? [] : await readCandidates(queries, app);
  for (const room of rooms) {
    const slots = candidates
      .filter((agent) => agent.rooms.has(room))
      .reduce((sum, agent) => sum + agent.slots, 0);
    const latest = await queries
      .selectFrom("chat_chats")
      .select(["taken", "closed"])
      .where("app", "=", app)
      .where("room", "=", room)
      .where("taken", "is not", null)
      .where("closed", "is not", null)
      .orderBy("taken", "desc")
      .limit(sample)
      .execute();
    const lengths = latest.map(({ taken, closed }) => (closed ?? 0) - (taken ?? 0));
    if (slots === 0 || lengths.length === 0) continue;
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    perPlace.set(room, mean / 1000 / slots);
  }
  return (room, position) => {
    const one = perPlace.get(room);
    return one === undefined ? null : Math.round(one * position);
  };
}
