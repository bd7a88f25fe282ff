import { chatCaller, type ChatOperationName, uploadForm } from "../../api/chat/caller.ts";
import type { CallInput } from "../../api/call/caller.ts";
import { languageOf } from "../../locales/tag.ts";
import type { Person } from "../record.ts";
import { answered, type Answered, isMissing, mapped, readBy, type SendCall } from "./answered.ts";
import {
  agentAmong,
  agentNameIn,
  invitedAgentIn,
  availableIn,
  chatIn,
  endingIn,
  type ChatServiceMessage,
  type ChatState,
  idIn,
  isQueueMode,
  areAgentsOnline,
  openChatsIn,
  placeIn,
  surveyIn,
  usersIn,
} from "./chat-answers.ts";
import { readChatMessages } from "./chat-messages.ts";
import { personName } from "./person-name.ts";

/** The chat service as escalation needs it. Never throws; every call ends within its deadline. */
export interface ChatService {
  /** How many agents are free (queue mode: 1 when an agent is online) and whether chats queue. */
  availability(
    room: string | number,
    lang: string,
  ): Promise<Answered<{ agents: number; queue: boolean }>>;
  /** False: no agent is online. Asked anew every ten seconds, and where `since` is later. */
  isStaffed(room: string | number, lang: string, since: number, now: number): Promise<boolean>;
  /** The user with this external id, or null. */
  findUser(externalId: string): Promise<Answered<{ id: string; chats: readonly string[] } | null>>;
  createUser(user: {
    readonly externalId: string;
    readonly person: Person;
    readonly extraInfo: { readonly [name: string]: string };
  }): Promise<Answered<{ id: string }>>;
  /** Name, contact and extra information of a user that is there already. */
  updateUser(id: string, person: Person): Promise<Answered<null>>;
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
  }): Promise<Answered<{ id: string }>>;
  chat(id: string): Promise<Answered<ChatState | null>>;
  /** The agent who was invited, or null when there is none. */
  assign(chat: string): Promise<Answered<{ agent: string | null }>>;
  say(
    chat: string,
    user: string,
    text: string,
    idempotencyKey: string,
  ): Promise<Answered<{ id: string }>>;
  /** Messages after the one with this id (empty: all), without imported history, in order. */
  messages(chat: string, after: string): Promise<Answered<readonly ChatServiceMessage[]>>;
  /** Tells the others in the chat. A service may not know `away` and `back`, which are ours. */
  activity(
    chat: string,
    user: string,
    type: "writing" | "not-writing" | "away" | "back",
  ): Promise<Answered<null>>;
  markRead(message: string, user: string): Promise<Answered<null>>;
  /** What readers see of an agent; empty where that is not to be found out. */
  agentName(id: string): Promise<string>;
  attach(
    chat: string,
    user: string,
    name: string,
    type: string,
    bytes: Uint8Array,
  ): Promise<Answered<null>>;
  /** `reason` is for agents: why it was closed. */
  close(chat: string, user: string | null, reason?: string): Promise<Answered<null>>;
  place(chat: string): Promise<Answered<{ position: number; estimate: number | null } | null>>;
  survey(id: string, chat: string): Promise<Answered<{ url: string } | null>>;
}

export interface ChatServiceOptions {
  readonly send: SendCall;
  /** Base of the live chat, without `/v1`. */
  readonly base: string;
  readonly appId: string;
  readonly secret: string;
  /** Milliseconds for a call. Default 5000; agent search has 5 s more for a webhook (chat.md 7). */
  readonly deadline?: number;
}

/**
 * The live chat for escalation. Every answer is read with care, and whatever comes back, nothing
 * throws.
 *
 * @example
 * const chat = createChatService({ send, base: "https://chat.example.com:8000", appId, secret });
 * const free = await chat.availability(1, "en");
 */
