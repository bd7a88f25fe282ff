import type { Answered, ChatDoor } from "../outside.ts";
import { ask, askFor, encoded, getting, type Link, mapped, type Question, reading } from "./ask.ts";
import type { Outside } from "./call.ts";
import {
  agentIn,
  availableIn,
  chatIn,
  idIn,
  isQueueMode,
  isSomebodyOnline,
  placeIn,
  surveyIn,
  usersIn,
} from "./chat-answers.ts";
import { readMessages } from "./chat-messages.ts";
import { holderOf } from "./chat-holder.ts";
import { openChatOf } from "./chat-of-user.ts";
import { multipart } from "./multipart.ts";
import { languageOf, nameOf } from "./person.ts";

export interface ChatDoorOptions {
  readonly outside: Outside;
  /** Base of the live chat, without `/v1`. */
  readonly base: string;
  readonly appId: string;
  readonly secret: string;
  /**
   * Milliseconds for one call. Default 5000. Looking for an agent has five seconds more: a webhook
   * may choose (chat.md 7).
   */
  readonly deadline?: number;
}

/**
 * The live chat for escalation. Knows no platform and no schema library: every answer is read with
 * care, and whatever comes back, nothing throws.
 *
 * @example
 * const chat = createChatDoor({ outside, base: "https://chat.example.com:8000", appId, secret });
 * const free = await chat.availability(1, "en");
 */
