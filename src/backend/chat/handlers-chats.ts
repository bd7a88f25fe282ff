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
  transferee,
} from "../../api/chat/schema.ts";
import { chatFilter } from "../../api/chat/schema-lists.ts";
import { Refusal, refuseFor } from "../http/refusal.ts";
import { toStorable } from "../../storage/storable.ts";
import { searchTermsOf } from "../storage/search-index.ts";
import { readAgent } from "./agents/agents.ts";
import { assign, toInbox } from "./agents/assign.ts";
import { parseQuery } from "../auth/handling.ts";
import { actorOf, parseFields, parseFieldsOrQuery } from "./request.ts";
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
import { requirePersonalLimit } from "./access.ts";
import { findPerson } from "./tickets/person.ts";

const done = { success: true } as const;

/** Chats and their members. */
export const CHAT_HANDLERS = {
  async createChat(request) {
    // Earlier messages count towards the limit like new ones.
    await requirePersonalLimit(request, "messages");
    const fields = parseFields(newChat, request);
    const creator = actorOf(request, fields.creator, "creator");
    const { options, app, idempotencyKey, caller } = request;
    const source = caller.secret ? "app" : "person";
    const chat = await createChat(options, app, { ...fields, creator }, idempotencyKey, source);
    return toChatAnswer(request, chat);
  },
  async chats(request) {
    const { person, ...given } = parseQuery(chatFilter, request);
    if (person !== undefined) requireNoUser(request);
    const of = person === undefined ? null : await findPerson(request, toStorable(person));
    const filter = { ...given, creators: of?.users };
    const { data, hasMore } = await listChats(request, filter);
    const next = hasMore ? (data.at(-1)?.id ?? null) : null;
    const terms = searchTermsOf(filter.search);
    const { database } = request.options;
    const shows = terms !== null || filter.preview === true;
    const previews = shows
      ? await readPreviews(database, request.caller, data, terms ?? [])
      : new Map<number, ChatPreview>();
    const chats = data.map((row) => ({
      ...toChatAnswer(request, row).chat,
      ...previews.get(row.number),
    }));
    return { chats, hasMore, next };
  },
  async chat(request) {
    const row = await readVisibleChat(request, request.id);
    const signs = await signsOf(request.queries, row, request.options.now());
    return { chat: { ...toChatAnswer(request, row).chat, ...signs } };
  },
  async changeChat(request) {
    const { externalId, lang } = parseFields(chatChange, request);
    const row = await request.options.database.durable(async (queries) => {
      const { context, chat } = await lockOpenChat(
        queries,
        request.options,
        request.app,
        request.id,
      );
      const set = {
        ...(externalId !== undefined && { external_id: toStorable(externalId).slice(0, 255) }),
        ...(lang !== undefined && { lang: toStorable(lang).slice(0, 35) }),
      };
      return move(context, chat, "change", { set: { ...set, idle: chat.idle } });
    });
    return toChatAnswer(request, row);
  },
  async closeChat(request) {
    const { userId, reason } = parseFieldsOrQuery(closing, request);
    const { person } = request.caller;
    const why = reason === undefined || person?.kind === "user" ? null : toStorable(reason);
    // The app's server closes for anybody it names (seed.md 7.4); a person for themselves.
    const by = person === null ? toStorable(userId ?? SYSTEM) : actorOf(request, userId, "userId");
    await turnOf(request, async (lock, chat) => {
      const isTheirs = person === null || person.id === chat.creator || chat.phase === "closed";
      if (!isTheirs) await requireIn(lock.queries, chat, person.id);
      return close(lock, chat, by, why);
    });
    return done;
  },
  async assign(request) {
    return toFoundAnswer(request, await assign(request.options, request.app, request.id));
  },
  async toInbox(request) {
    const may = async ({ queries }: AppLock, chat: ChatRow): Promise<void> => {
      await requireVisible(queries, request, chat);
      await requireHolder(request, chat);
    };
    const { room } = parseFieldsOrQuery(inbox, request);
    return toFoundAnswer(
      request,
      await toInbox(request.options, request.app, request.id, may, room),
    );
  },
  async join(request) {
    const person = actorOf(request, parseFieldsOrQuery(actor, request).userId, "userId");
    await turnOf(request, (lock, chat) => join(lock, chat, person));
    return done;
  },
  async leave(request) {
    const person = actorOf(request, parseFieldsOrQuery(actor, request).userId, "userId");
    await turnOf(request, (lock, chat) => leave(lock, chat, person));
    return done;
  },
  async transfer(request) {
    const { userId } = parseFieldsOrQuery(transferee, request);
    await turnOf(request, async (lock, chat) => {
      await requireHolder(request, chat);
      return ask(lock, chat, userId, "transfer");
    });
    return done;
  },
  async chatUsers(request) {
    const chat = await readVisibleChat(request, request.id);
    const people = await request.queries
      .selectFrom("chat_members")
      .innerJoin("chat_people", "chat_people.id", "chat_members.person")
      .selectAll("chat_people")
      .where("chat_members.chat", "=", chat.number)
      .where("chat_members.left_at", "is", null)
      .orderBy("chat_members.kind", "desc")
      .orderBy("chat_members.joined")
      .orderBy("chat_people.number")
      .execute();
    const users = await toUsers(request.queries, people);
    return { users: request.caller.person?.kind === "user" ? users.map(toUserView) : users };
  },
  async history(request) {
    const chat = await readVisibleChat(request, request.id);
    const { format } = parseQuery(historyFormat, request);
    return exportHistory(request.queries, chat, format?.toLowerCase() ?? "json");
  },
  async importHistory(request) {
    const { history: lines } = parseFields(z.object({ history }), request);
    const { options, app } = request;
    const messages = await options.database.durable(async (queries) => {
      const { context, chat } = await lockOpenChat(queries, options, app, request.id);
      const moved = await move(context, chat, "import", { set: { idle: chat.idle } });
      return importHistory({ ...context, options }, moved, lines, "app");
    });
    return { history: messages };
  },
  async invite(request) {
    const { chatId, userId, type } = parseFields(invitation, request);
    if (userId === undefined) throw new Refusal(422, "userId: is missing");
    const changeChat = async (lock: AppLock, chat: ChatRow): Promise<ChatRow> => {
      const { person } = request.caller;
      if (person?.kind === "user") throw new Refusal(403, "Only agents invite agents.");
      if (person !== null && chat.phase === "held") await requireIn(lock.queries, chat, person.id);
      if (type === "transfer") await requireHolder(request, chat);
      return ask(lock, chat, userId, type);
    };
    await turnOf({ ...request, id: chatId }, changeChat);
    return done;
  },
  accept: (request) => answerInvitation(request, accept),
  reject: (request) => answerInvitation(request, reject),
} satisfies Readonly<Record<string, ChatHandler>>;