export function createChatService(options: ChatServiceOptions): ChatService {
  const { send, base, appId, secret, deadline = 5000 } = options;
  const within = (milliseconds: number) =>
    chatCaller({ url: base, appId, secret, send: (call) => send(call, milliseconds) });
  const { call } = within(deadline);
  const get = (name: ChatOperationName, input?: CallInput): Promise<Answered<unknown>> =>
    answered(false, () => call(name, input));
  const create = (wrapper: string, name: ChatOperationName, input: CallInput) =>
    answered(true, async () =>
      readBy(`chat.${name}`, await call(name, input), (value) => idIn(value, wrapper)),
    );

  const staffed = new Map<string, { readonly at: number; readonly answer: Promise<boolean> }>();
  const service: ChatService = {
    async availability(room, lang) {
      const mode = await queueMode();
      if (mode.kind !== "ok") return mode;
      const queue = mode.value;
      const langs = languageOf(lang) === "" ? undefined : languageOf(lang);
      return answered(false, async () => {
        if (queue) {
          const name = "onlineAgents";
          const query = { roomId: room, langs };
          const value = await call(name, { query });
          return { agents: readBy(`chat.${name}`, value, areAgentsOnline) ? 1 : 0, queue };
        }
        const name = "availableAgents";
        const query = { roomIds: room, langs };
        const value = await call(name, { query });
        const agents = readBy(`chat.${name}`, value, (all) => availableIn(all, String(room)));
        return { agents, queue };
      });
    },

    isStaffed(room, lang, since, now) {
      const key = `${room} ${lang}`;
      const known = staffed.get(key);
      if (known !== undefined && known.at >= since && now < known.at + 10_000) return known.answer;
      const free = service.availability(room, lang);
      const answer = free.then((all) => all.kind !== "ok" || all.value.agents > 0);
      staffed.set(key, { at: now, answer });
      return answer;
    },

    async findUser(externalId) {
      const found = await answered(false, async () => {
        const value = await call("users", { query: { externalId } });
        const [first = null] = readBy("chat.users", value, (users) => usersIn(users, externalId));
        return first;
      });
      return isMissing(found) ? nothing : found;
    },

    async createUser({ externalId, person, extraInfo }) {
      const body = { ...contactOf(person), externalId, extraInfo };
      const made = await create("user", "createUser", { body });
      if (made.kind !== "refused" || made.status !== 409) return made;
      // A user with this id is ours, from an attempt whose answer was lost (chat.md 6).
      const found = await service.findUser(externalId);
      if (found.kind === "failed") return { ...found, sent: false };
      if (found.kind === "refused" || found.value === null) return made;
      await service.updateUser(found.value.id, person);
      return { kind: "ok", value: { id: found.value.id } };
    },

    updateUser: (id, person) =>
      answered(false, async () => {
        const input = { id, body: contactOf(person), answer: "none" } as const;
        await call("changeUser", input);
        return null;
      }),

    async openChat({ externalId, user, room, lang, source, history, idempotencyKey, about = {} }) {
      const body = {
        room,
        creator: user,
        source,
        ...(languageOf(lang) === "" ? {} : { lang: languageOf(lang) }),
        externalId,
        ...(history.length === 0 ? {} : { history: history.slice(-mostHistory) }),
      };
      const whole = { ...body, ...about };
      const first = await create("chat", "createChat", { body: whole, idempotencyKey });
      // `about` is ours: a service that takes only what it knows opens the chat without it.
      const isStrict = first.kind === "refused" && (first.status === 400 || first.status === 422);
      const made = isStrict ? await create("chat", "createChat", { body, idempotencyKey }) : first;
      if (made.kind !== "refused" || made.status !== 409) return made;
      // The key was used, when less had been said; or the user has a chat: it may be this one.
      return (await openChatOf(user, externalId)) ?? made;
    },

    async chat(id) {
      const read = await answered(false, async () =>
        readBy("chat.chat", await call("chat", { id }), chatIn),
      );
      if (isMissing(read)) return nothing;
      if (read.kind !== "ok") return read;
      const { created: _, agent, ...state } = read.value;
      const isEnded = state.status === "closed" && state.closedBy === undefined;
      const ending = isEnded ? mapped(await get("history", { id }), endingIn) : null;
      const chat = ending?.kind === "ok" ? { ...state, ...ending.value } : state;
      if (agent !== undefined) return { kind: "ok", value: { ...chat, agent } };
      if (chat.status !== "active") return { kind: "ok", value: { ...chat, agent: null } };
      return mapped(await agentOf(id), (found) => ({ ...chat, agent: found }));
    },

    assign: (id) =>
      answered(true, async () => {
        const patient = within(deadline + 5000);
        return {
          agent: invitedAgentIn(await patient.call("assign", { id })),
        };
      }),

    say: (id, sender, message, idempotencyKey) =>
      create("message", "sendMessage", {
        id,
        body: { chatId: id, sender, message },
        idempotencyKey,
      }),

    messages: (chat, after) => readChatMessages(get, chat, after),

    activity: (chatId, id, type) =>
      answered(false, async () => {
        await call("activity", { id, body: { type, chatId }, answer: "none" });
        return null;
      }),

    markRead: (id, userId) =>
      answered(false, async () => {
        await call("readMessage", { id, body: { userId }, answer: "none" });
        return null;
      }),

    async agentName(id) {
      const answer = await get("user", { id });
      return answer.kind === "ok" ? (agentNameIn(answer.value) ?? "") : "";
    },

    attach: (chatId, senderId, name, type, bytes) =>
      answered(true, async () => {
        const body = uploadForm({ name, bytes, type }, { chatId, senderId });
        await call("upload", { body });
        return null;
      }),

    async close(id, user, reason) {
      const answer = await answered(true, async () => {
        const query = { userId: user ?? undefined, reason };
        await call("closeChat", { id, query, answer: "none" });
        return null;
      });
      if (answer.kind !== "refused" || answer.status !== 409) return answer;
      // Closing what is closed is refused; that it is closed is all that was wanted.
      const state = await service.chat(id);
      return state.kind === "ok" && state.value?.status === "closed" ? nothing : answer;
    },

    async place(id) {
      const answer = await get("queuePlace", { id });
      return isMissing(answer) ? nothing : mapped(answer, placeIn);
    },

    async survey(id, chat) {
      const query = { sourceType: "chat", sourceId: chat };
      const answer = await get("survey", { id, query });
      return isMissing(answer) ? nothing : mapped(answer, surveyIn);
    },
  };
  return service;

  async function queueMode(): Promise<Answered<boolean>> {
    const answer = await get("settings");
    // A service without settings has no queue.
    return isMissing(answer) ? { kind: "ok", value: false } : mapped(answer, isQueueMode);
  }

  /** The user's open chat with our id, or null; on failures it is uncertain. */
  async function openChatOf(
    user: string,
    externalId: string,
  ): Promise<Answered<{ readonly id: string }> | null> {
    const found = await get("user", { id: user });
    if (found.kind === "failed") return { ...found, sent: true };
    if (found.kind === "refused") return null;
    for (const id of openChatsIn(found.value)) {
      const answer = await get("chat", { id });
      if (answer.kind === "failed") return { ...answer, sent: true };
      if (answer.kind === "ok" && chatIn(answer.value)?.externalId === externalId) {
        return { kind: "ok", value: { id } };
      }
    }
    return null;
  }

  /** A chat's agent from the people in it, when its record names none; null where not listed. */
  async function agentOf(id: string): Promise<Answered<string | null>> {
    const answer = await get("chatUsers", { id });
    return answer.kind === "refused" ? nothing : mapped(answer, agentAmong);
  }
}

/** What a chat service takes at once. */
const mostHistory = 1000;

const nothing: Answered<null> = { kind: "ok", value: null };

function contactOf(person: Person): { readonly name: string; readonly contact?: string } {
  return { name: personName(person), ...(person.email === "" ? {} : { contact: person.email }) };
}