export function createChatDoor(options: ChatDoorOptions): ChatDoor {
  const { outside, base, appId, secret, deadline = 5000 } = options;
  const credentials = ["x-hyper-appId", appId, "x-hyper-secret", secret];
  const link: Link = {
    outside,
    base,
    headers: [...credentials, "Accept", "application/json"],
    deadline,
  };
  const looking: Link = { ...link, deadline: deadline + 5000 };

  const door: ChatDoor = {
    async availability(room, lang) {
      const mode = await queueMode();
      if (mode.kind !== "ok") return mode;
      const queue = mode.value;
      const langs = languageOf(lang) === "" ? "" : `&langs=${encoded(languageOf(lang))}`;
      const of = encoded(String(room));
      if (queue) {
        const question = getting("chat.onlineAgents", `/agents/online?roomId=${of}${langs}`);
        return askFor(link, question, (value) => {
          const online = isSomebodyOnline(value);
          return online === null ? null : { agents: online ? 1 : 0, queue };
        });
      }
      const question = getting("chat.availableAgents", `/agents/available?roomIds=${of}${langs}`);
      return askFor(link, question, (value) => {
        const agents = availableIn(value, String(room));
        return agents === null ? null : { agents, queue };
      });
    },

    async findUser(externalId) {
      const question = getting("chat.users", `/users?externalId=${encoded(externalId)}`);
      const answer = await ask(link, question);
      if (isAbsent(answer)) return nothing;
      const found = reading(answer, question, (value) => usersIn(value, externalId));
      return mapped(found, ([first = null]) => first);
    },

    async createUser({ externalId, person, extraInfo }) {
      const question = post("chat.createUser", "/users");
      const name = nameOf(person);
      const contact = person.email === "" ? {} : { contact: person.email };
      const json = { name, externalId, extraInfo, ...contact };
      const answer = await ask(link, { ...question, json });
      // Somebody has the externalId: it is ours, from an attempt whose answer was lost (chat.md 6).
      if (answer.kind === "refused" && answer.status === 409) {
        const found = await door.findUser(externalId);
        if (found.kind === "failed") return { ...found, sent: false };
        if (found.kind === "refused" || found.value === null) return answer;
        await door.updateUser(found.value.id, person);
        return { kind: "ok", value: { id: found.value.id } };
      }
      return reading(answer, question, (value) => idIn(value, "user"));
    },

    async updateUser(id, person) {
      const json = {
        name: nameOf(person),
        ...(person.email === "" ? {} : { contact: person.email }),
      };
      return done(await ask(link, { ...put("chat.changeUser", `/users/${encoded(id)}`), json }));
    },

    async openChat({ externalId, user, room, lang, source, history, idempotencyKey }) {
      const question = post("chat.createChat", "/chats");
      const language = languageOf(lang) === "" ? {} : { lang: languageOf(lang) };
      const lines = history.length === 0 ? {} : { history: history.slice(-mostHistory) };
      const json = { room, creator: user, source, ...language, externalId, ...lines };
      const headers = ["Idempotency-Key", idempotencyKey];
      const answer = await ask(link, { ...question, headers, json });
      // The key was used, when less had been said; or the user has a chat: it may be this one.
      if (answer.kind === "refused" && answer.status === 409) {
        return (await openChatOf(link, user, externalId)) ?? answer;
      }
      return reading(answer, question, (value) => idIn(value, "chat"));
    },

    async chat(id) {
      const question = getting("chat.chat", `/chats/${encoded(id)}`);
      const answer = await ask(link, question);
      if (isAbsent(answer)) return nothing;
      const read = reading(answer, question, chatIn);
      if (read.kind !== "ok") return read;
      const { created: _, agent, ...chat } = read.value;
      if (agent !== undefined) return { kind: "ok", value: { ...chat, agent } };
      const holder = chat.status === "active" ? await holderOf(link, id) : nobody;
      return mapped(holder, ({ agent: known }) => ({ ...chat, agent: known }));
    },

    async assign(chat) {
      const question = getting("chat.assign", `/chats/${encoded(chat)}/assign`);
      return askFor(looking, { ...question, creates: true }, (value) => ({
        agent: agentIn(value),
      }));
    },

    async say(chat, user, text, idempotencyKey) {
      const question = post("chat.sendMessage", `/chats/${encoded(chat)}/messages`);
      const json = { chatId: chat, sender: user, message: text };
      const headers = ["Idempotency-Key", idempotencyKey];
      return askFor(link, { ...question, headers, json }, (value) => idIn(value, "message"));
    },

    messages: (chat, after) => readMessages(link, chat, after),

    async attach(chat, user, name, type, bytes) {
      const file = { field: "media", name, type, bytes };
      const form = multipart({ chatId: chat, senderId: user }, file);
      return done(await ask(link, { ...post("chat.upload", "/media"), bytes: form }));
    },

    async close(chat, user) {
      const by = user === null ? "" : `?userId=${encoded(user)}`;
      const path = `/v1/chats/${encoded(chat)}${by}`;
      const question = { name: "chat.closeChat", method: "DELETE", creates: true } as const;
      const answer = await ask(link, { ...question, silent: true, path });
      if (answer.kind !== "refused" || answer.status !== 409) return done(answer);
      // Closing what is closed is refused; that it is closed is all that was wanted.
      const state = await door.chat(chat);
      return state.kind === "ok" && state.value?.status === "closed" ? nothing : answer;
    },

    async place(chat) {
      const answer = await ask(link, getting("chat.queuePlace", `/queues/update/${encoded(chat)}`));
      return isAbsent(answer) ? nothing : mapped(answer, placeIn);
    },

    async survey(id, chat) {
      const about = `sourceType=chat&sourceId=${encoded(chat)}`;
      const answer = await ask(link, getting("chat.survey", `/surveys/${encoded(id)}?${about}`));
      return isAbsent(answer) ? nothing : mapped(answer, surveyIn);
    },
  };
  return door;

  async function queueMode(): Promise<Answered<boolean>> {
    const answer = await ask(link, getting("chat.settings", "/settings"));
    // A service without settings has no queue.
    if (isAbsent(answer)) return { kind: "ok", value: false };
    return mapped(answer, isQueueMode);
  }
}

/** What a chat service takes at once. */
const mostHistory = 1000;

const nothing: Answered<null> = { kind: "ok", value: null };
const nobody = { kind: "ok", value: { agent: null } } as const;

function post(name: string, path: string): Question {
  return { name, method: "POST", path: `/v1${path}`, creates: true };
}

function put(name: string, path: string): Question {
  return { name, method: "PUT", path: `/v1${path}`, creates: false, silent: true };
}

function done(answer: Answered<unknown>): Answered<null> {
  return mapped(answer, () => null);
}

function isAbsent(answer: Answered<unknown>): boolean {
  return answer.kind === "refused" && (answer.status === 404 || answer.status === 410);
}
