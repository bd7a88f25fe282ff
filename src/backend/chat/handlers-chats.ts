import { z } from "zod";
import {
  actor,
  chatChange,
  closing,
  history,
  historyFormat,
  inbox,
  invitation,
  newChat,
} from "../../api/chat/schema.ts";
import { chatFilter } from "../../api/chat/schema-lists.ts";
import { Refusal } from "../http/refusal.ts";
import { toStorable } from "../../storage/storable.ts";
import { searchTermsOf } from "../storage/search-index.ts";
import { readAgent } from "./agents/agents.ts";
import { assign, toInbox } from "./agents/assign.ts";
import { parseQuery } from "../auth/handling.ts";
import { actorOf, parseFields, parseFieldsOrQuery, kyselyOf } from "./request.ts";
import type { ChatRequest, ChatHandler } from "./request.ts";
import { lockChat, toChat } from "./chats/chat-rows.ts";
import type { ChatRow } from "./chats/chat-rows.ts";
import { createChat, importHistory } from "./chats/chats.ts";
import { close, SYSTEM } from "./chats/closing.ts";
import { exportHistory } from "./chats/history.ts";
import { accept, ask, reject } from "./chats/invitations.ts";
import { join, leave } from "./chats/joining.ts";
import { listChats } from "./chats/list-chats.ts";
import { requireIn } from "./chats/members.ts";
import { lockOpenChat } from "./chats/messages.ts";
import { move } from "./chats/move.ts";
import { type ChatPreview, readPreviews } from "./chats/preview.ts";
import { signsOf } from "./chats/signs.ts";
import { toUserView, toUsers } from "./agents/agent-rows.ts";
import { requireNoUser } from "./rights.ts";
import { withAppLock } from "./agents/queue.ts";
import type { AppLock } from "./app-lock.ts";
import { requireVisible, readVisibleChat } from "./chats/visible.ts";
import { refuseOverPersonalLimit } from "./access.ts";

const done = { success: true } as const;

/** Chats, and who is in them. */
export const CHAT_HANDLERS: Readonly<Record<`chat.${string}`, ChatHandler>> = {
  async "chat.createChat"(asked) {
    // Earlier messages are stored as new ones are.
    const refused = await refuseOverPersonalLimit(asked.options, asked.caller, "messages");
    if (refused !== null) return refused;
    const request = parseFields(newChat, asked);
    const creator = actorOf(asked, request.creator, "creator");
    const { options, app, idempotencyKey, caller } = asked;
    const source = caller.secret ? "app" : "person";
    const chat = await createChat(options, app, { ...request, creator }, idempotencyKey, source);
    return toChatAnswer(asked, chat);
  },
  async "chat.chats"(asked) {
    const filter = parseQuery(chatFilter, asked);
    const { data, hasMore } = await listChats(asked, filter);
    const next = hasMore ? (data.at(-1)?.id ?? null) : null;
    const terms = searchTermsOf(filter.search);
    const { database } = asked.options;
    const shows = terms !== null || filter.preview === true;
    const previews = shows
      ? await readPreviews(database, asked.caller, data, terms ?? [])
      : new Map<number, ChatPreview>();
    const chats = data.map((row) => ({
      ...toChatAnswer(asked, row).chat,
      ...previews.get(row.number),
    }));
    return { chats, hasMore, next };
  },
  async "chat.chat"(asked) {
    const row = await readVisibleChat(kyselyOf(asked), asked, asked.id);
    const signs = await signsOf(kyselyOf(asked), row, asked.options.now());
    return { chat: { ...toChatAnswer(asked, row).chat, ...signs } };
  },
  async "chat.changeChat"(asked) {
    const { externalId, lang } = parseFields(chatChange, asked);
    const row = await asked.options.database.durable(async (queries) => {
      const { context, chat } = await lockOpenChat(queries, asked.options, asked.app, asked.id);
      const set = {
        ...(externalId !== undefined && { external_id: toStorable(externalId).slice(0, 255) }),
        ...(lang !== undefined && { lang: toStorable(lang).slice(0, 35) }),
      };
      return move(context, chat, "change", { set: { ...set, idle: chat.idle } });
    });
    return toChatAnswer(asked, row);
  },
  async "chat.closeChat"(asked) {
    const { userId, reason } = parseFieldsOrQuery(closing, asked);
    const { person } = asked.caller;
    const why = reason === undefined || person?.kind === "user" ? null : toStorable(reason);
    // The app's server closes for anybody it names (seed.md 7.4); a person for themselves.
    const by = person === null ? toStorable(userId ?? SYSTEM) : actorOf(asked, userId, "userId");
    await turnOf(asked, async (lock, chat) => {
      const isTheirs = person === null || person.id === chat.creator || chat.phase === "closed";
      if (!isTheirs) await requireIn(lock.queries, chat, person.id);
      return close(lock, chat, by, why);
    });
    return done;
  },
  async "chat.assign"(asked) {
    return toFoundAnswer(asked, await assign(asked.options, asked.app, asked.id));
  },
  async "chat.toInbox"(asked) {
    const may = async ({ queries }: AppLock, chat: ChatRow): Promise<void> => {
      await requireVisible(queries, asked, chat);
      await requireHolder(asked, chat);
    };
    const { room } = parseFieldsOrQuery(inbox, asked);
    return toFoundAnswer(asked, await toInbox(asked.options, asked.app, asked.id, may, room));
  },
  async "chat.join"(asked) {
    const person = actorOf(asked, parseFieldsOrQuery(actor, asked).userId, "userId");
    await turnOf(asked, (lock, chat) => join(lock, chat, person));
    return done;
  },
  async "chat.leave"(asked) {
    const person = actorOf(asked, parseFieldsOrQuery(actor, asked).userId, "userId");
    await turnOf(asked, (lock, chat) => leave(lock, chat, person));
    return done;
  },
  async "chat.transfer"(asked) {
    const { userId } = parseFieldsOrQuery(actor, asked);
    if (userId === undefined) throw new Refusal(422, "userId: is missing");
    await turnOf(asked, async (lock, chat) => {
      await requireHolder(asked, chat);
      return ask(lock, chat, userId, "transfer");
    });
    return done;
  },
  async "chat.chatUsers"(asked) {
    const chat = await readVisibleChat(kyselyOf(asked), asked, asked.id);
    const people = await kyselyOf(asked)
      .selectFrom("chat_members")
      .innerJoin("chat_people", "chat_people.id", "chat_members.person")
      .selectAll("chat_people")
      .where("chat_members.chat", "=", chat.number)
      .where("chat_members.left_at", "is", null)
      .orderBy("chat_members.kind", "desc")
      .orderBy("chat_members.joined")
      .orderBy("chat_people.number")
      .execute();
    const users = await toUsers(kyselyOf(asked), people);
    return { users: asked.caller.person?.kind === "user" ? users.map(toUserView) : users };
  },
  async "chat.history"(asked) {
    const chat = await readVisibleChat(kyselyOf(asked), asked, asked.id);
    const { format } = parseQuery(historyFormat, asked);
    return exportHistory(kyselyOf(asked), chat, format?.toLowerCase() ?? "json");
  },
  async "chat.importHistory"(asked) {
    const { history: lines } = parseFields(z.object({ history }), asked);
    const { options, app } = asked;
    const messages = await options.database.durable(async (queries) => {
      const { context, chat } = await lockOpenChat(queries, options, app, asked.id);
      const moved = await move(context, chat, "import", { set: { idle: chat.idle } });
      return importHistory({ ...context, options }, moved, lines, "app");
    });
    return { history: messages };
  },
  async "chat.invite"(asked) {
    const { chatId, userId, type } = parseFields(invitation, asked);
    if (userId === undefined) throw new Refusal(422, "userId: is missing");
    const changeChat = async (lock: AppLock, chat: ChatRow): Promise<ChatRow> => {
      const { person } = asked.caller;
      if (person?.kind === "user") throw new Refusal(403, "Only agents invite agents.");
      if (person !== null && chat.phase === "held") await requireIn(lock.queries, chat, person.id);
      if (type === "transfer") await requireHolder(asked, chat);
      return ask(lock, chat, userId, type);
    };
    await turnOf({ ...asked, id: chatId }, changeChat);
    return done;
  },
  "chat.accept": (asked) => answerInvitation(asked, accept),
  "chat.reject": (asked) => answerInvitation(asked, reject),
};

