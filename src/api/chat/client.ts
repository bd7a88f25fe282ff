import { trustAnswer, readListMember, memberOf, readTextMember } from "../call/read.ts";
import type { CallInput, ListOptions } from "../call/caller.ts";
import { createChatCaller, createUploadForm } from "./caller.ts";
import type { ChatCaller, ChatClientOptions, ChatOperationName } from "./caller.ts";
import type { ChatClient, FoundAgent } from "./client-types.ts";
import { openChatEvents } from "./events.ts";
import { startChat } from "./start.ts";
import type { Chat, ChatAgent, ChatApp, ChatMedia, ChatMessage, ChatUser } from "./answers.ts";

/**
 * A client of the live chat, self-hosted or the vendor's. Nothing is sent before the first call.
 * Every failed call is a `CallError`.
 *
 * @example
 * const app = { appId: "demo-app", secret: "demo-app-secret" };
 * const chat = createChatClient({ url: "http://127.0.0.1:8787", ...app, send });
 * const outcome = await chat.start({ room: 1, user: { name: "Ana" }, lang: "en" });
 */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const calls = createCalls(options);
  const client: ChatClient = {
    start: (request, call) => startChat(client, request, call),
    as: (token) => createChatClient({ ...options, secret: undefined, token }),
    ...callsOfApps(calls, options),
    ...callsOfUsers(calls),
    ...callsOfAgents(calls),
    ...callsOfChats(calls, options),
    ...callsOfMessages(calls),
    ...callsOfProject(calls),
    ...callsOfWebhooks(calls),
  };
  return client;
}

type Calls = ReturnType<typeof createCalls>;

function createCalls(options: ChatClientOptions) {
  const caller = createChatCaller(options);
  /** A member of the answer. */
  const fetchMember = async <T>(...asked: Parameters<ChatCaller["member"]>): Promise<T> =>
    trustAnswer<T>(await caller.member(...asked));
  const perform = async (...asked: Parameters<ChatCaller["call"]>): Promise<void> => {
    await caller.call(...asked);
  };
  const walkList = <T>(
    name: ChatOperationName,
    member: string,
    list: ListOptions = {},
    query: CallInput["query"] = {},
    id?: string,
  ) =>
    walkAnswers<T>(
      (page) => caller.call(name, { id, query: { ...query, ...page }, signal: list.signal }),
      member,
      list,
    );
  return { caller, fetchMember, perform, walkList };
}

function callsOfApps({ fetchMember, caller }: Calls, { appId }: ChatClientOptions) {
  return {
    async createApp(name, call) {
      const made = await caller.call("createApp", { body: { name }, ...call });
      const app = trustAnswer<ChatApp>(memberOf(made, "app"));
      return { app, secret: readTextMember(made, "secret") ?? "" };
    },
    app: (call) => fetchMember("app", "app", { id: appId, ...call }),
    async isValid(call) {
      const answer = await caller.call("validateApp", { id: appId, ...call });
      return memberOf(answer, "valid") !== false;
    },
  } satisfies Partial<ChatClient>;
}

function callsOfUsers({ fetchMember, perform, walkList, caller }: Calls) {
  return {
    async createUser(user, call) {
      const made = await caller.call("createUser", { body: user, ...call });
      return { user: trustAnswer<ChatUser>(memberOf(made, "user")), token: tokenIn(made) };
    },
    users: (filter = {}, list) => walkList("users", "users", list, { ...filter }),
    async findUser(externalId, call) {
      const answer = await caller.call("users", { query: { externalId }, ...call });
      // A service that ignores the filter lists strangers, who must not be changed or written to.
      const found = readListMember(answer, "users").find(
        (one) => (readTextMember(one, "externalId") ?? externalId) === externalId,
      );
      return trustAnswer<ChatUser | undefined>(found) ?? null;
    },
    user: (id, call) => fetchMember("user", "user", { id, ...call }),
    changeUser: (id, body, call) => fetchMember("changeUser", "user", { id, body, ...call }),
    activity: (id, type, chatId, call) =>
      perform("activity", { id, body: { type, chatId }, ...call }),
  } satisfies Partial<ChatClient>;
}

