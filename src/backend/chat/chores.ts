import { Refusal } from "../refusal.ts";
import { keepSweeping } from "../storage/sweeping.ts";
import { goOffline } from "./agent-login.ts";
import { passOnInvitations } from "./agents.ts";
import { resumeSearch } from "./assign.ts";
import { lockChat } from "./chat-rows.ts";
import { closeIdle } from "./closing.ts";
import { deliverChatEvents } from "./deliveries.ts";
import { lapse } from "./invitations.ts";
import { sweepLoginAttempts } from "./login-attempts.ts";
import { sweepChatMedia } from "./media-rows.ts";
import type { ChatOptions } from "./options.ts";
import { SET_BY_APP } from "./presence.ts";
import { takeTurn } from "./turn.ts";
import { UNDELIVERED_KEPT } from "./undelivered.ts";

export interface ChatChoreOptions extends ChatOptions {
  readonly report: (error: unknown) => void;
  /** Milliseconds between two rounds. Default 1,000 for what has a time, 60,000 for deleting. */
  readonly every?: number;
  readonly sweepEvery?: number;
}

/**
 * Does what the chat has to do without being asked, in this process and any other at the same
 * database.
 */
export function startChatChores(options: ChatChoreOptions): () => Promise<void> {
  const { hooks, report, every = 1_000, sweepEvery = 60_000 } = options;
  const ends = [
    keepSweeping(() => doChatChores(options).finally(() => options.feed?.wake()), every, report),
    keepSweeping(() => sweepChat(options), sweepEvery, report),
  ];
  if (hooks !== null) {
    ends.push(keepSweeping(() => deliverChatEvents({ ...options, hooks }), every, report));
  }
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/**
 * Ends invitations and chats whose time is over, takes up searches, and serves queues. Each is
 * looked at again in a turn of its own, so that of several processes one does it and the others
 * find it done.
 */
export async function doChatChores(options: ChatOptions): Promise<void> {
  const { kysely } = options.database;
  const now = options.now();
  const due = await kysely
    .selectFrom("chat_chats")
    .select(["id", "app", "phase"])
    .where("due", "<=", now)
    .orderBy("due")
    .limit(500)
    .execute();
  // Searches ask registered addresses, which may take seconds: side by side, and nothing waits for
  // them.
  const searches: Promise<void>[] = [];
  for (const { id, app, phase } of due) {
    if (phase === "searching") searches.push(resumeSearch(options, app, id));
    else await endInvitation(options, app, id);
  }
  await closeWhoIsIdle(options, now);
  await missWhoIsGone(options, now);
  await signOutWhoIsGone(options, now);
  await serveQueues(options);
  await Promise.all(searches);
}

/**
 * Deletes what has no more use: files that were not sent, tokens that have expired, who was writing
 * when, what was undelivered a month ago.
 */
export async function sweepChat({ database, now }: ChatOptions): Promise<void> {
  await sweepChatMedia(database.kysely, now());
  await sweepLoginAttempts(database, now());
  // An expired token of an agent is needed once more, to see that the agent is gone.
  const long = now() - 3_600_000;
  await database.kysely.deleteFrom("chat_tokens").where("expires", "<=", long).execute();
  await database.kysely
    .deleteFrom("chat_webhook_events")
    .where("given_up", "<=", now() - UNDELIVERED_KEPT)
    .execute();
  await database.kysely
    .deleteFrom("chat_log")
    .where("trigger_name", "=", "users:activity")
    .where("at", "<=", now() - 60_000)
    .execute();
}

async function endInvitation(options: ChatOptions, app: string, id: string): Promise<void> {
  await takeTurn(options, app, async (turn) => {
    const chat = await lockChat(turn.queries, app, id);
    const over = chat.due !== null && chat.due <= turn.now;
    if (over && chat.phase !== "searching") await lapse(turn, chat, "timeout");
  });
}

async function closeWhoIsIdle(options: ChatOptions, now: number): Promise<void> {
  const query = options.database.kysely.selectFrom("chat_chats").select(["id", "app"]);
  const idle = await query.where("idle", "<=", now).orderBy("idle").limit(500).execute();
  for (const { id, app } of idle) {
    await takeTurn(options, app, async (turn) => {
      const chat = await lockChat(turn.queries, app, id);
      if (chat.idle === null || chat.idle > turn.now) return;
      await closeIdle(turn, chat);
    }).catch(unlessRefused);
  }
}

/**
 * Agents whose streams have all ended for long enough are offline, until one of them opens a stream
 * again.
 */
async function missWhoIsGone(options: ChatOptions, now: number): Promise<void> {
  const gone = await options.database.kysely
    .selectFrom("chat_agents")
    .select(["id", "app"])
    .where("online", "=", 1)
    .where("present_until", "<=", now)
    .execute();
  for (const { id, app } of gone) {
    await takeTurn(options, app, async (turn) => {
      const missed = await turn.queries
        .updateTable("chat_agents")
        .set({ online: 0 })
        .where("id", "=", id)
        .where("online", "=", 1)
        .where("present_until", "<=", turn.now)
        .returning("id")
        .executeTakeFirst();
      if (missed !== undefined) await passOnInvitations(turn, id);
    });
  }
}

/**
 * An agent whose tokens have all expired can answer nobody. One who never had any is signed in by
 * the app's server.
 */
async function signOutWhoIsGone(options: ChatOptions, now: number): Promise<void> {
  const lasts = await options.database.kysely
    .selectFrom("chat_agents")
    .innerJoin("chat_tokens", "chat_tokens.person", "chat_agents.id")
    .select((builder) => [
      "chat_agents.id",
      "chat_agents.app",
      builder.fn.max("chat_tokens.expires").as("expires"),
    ])
    .where("online", "=", 1)
    .where((agent) =>
      agent.or([agent("present_until", "is", null), agent("present_until", "<", SET_BY_APP)]),
    )
    .groupBy(["chat_agents.id", "chat_agents.app"])
    .execute();
  for (const { id, app, expires } of lasts) {
    if (expires > now) continue;
    await takeTurn(options, app, async (turn) => {
      await goOffline(turn, id);
      await turn.queries.deleteFrom("chat_tokens").where("person", "=", id).execute();
    });
  }
}

/**
 * Every turn serves the queues; an agent may be asked again after a while, without any other turn.
 */
async function serveQueues(options: ChatOptions): Promise<void> {
  const waiting = await options.database.kysely
    .selectFrom("chat_chats")
    .select("app")
    .distinct()
    .where("phase", "=", "queued")
    .execute();
  for (const { app } of waiting) await takeTurn(options, app, () => Promise.resolve());
}

// It has moved on since it was looked up.
function unlessRefused(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
