import { type ExpressionBuilder, sql } from "kysely";
import { chooseAgent, countFreeSlots, readCandidates } from "./choose-agent.ts";
import { emit } from "../emit.ts";
import { move } from "../chats/move.ts";
import type { Queries, Tables } from "../../storage/tables/database.ts";
import { addressChooses, inviteFound, createInvitationTime, readCriteria } from "./search.ts";
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

/** The most chats that are served under one lock. The next one serves the others. */
const maxAtOnce = 200;

/**
 * Gives free slots to waiting chats, oldest first, and notifies each user whose position has changed.
 * A chat is skipped only if no free agent can take it, because of the room or language, or because
 * the agent was asked a moment ago.
 */
async function serveQueue(lock: AppLock): Promise<void> {
  const waiting = await lock.queries
    .selectFrom("chat_chats")
    .selectAll()
    .where("app", "=", lock.app)
    .where("phase", "=", "queued")
    .orderBy("number")
    .limit(maxAtOnce)
    .execute();
  if (waiting.length > 0) {
    const later = await addressChooses(lock);
    const candidates = [...(await readCandidates(lock.queries, lock.app))];
    for (const { chat, criteria } of await readCriteria(lock, waiting)) {
      if (!candidates.some((agent) => countFreeSlots(agent) > 0)) break;
      const chosen = chooseAgent(candidates, criteria);
      if (chosen === null) continue;
      const newest = Math.max(...candidates.map(({ invitedLast }) => invitedLast));
      const taken = {
        ...chosen,
        load: chosen.load + 1,
        invitedLast: createInvitationTime(newest, lock.now),
      };
      candidates[candidates.indexOf(chosen)] = taken;
      const set = { round: chat.round + 1, due: lock.now };
      const called = await move(lock, chat, "call", { set });
      if (!later) await inviteFound(lock, called, chosen.id);
    }
  }
  await sendPositions(lock);
}

/** A chat's position in a queue, counted from 1. */
export interface QueuePosition {
  readonly number: number;
  readonly id: string;
  readonly creator: string;
  readonly room: string;
  readonly told: number | null;
  readonly position: number;
  /** The number of later chats of the room that an agent took first. */
  readonly overtaken: number;
  /** When an agent took the last of them; null if there is none. */
  readonly overtakenAt: number | null;
}

/** Reads the positions of all chats in the queues of the app, in order. */
export async function readPositions(
  queries: Queries,
  app: string,
): Promise<readonly QueuePosition[]> {
  const rows = await queries
    .selectFrom("chat_chats")
    .select([
      "number",
      "id",
      "creator",
      "room",
      "queue_position as told",
      sql<number>`row_number() OVER (PARTITION BY room ORDER BY number)`.as("position"),
      (builder) =>
        selectTakenFirst(builder)
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .as("overtaken"),
      (builder) =>
        selectTakenFirst(builder)
          .select(({ fn }) => fn.max("later.taken").as("last"))
          .as("overtakenAt"),
    ])
    .where("app", "=", app)
    .where("phase", "<>", "closed")
    .where("queued", "is not", null)
    .orderBy("number")
    .execute();
  return rows.map((row) => ({ ...row, overtaken: row.overtaken ?? 0 }));
}

/** Selects later chats of the same room that an agent took while this one waited. */
function selectTakenFirst(builder: ExpressionBuilder<Tables, "chat_chats">) {
  return builder
    .selectFrom("chat_chats as later")
    .whereRef("later.app", "=", "chat_chats.app")
    .whereRef("later.room", "=", "chat_chats.room")
    .whereRef("later.taken", ">=", "chat_chats.queued")
    .whereRef("later.number", ">", "chat_chats.number");
}

async function sendPositions({ queries, app, now }: AppLock): Promise<void> {
  const places = await readPositions(queries, app);
  // A position is sent again if an agent took a later chat under this lock.
  const moved = places.filter(
    ({ told, position, overtakenAt }) => told !== position || overtakenAt === now,
  );
  const waits = await readEstimates(queries, app, [...new Set(moved.map(({ room }) => room))], now);
  for (const { number, id, creator, room, position, overtaken } of moved) {
    await queries
      .updateTable("chat_chats")
      .set({ queue_position: position })
      .where("number", "=", number)
      .execute();
    const wait = waits(room, position);
    const data = {
      chatId: id,
      userId: creator,
      data: { queuePosition: position, estimatedWait: wait, overtaken },
    };
    await emit(queries, { app, chat: number, trigger: "queues:update", data, now });
  }
}

/** The most chats of an estimate, and their age in milliseconds. */
const sample = 20;
const recent = 2 * 3_600_000;
/** A chat that is taken within this many milliseconds found a free agent, and did not queue. */
const atOnce = 60_000;

/**
 * Estimates the wait of a position in seconds: the position times the median of the room's recent
 * waits, each divided by the number of chats that were served in it. Null if no recent chat queued.
 */
export async function readEstimates(
  queries: Queries,
  app: string,
  rooms: readonly string[],
  now: number,
): Promise<(room: string, position: number) => number | null> {
  const perPosition = new Map<string, number>();
  for (const room of rooms) {
    const latest = await queries
      .selectFrom("chat_chats")
      .select(["number", "created", "taken"])
      .where("app", "=", app)
      .where("room", "=", room)
      .where("taken", ">", now - recent)
      .orderBy("taken", "desc")
      .limit(sample)
      .execute();
    const chats = latest.map((chat) => ({ ...chat, taken: chat.taken ?? now }));
    const waits = chats
      .filter(({ created, taken }) => taken - created > atOnce)
      .map(({ number, created, taken }) => {
        const ahead = chats.filter((one) => one.number < number && one.taken > created);
        return (taken - created) / (ahead.length + 1);
      })
      .toSorted((one, other) => one - other);
    const median = waits[Math.floor(waits.length / 2)];
    if (median !== undefined) perPosition.set(room, median / 1000);
  }
  return (room, position) => {
    const one = perPosition.get(room);
    return one === undefined ? null : Math.round(one * position);
  };
}