function callsOfAgents({ fetchMember, perform, walkList, caller }: Calls) {
  return {
    availableAgents: (rooms, { langs, ...call } = {}) =>
      fetchMember("availableAgents", "agents", {
        query: { roomIds: rooms.join(","), langs: langs?.join(",") },
        ...call,
      }),
    async areAgentsOnline(room, call) {
      const input = { query: { roomId: room }, ...call };
      const answer = await caller.call("onlineAgents", input);
      return memberOf(answer, "agentsOnline") === true;
    },
    async createAgent(agent, call) {
      const made = await caller.call("createAgent", { body: agent, ...call });
      const created = trustAnswer<ChatAgent>(memberOf(made, "agent"));
      return { agent: created, password: readTextMember(made, "password") };
    },
    agents: (filter = {}, list) => walkList("agents", "agents", list, { ...filter }),
    agent: (id, call) => fetchMember("agent", "agent", { id, ...call }),
    changeAgent: (id, body, call) => fetchMember("changeAgent", "agent", { id, body, ...call }),
    async login(login, password, call) {
      const input = { body: { login, password }, ...call };
      const answer = await caller.call("loginAgent", input);
      return { agent: trustAnswer<ChatAgent>(memberOf(answer, "agent")), token: tokenIn(answer) };
    },
    logout: (agentId, call) => perform("logoutAgent", { body: { agentId }, ...call }),
    cannedAnswers: (call) => fetchMember("cannedAnswers", "cannedAnswers", { ...call }),
    changeCannedAnswers: (cannedAnswers, call) =>
      fetchMember("changeCannedAnswers", "cannedAnswers", { body: { cannedAnswers }, ...call }),
    rooms: (call) => fetchMember("rooms", "rooms", call),
    createRoom: (body, call) => fetchMember("createRoom", "room", { body, ...call }),
  } satisfies Partial<ChatClient>;
}

function callsOfChats(
  { fetchMember, perform, walkList, caller }: Calls,
  { wire }: ChatClientOptions,
) {
  return {
    createChat: (body, call) => fetchMember("createChat", "chat", { body, ...call }),
    chats: (filter = {}, list) => walkList("chats", "chats", list, { ...filter }),
    chat: (id, call) => fetchMember("chat", "chat", { id, ...call }),
    changeChat: (id, body, call) => fetchMember("changeChat", "chat", { id, body, ...call }),
    close: (id, userId, call) =>
      perform("closeChat", {
        id,
        ...(wire === "seed" ? { body: { userId } } : { query: { userId } }),
        ...call,
      }),
    assign: async (id, call) => foundIn(await caller.call("assign", { id, ...call })),
    toInbox: async (id, { room, ...call } = {}) =>
      foundIn(await caller.call("toInbox", { id, body: { room }, ...call })),
    join: (id, userId, call) => perform("join", { id, body: { userId }, ...call }),
    leave: (id, userId, call) => perform("leave", { id, body: { userId }, ...call }),
    transfer: (id, userId, call) => perform("transfer", { id, body: { userId }, ...call }),
    chatUsers: (id, call) => fetchMember("chatUsers", "users", { id, ...call }),
    invite: (chatId, userId, call) => perform("invite", { body: { chatId, userId }, ...call }),
    accept: (chatId, userId, call) => perform("accept", { body: { chatId, userId }, ...call }),
    reject: (chatId, userId, call) => perform("reject", { body: { chatId, userId }, ...call }),
  } satisfies Partial<ChatClient>;
}

