import { createUploadForm } from "../../api/chat/caller.ts";
import type { Person } from "../stores/record.ts";
import type { CallResult } from "./call-result.ts";
import type { ChatServiceMessage, ChatState, QueuePosition } from "./chat-answers.ts";
import { type ChatCalls, type ChatServiceOptions, createChatCalls } from "./chat-calls.ts";
import { readChatMessages } from "./chat-messages.ts";
import { createAgents, createUsers } from "./chat-people.ts";
import { createChats } from "./chats.ts";

/** The chat service as escalation needs it. Never throws; every call ends within its deadline. */
export interface ChatService {
  /** How many agents are free (queue mode: 1 when an agent is online) and whether chats queue. */
  availability(
    room: string | number,
    lang: string,
  ): Promise<CallResult<{ agents: number; queue: boolean }>>;
  /** False if no agent is online. Asked again every ten seconds, and when `since` is later. */
  isStaffed(room: string | number, lang: string, since: number, now: number): Promise<boolean>;
  /** The user with this external id, or null. */
  findUser(
    externalId: string,
  ): Promise<CallResult<{ id: string; chats: readonly string[] } | null>>;
  createUser(user: {
    readonly externalId: string;
    readonly person: Person;
    readonly extraInfo: { readonly [name: string]: string };
  }): Promise<CallResult<{ id: string }>>;
  /** Name, contact and extra information of a user that is there already. */
  updateUser(id: string, person: Person): Promise<CallResult<null>>;
  openChat(chat: {
    readonly externalId: string;
    readonly user: string;
    readonly room: string | number;
    readonly lang: string;
    readonly source: string | number;
    readonly history: readonly { sender: string; message: string; created: number }[];
    /** Sent as Idempotency-Key, for a service that honours it. */
    readonly idempotencyKey: string;
    /** For agents: why a person is needed, and what was asked before. */
    readonly about?: {
      readonly reason?: string | undefined;
      readonly question?: string | undefined;
    };
  }): Promise<CallResult<{ id: string }>>;
  chat(id: string): Promise<CallResult<ChatState | null>>;
  /** The agent who was invited, or null when there is none. */
  assign(chat: string): Promise<CallResult<{ agent: string | null }>>;
  say(
    chat: string,
    user: string,
    text: string,
    idempotencyKey: string,
  ): Promise<CallResult<{ id: string }>>;
  /** Messages after the one with this id (empty: all), without imported history, in order. */
  messages(chat: string, after: string): Promise<CallResult<readonly ChatServiceMessage[]>>;
  /** Tells the others in the chat. A service may not know `away` and `back`, which are ours. */
  activity(
    chat: string,
    user: string,
    type: "writing" | "not-writing" | "away" | "back",
  ): Promise<CallResult<null>>;
  markRead(message: string, user: string): Promise<CallResult<null>>;
  /** Finds the name that readers see of an agent; empty if it cannot be found out. */
  agentName(id: string): Promise<string>;
  attach(
    chat: string,
    user: string,
    name: string,
    type: string,
    bytes: Uint8Array,
  ): Promise<CallResult<null>>;
  /** `reason` is for agents: why it was closed. */
  close(chat: string, user: string | null, reason?: string): Promise<CallResult<null>>;
  queuePosition(chat: string): Promise<CallResult<QueuePosition | null>>;
  survey(id: string, chat: string): Promise<CallResult<{ url: string } | null>>;
}

/**
 * The live chat for escalation. Every answer is validated, and no answer makes it throw.
 *
 * @example
 * const chat = createChatService({ send, base: "https://chat.example.com:8000", appId, secret });
 * const free = await chat.availability(1, "en");
 */
export function createChatService(options: ChatServiceOptions): ChatService {
  const calls = createChatCalls(options);
  return {
    ...createAgents(calls),
    ...createUsers(calls),
    ...createChats(calls),
    ...createMessages(calls),
  };
}

/** Creates the calls about the messages of a chat, and the signs that go with them. */
function createMessages({
  run,
  get,
  create,
}: ChatCalls): Pick<ChatService, "say" | "messages" | "activity" | "markRead" | "attach"> {
  return {
    say: (id, sender, message, idempotencyKey) =>
      create("message", "sendMessage", {
        id,
        body: { chatId: id, sender, message },
        idempotencyKey,
      }),

    messages: (chat, after) => readChatMessages(get, chat, after),

    activity: (chatId, id, type) => run("activity", { id, body: { type, chatId }, answer: "none" }),

    markRead: (id, userId) => run("readMessage", { id, body: { userId }, answer: "none" }),

    attach: (chatId, senderId, name, type, bytes) =>
      run("upload", { body: createUploadForm({ name, bytes, type }, { chatId, senderId }) }, true),
  };
}
