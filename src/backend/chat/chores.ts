import { Refusal } from "../http/refusal.ts";
import { keepSweeping } from "../storage/sweeping.ts";
import { deliverEvents } from "../webhooks/deliveries.ts";
import { goOffline } from "./agents/agent-login.ts";
import { passOnChats } from "./agents/agents.ts";
import { resumeSearch } from "./agents/assign.ts";
import { lockChat } from "./chats/chat-rows.ts";
import { endSilence } from "./chats/closing.ts";
import { lapse } from "./chats/invitations.ts";
import { sweepLoginAttempts } from "./agents/login-attempts.ts";
import { sweepChatMedia } from "./chats/media-rows.ts";
import { chatOutbox } from "./emit.ts";
import type { ChatOptions } from "./options.ts";
import { toGone, SET_BY_APP } from "./agents/presence.ts";
import { withAppLock } from "./agents/queue.ts";
import { sweepTicketPresence } from "./tickets/presence.ts";
import { UNDELIVERED_KEPT } from "./webhooks.ts";

export interface ChatChoreOptions extends ChatOptions {
  readonly report: (error: unknown) => void;
  /** Milliseconds between two rounds. Default 1,000 for what has a time, 60,000 for deleting. */
  readonly every?: number;
  readonly sweepEvery?: number;
}

/** Does what the chat has to do unasked, in this process and any other at the same database. */
export function startChatChores(options: ChatChoreOptions): () => Promise<void> {
  const { hooks, report, every = 1_000, sweepEvery = 60_000 } = options;
  const ends = [
    keepSweeping(() => doChatChores(options).finally(() => options.feed?.wake()), every, report),
    keepSweeping(() => sweepChat(options), sweepEvery, report),
  ];
  if (hooks !== null) {
    ends.push(keepSweeping(() => deliverEvents(chatOutbox, { ...options, hooks }), every, report));
  }
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/**
 * Ends invitations and chats whose time is over, takes up searches, and serves queues. Each is
 * looked at again under a lock of its own, so that of several processes one does it and the others
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
  // Searches ask registered addresses, which may take seconds: concurrently, and nothing waits.
  const searches: Promise<void>[] = [];
  for (const { id, app, phase } of due) {
    if (phase === "searching") searches.push(resumeSearch(options, app, id));
    else await endInvitation(options, app, id);
  }
  await endSilences(options, now);
  await missWhoIsGone(options, now);
  await signOutWhoIsGone(options, now);
  await serveQueues(options);
  await Promise.all(searches);
}

/**
 * Deletes unsent files, expired tokens, marks of writing and presence, yesterday's events of tickets,
 * and what was undelivered a month ago.
 */
export async function sweepChat({ database, now }: ChatOptions): Promise<void> {
  await sweepChatMedia(database.kysely, now());
  await sweepLoginAttempts(database, now());
  // An expired token of an agent is needed once more, to see that the agent is gone.
  const long = now() - 3_600_000;
  await database.kysely.deleteFrom("chat_tokens").where("expires", "<=", long).execute();
  await sweepTicketPresence(database.kysely, now());
  await database.kysely
    .deleteFrom("chat_webhook_events")
    .where("given_up", "<=", now() - UNDELIVERED_KEPT)
    .execute();
  await database.kysely
    .deleteFrom("chat_log")
    .where("trigger_name", "=", "users:activity")
    .where("at", "<=", now() - 60_000)
    .execute();
  await database.kysely
    .deleteFrom("chat_log")
    .where("chat", "is", null)
    .where("at", "<=", now() - TICKET_EVENTS_KEPT)
    .execute();
}

/** Longer than the session of an agent lasts, whose stream may go on behind any of them. */
const TICKET_EVENTS_KEPT = 86_400_000;

async function endInvitation(options: ChatOptions, app: string, id: string): Promise<void> {
  await withAppLock(options, app, async (lock) => {
    const chat = await lockChat(lock.queries, app, id);
    const over = chat.due !== null && chat.due <= lock.now;
    if (over && chat.phase !== "searching") await lapse(lock, chat, "timeout");
  });
}

async function endSilences(options: ChatOptions, now: number): Promise<void> {
  const query = options.database.kysely.selectFrom("chat_chats").select(["id", "app"]);
  const idle = await query.where("idle", "<=", now).orderBy("idle").limit(500).execute();
  for (const { id, app } of idle) {
    await withAppLock(options, app, async (lock) => {
      const chat = await lockChat(lock.queries, app, id);
      if (chat.idle === null || chat.idle > lock.now) return;
      await endSilence(lock, chat);
    }).catch(rethrowUnlessRefused);
  }
}

/** Agents whose streams ended or who logged out long enough ago: others get their chats. */
async function missWhoIsGone(options: ChatOptions, now: number): Promise<void> {
  const isOver = await options.database.kysely
    .selectFrom("chat_agents")
    .select(["id", "app"])
    .where("present_until", ">", 0)
    .where("present_until", "<=", now)
    .execute();
  for (const { id, app } of isOver) {
    await withAppLock(options, app, async (lock) => {
      const agent = await lock.queries
        .selectFrom("chat_agents")
        .select("online")
        .where("id", "=", id)
        .where("present_until", ">", 0)
        .where("present_until", "<=", lock.now)
        .executeTakeFirst();
      if (agent === undefined) return;
      await lock.queries
        .updateTable("chat_agents")
        .set(toGone(agent))
        .where("id", "=", id)
        .execute();
      await passOnChats(lock, id);
    });
  }
}

/** Agents whose tokens have all expired go offline; one without tokens is the app's to sign in. */
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
    await withAppLock(options, app, async (lock) => {
      await goOffline(lock, id);
      await lock.queries.deleteFrom("chat_tokens").where("person", "=", id).execute();
    });
  }
}

/** Every lock serves the queues: an agent may be asked again after a while, unasked. */
async function serveQueues(options: ChatOptions): Promise<void> {
  const waiting = await options.database.kysely
    .selectFrom("chat_chats")
    .select("app")
    .distinct()
    .where("phase", "=", "queued")
    .execute();
  for (const { app } of waiting) await withAppLock(options, app, () => Promise.resolve());
}

// It has moved on since it was looked up.
function rethrowUnlessRefused(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