async function answerInvitation(request: ChatRequest, answer: typeof accept): Promise<object> {
  requireNoUser(request);
  const { chatId, userId } = parseFields(invitation, request);
  const agent = actorOf(request, userId, "userId");
  await readAgent(request.queries, request.app, agent);
  await turnOf({ ...request, id: chatId }, (lock, chat) => answer(lock, chat, agent));
  return done;
}

/** Creates a handler that changes the chat of the path, if the caller may see it. */
function turnOf(
  request: ChatRequest,
  work: (lock: AppLock, chat: ChatRow) => Promise<ChatRow>,
): Promise<ChatRow> {
  return withAppLock(request.options, request.app, async (lock) => {
    const chat = await lockChat(lock.queries, request.app, request.id);
    await requireVisible(lock.queries, request, chat);
    return work(lock, chat);
  });
}

/**
 * Throws 403 unless the caller is the app's server or the agent who holds the chat, or is invited to a
 * chat that nobody holds.
 */
async function requireHolder({ caller }: ChatRequest, chat: ChatRow): Promise<void> {
  const { person } = caller;
  if (person === null || person.id === (chat.holder ?? chat.invited)) return;
  throw refuseFor(403, "holder", "Only the agent who holds the chat may do this.");
}

/** If nobody was found, `agent` is null, because clients check only this field (chat.md 7). */
async function toFoundAnswer(request: ChatRequest, row: ChatRow): Promise<object> {
  const agent =
    row.phase === "invited" && row.invited !== null
      ? await readAgent(request.queries, request.app, row.invited)
      : null;
  return { agent, ...toChatAnswer(request, row) };
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
