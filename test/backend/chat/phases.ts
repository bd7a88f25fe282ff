import { vi } from "vitest";
import { lockChat } from "../../../src/backend/chat/chats/chat-rows.ts";
import type { Act, Phase } from "../../../src/backend/chat/chats/machine.ts";
import { move } from "../../../src/backend/chat/chats/move.ts";
import { withAppLock } from "../../../src/backend/chat/agents/queue.ts";
import type { Json } from "../client.ts";
import { echo } from "./service.ts";
import type { Answered, Service } from "./service.ts";

/** A chat in a certain phase, and its people. */
export interface ChatInPhase {
  readonly service: Service;
  readonly chat: string;
  readonly user: string;
  /** The one agent of the chat's room, with one slot. */
  readonly sam: string;
  /** An agent of another room, whom no search of this chat finds. */
  readonly eve: string;
  /** A line of the chat's history. */
  readonly message: string;
  /** Ends a search that waits for a registered address. */
  readonly release: () => Promise<void>;
}

/** Brings a new chat into a phase, only by requests. */
export async function reach(service: Service, phase: Phase): Promise<ChatInPhase> {
  const { ask, agent, user: newUser, hooks } = service;
  const sam = await agent({ online: phase !== "queued" && phase !== "alone" });
  const eve = await agent({ rooms: ["2"] });
  const user = await newUser();
  if (phase === "queued") await ask("PUT", "settings", { queue: { active: true } });
  const history = [{ sender: "assistant", message: "Hello", created: 1_700_000_000 }];
  const made = await ask("POST", "chats", { room: 1, creator: user, history });
  const chat: string = made.body.chat.id;
  const lines = await ask("GET", `chats/${chat}/messages`);
  let release: ChatInPhase["release"] = () => Promise.resolve();
  if (phase === "searching") {
    await ask("POST", "webhooks", { events: "chats:assign", target: "https://hook.test/" });
    const { promise, resolve } = Promise.withResolvers<void>();
    hooks.answer = (call) => promise.then(() => echo(call));
    const search = ask("GET", `chats/${chat}/assign`);
    await vi.waitFor(async () => {
      if ((await phaseOf(service, chat)) !== "searching") throw new Error("not yet");
    }, 40_000);
    release = async () => {
      resolve();
      await search;
    };
  } else if (phase !== "created" && phase !== "queued" && phase !== "closed") {
    await ask("GET", `chats/${chat}/assign`);
  }
  if (phase === "held") await ask("POST", "invitations/accept", { chatId: chat, userId: sam });
  if (phase === "closed") await ask("DELETE", `chats/${chat}`);
  const is = await phaseOf(service, chat);
  if (is !== phase) throw new Error(`the chat is ${is}, not ${phase}`);
  return { service, chat, user, sam, eve, message: lines.body.messages[0].id, release };
}

/** The request for each act. */
export const ASKING: Readonly<Partial<Record<Act, (scene: ChatInPhase) => Promise<Answered>>>> = {
  assign: ({ service, chat }) => service.ask("GET", `chats/${chat}/assign`),
  ask: ({ service, chat, eve }) =>
    service.ask("POST", "invitations", { chatId: chat, userId: eve }),
  accept: ({ service, chat, sam }) =>
    service.ask("POST", "invitations/accept", { chatId: chat, userId: sam }),
  reject: ({ service, chat, sam }) =>
    service.ask("POST", "invitations/reject", { chatId: chat, userId: sam }),
  join: ({ service, chat, eve }) => service.ask("POST", `chats/${chat}/join`, { userId: eve }),
  return: ({ service, chat, user }) => service.ask("POST", `chats/${chat}/join`, { userId: user }),
  leave: ({ service, chat, sam }) => service.ask("PUT", `chats/${chat}/leave`, { userId: sam }),
  stepOut: ({ service, chat, user }) => service.ask("PUT", `chats/${chat}/leave`, { userId: user }),
  transfer: ({ service, chat, eve }) =>
    service.ask("POST", `chats/${chat}/transfer`, { userId: eve }),
  toInbox: ({ service, chat }) => service.ask("POST", `chats/${chat}/toinbox`),
  message: ({ service, chat, user }) =>
    service.ask("POST", `chats/${chat}/messages`, { sender: user, message: "Hi" }),
  import: ({ service, chat }) =>
    service.ask("POST", `chats/${chat}/history`, { history: [{ sender: "user", message: "x" }] }),
  read: ({ service, message, user }) =>
    service.ask("PUT", `messages/${message}/read`, { userId: user }),
  write: ({ service, chat, user }) =>
    service.ask("POST", `users/${user}/activity`, { type: "writing", chatId: chat }),
  appear: ({ service, chat, user }) =>
    service.ask("POST", `users/${user}/activity`, { type: "away", chatId: chat }),
  change: ({ service, chat }) => service.ask("PUT", `chats/${chat}`, { externalId: "x" }),
  close: ({ service, chat }) => service.ask("DELETE", `chats/${chat}`),
};

/** Performs an act of the service itself, and returns the phase after it. */
export async function bySystem({ service, chat, sam }: ChatInPhase, act: Act): Promise<Phase> {
  const { options, appId } = service;
  return withAppLock(options, appId, async (turn) => {
    const row = await lockChat(turn.queries, appId, chat);
    const set = act === "invite" ? { invited: sam, invitation: "assign", due: turn.now } : {};
    const moved: Json = await move(turn, row, act, { set });
    return moved.phase;
  });
}

/** Reads the phase from the database. */
export async function phaseOf({ options }: Service, chat: string): Promise<string> {
  const query = options.database.kysely.selectFrom("chat_chats").select("phase");
  return (await query.where("id", "=", chat).executeTakeFirstOrThrow()).phase;
}