function callsOfMessages({ fetchMember, walkList, caller }: Calls) {
  return {
    send: (id, body, call) =>
      fetchMember<ChatMessage>("sendMessage", "message", { id, body, ...call }),
    messages: (id, { after, ...list } = {}) =>
      walkList("messages", "messages", list, { after }, id),
    read: (id, userId, call) =>
      fetchMember("readMessage", "message", { id, body: { userId }, ...call }),
    notes: (id, call) => fetchMember("notes", "notes", { id, ...call }),
    addNote: (id, body, call) => fetchMember("addNote", "note", { id, body, ...call }),
    history: (id, call) => fetchMember("history", "history", { id, ...call }),
    async historyCsv(id, call) {
      const input = { id, query: { format: "csv" }, ...call };
      return (await caller.bytes("history", input)).text();
    },
    importHistory: (id, history, call) =>
      fetchMember("importHistory", "history", { id, body: { history }, ...call }),
    upload: (file, to, call) =>
      fetchMember<ChatMedia>("upload", "media", { body: createUploadForm(file, to), ...call }),
    mediaList: (filter = {}, list) => walkList("mediaList", "media", list, { ...filter }),
    download: (id, call) => caller.bytes("download", { id, ...call }),
  } satisfies Partial<ChatClient>;
}

function callsOfProject({ fetchMember, caller }: Calls) {
  return {
    queueStatus: (call) => fetchMember("queueStatus", "queues", call),
    queuePosition: (id, call) => fetchMember("queuePosition", "queue", { id, ...call }),
    settings: (call) => fetchMember("settings", "settings", call),
    changeSettings: (body, call) => fetchMember("changeSettings", "settings", { body, ...call }),
    figures: (id, query = {}, call) =>
      fetchMember("figures", "figures", { id, query: { ...query }, ...call }),
    async figuresCsv(id, query = {}, call) {
      const input = { id, query: { ...query, format: "csv" }, ...call };
      return (await caller.bytes("figures", input)).text();
    },
    surveys: (call) => fetchMember("surveys", "surveys", call),
    survey: (id, about = {}, call) =>
      fetchMember("survey", "survey", { id, query: { ...about }, ...call }),
    createSurvey: (body, call) => fetchMember("createSurvey", "survey", { body, ...call }),
    events: (events = {}) =>
      openChatEvents(
        (after, signal) =>
          caller.stream("events", {
            headers: after === null ? {} : { "last-event-id": after },
            signal,
          }),
        events,
      ),
    newId: (call) => fetchMember("newId", "id", call),
  } satisfies Partial<ChatClient>;
}

function callsOfWebhooks({ fetchMember, perform, walkList, caller }: Calls) {
  return {
    webhooks: (call) => fetchMember("webhooks", "webhooks", call),
    async createWebhook(body, call) {
      const made = await caller.call("createWebhook", { body, ...call });
      return {
        webhook: trustAnswer(memberOf(made, "webhook")),
        secret: readTextMember(made, "secret"),
      };
    },
    removeWebhook: (id, call) => perform("removeWebhook", { id, ...call }),
    undelivered: (id, list) => walkList("undelivered", "undelivered", list, {}, id),
    async resend(id, ids, call) {
      const input = { id, body: { ids }, ...call };
      const answer = await caller.call("resendUndelivered", input);
      return Number(memberOf(answer, "resent"));
    },
  } satisfies Partial<ChatClient>;
}

/** Reads pages to the last or an empty one; a service that does not page answers once. */
async function* walkAnswers<T>(
  page: (query: { length: number | undefined; offset: number }) => Promise<unknown>,
  member: string,
  { length, offset = 0 }: ListOptions,
): AsyncGenerator<T, void, undefined> {
  for (let at = offset; ;) {
    const answer = await page({ length, offset: at });
    const items = readListMember(answer, member);
    yield* trustAnswer<readonly T[]>(items);
    if (memberOf(answer, "hasMore") !== true || items.length === 0) return;
    at += items.length;
  }
}

function tokenIn(answer: unknown): string | null {
  return readTextMember(memberOf(answer, "session"), "token");
}

/** A missing or empty agent means that nobody was found (chat.md 4). */
function foundIn(answer: unknown): FoundAgent {
  const agent = memberOf(answer, "agent");
  const somebody = readTextMember(agent, "id") !== null;
  const chat = memberOf(answer, "chat");
  return {
    agent: somebody ? trustAnswer<ChatAgent>(agent) : null,
    chat: chat === null ? null : trustAnswer<Chat>(chat),
  };
}