async function answerInvitation(asked: ChatRequest, answer: typeof accept): Promise<object> {
  requireNoUser(asked);
  const { chatId, userId } = parseFields(invitation, asked);
  const agent = actorOf(asked, userId, "userId");
  await readAgent(kyselyOf(asked), asked.app, agent);
  await turnOf({ ...asked, id: chatId }, (lock, chat) => answer(lock, chat, agent));
  return done;
}

/** Does something to the chat of the path, which the caller must be able to see. */
function turnOf(
  asked: ChatRequest,
  work: (lock: AppLock, chat: ChatRow) => Promise<ChatRow>,
): Promise<ChatRow> {
  return withAppLock(asked.options, asked.app, async (lock) => {
    const chat = await lockChat(lock.queries, asked.app, asked.id);
    await requireVisible(lock.queries, asked, chat);
    return work(lock, chat);
  });
}

/** The app's server, or the agent who answers for the chat. Throws 403. */
async function requireHolder({ caller }: ChatRequest, chat: ChatRow): Promise<void> {
  const { person } = caller;
  if (person === null || person.id === chat.holder || person.id === chat.invited) return;
  throw new Refusal(403, "Only the agent who holds the chat may do this.");
}

/** Nobody found is an agent of null: clients look at the agent alone (chat.md 7). */
async function toFoundAnswer(asked: ChatRequest, row: ChatRow): Promise<object> {
  const agent =
    row.phase === "invited" && row.invited !== null
      ? await readAgent(kyselyOf(asked), asked.app, row.invited)
      : null;
  return { agent, ...toChatAnswer(asked, row) };
}

function toChatAnswer({ options, caller }: ChatRequest, row: ChatRow): { readonly chat: object } {
  const chat = toChat(row, options.wire);
  if (caller.person?.kind === "user") return { chat };
  const { close_reason: closeReason, closed_by: closedBy, awaits, reason, question } = row;
  return {
    chat: {
      ...chat,
      ...(reason !== null && { reason }),
      ...(question !== null && { question }),
      ...(awaits !== null && { waitingSince: Math.floor(awaits / 1000) }),
      ...(row.unanswered !== null && { unanswered: true }),
      ...(closedBy !== null && { closedBy }),
      ...(closeReason !== null && { closeReason }),
    },
  };
}
