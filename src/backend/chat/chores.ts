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
  /** Milliseconds between two checks for due chats. Default 1,000. */
  readonly every?: number;
  /** Milliseconds between two deletions. Default 60,000. */
  readonly sweepEvery?: number;
}

/** Starts the chat's periodic work. Several processes may do it on the same database. */
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
 * Ends expired invitations and silent chats, resumes searches, and serves queues. Each is checked
 * again under its own lock, so that only one of several processes acts.
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
  // Searches may wait seconds for a registered address, so they run concurrently.
  const searches: Promise<void>[] = [];
  for (const { id, app, phase } of due) {
    if (phase === "searching") searches.push(resumeSearch(options, app, id));
    else await endInvitation(options, app, id);
  }
  await endSilences(options, now);
  await passOnChatsOfAbsent(options, now);
  await signOutExpired(options, now);
  await serveQueues(options);
  await Promise.all(searches);
}

/**
 * Deletes unsent files, old login attempts and tokens, marks of writing and presence, events of
 * tickets after a day, and webhook events a month after the last attempt.
 */
export async function sweepChat({ database, now }: ChatOptions): Promise<void> {
  await sweepChatMedia(database.kysely, now());
  await sweepLoginAttempts(database, now());
  // An expired token of an agent is needed once more, to see that the agent is gone.
  const cutoff = now() - 3_600_000;
  await database.kysely.deleteFrom("chat_tokens").where("expires", "<=", cutoff).execute();
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

/** Longer than an agent's session, because a stream may continue after any of its events. */
const TICKET_EVENTS_KEPT = 86_400_000;

async function endInvitation(options: ChatOptions, app: string, id: string): Promise<void> {
  await withAppLock(options, app, async (lock) => {
    const chat = await lockChat(lock.queries, app, id);
    const isDue = chat.due !== null && chat.due <= lock.now;
    if (isDue && chat.phase !== "searching") await lapse(lock, chat, "timeout");
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

/** Passes on the chats of agents whose streams or sessions ended some time ago. */
async function passOnChatsOfAbsent(options: ChatOptions, now: number): Promise<void> {
  const absent = await options.database.kysely
    .selectFrom("chat_agents")
    .select(["id", "app"])
    .where("present_until", ">", 0)
    .where("present_until", "<=", now)
    .execute();
  for (const { id, app } of absent) {
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

/** Signs agents out whose tokens have all expired. The app's server manages agents without tokens. */
async function signOutExpired(options: ChatOptions, now: number): Promise<void> {
  const lastExpiries = await options.database.kysely
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
  for (const { id, app, expires } of lastExpiries) {
    if (expires > now) continue;
    await withAppLock(options, app, async (lock) => {
      await goOffline(lock, id);
      await lock.queries.deleteFrom("chat_tokens").where("person", "=", id).execute();
    });
  }
}

/** Serves all queues, because an agent may be invited again after some time without any event. */
async function serveQueues(options: ChatOptions): Promise<void> {
  const waiting = await options.database.kysely
    .selectFrom("chat_chats")
    .select("app")
    .distinct()
    .where("phase", "=", "queued")
    .execute();
  for (const { app } of waiting) await withAppLock(options, app, () => Promise.resolve());
}

/** Ignores a refusal: the chat has changed since it was selected. */
function rethrowUnlessRefused(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
