import { trustAnswer, listMember, memberOf, readTextMember } from "../call/read.ts";
import type { CallInput, ListOptions } from "../call/caller.ts";
import { createChatCaller, uploadForm } from "./caller.ts";
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
 * const chat = chatClient({ url: "http://127.0.0.1:8787", ...app, send });
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
  const one = async <T>(...asked: Parameters<ChatCaller["member"]>): Promise<T> =>
    trustAnswer<T>(await caller.member(...asked));
  const done = async (...asked: Parameters<ChatCaller["call"]>): Promise<void> => {
    await caller.call(...asked);
  };
  const pages = <T>(
    name: ChatOperationName,
    member: string,
    list: ListOptions = {},
    query: CallInput["query"] = {},
    id?: string,
  ) =>
    walk<T>(
      (page) => caller.call(name, { id, query: { ...query, ...page }, signal: list.signal }),
      member,
      list,
    );
  return { caller, one, done, pages };
}

function callsOfApps({ one, caller }: Calls, { appId }: ChatClientOptions) {
  return {
    async createApp(name, call) {
      const made = await caller.call("createApp", { body: { name }, ...call });
      const app = trustAnswer<ChatApp>(memberOf(made, "app"));
      return { app, secret: readTextMember(made, "secret") ?? "" };
    },
    app: (call) => one("app", "app", { id: appId, ...call }),
    async isValid(call) {
      const answer = await caller.call("validateApp", { id: appId, ...call });
      return memberOf(answer, "valid") !== false;
    },
  } satisfies Partial<ChatClient>;
}

function callsOfUsers({ one, done, pages, caller }: Calls) {
  return {
    async createUser(user, call) {
      const made = await caller.call("createUser", { body: user, ...call });
      return { user: trustAnswer<ChatUser>(memberOf(made, "user")), token: tokenIn(made) };
    },
    users: (filter = {}, list) => pages("users", "users", list, { ...filter }),
    async findUser(externalId, call) {
      const answer = await caller.call("users", { query: { externalId }, ...call });
      return trustAnswer<ChatUser | undefined>(listMember(answer, "users")[0]) ?? null;
    },
    user: (id, call) => one("user", "user", { id, ...call }),
    changeUser: (id, body, call) => one("changeUser", "user", { id, body, ...call }),
    activity: (id, type, chatId, call) => done("activity", { id, body: { type, chatId }, ...call }),
  } satisfies Partial<ChatClient>;
}

function callsOfAgents({ one, done, pages, caller }: Calls) {
  return {
    availableAgents: (rooms, { langs, ...call } = {}) =>
      one("availableAgents", "agents", {
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
    agents: (filter = {}, list) => pages("agents", "agents", list, { ...filter }),
    agent: (id, call) => one("agent", "agent", { id, ...call }),
    changeAgent: (id, body, call) => one("changeAgent", "agent", { id, body, ...call }),
    async login(login, password, call) {
      const input = { body: { login, password }, ...call };
      const answer = await caller.call("loginAgent", input);
      return { agent: trustAnswer<ChatAgent>(memberOf(answer, "agent")), token: tokenIn(answer) };
    },
    logout: (agentId, call) => done("logoutAgent", { body: { agentId }, ...call }),
    cannedAnswers: (call) => one("cannedAnswers", "cannedAnswers", { ...call }),
    changeCannedAnswers: (cannedAnswers, call) =>
      one("changeCannedAnswers", "cannedAnswers", { body: { cannedAnswers }, ...call }),
    rooms: (call) => one("rooms", "rooms", call),
    createRoom: (body, call) => one("createRoom", "room", { body, ...call }),
  } satisfies Partial<ChatClient>;
}

function callsOfChats({ one, done, pages, caller }: Calls, { wire }: ChatClientOptions) {
  return {
    createChat: (body, call) => one("createChat", "chat", { body, ...call }),
    chats: (filter = {}, list) => pages("chats", "chats", list, { ...filter }),
    chat: (id, call) => one("chat", "chat", { id, ...call }),
    changeChat: (id, body, call) => one("changeChat", "chat", { id, body, ...call }),
    close: (id, userId, call) =>
      done("closeChat", {
        id,
        ...(wire === "seed" ? { body: { userId } } : { query: { userId } }),
        ...call,
      }),
    assign: async (id, call) => foundIn(await caller.call("assign", { id, ...call })),
    toInbox: async (id, { room, ...call } = {}) =>
      foundIn(await caller.call("toInbox", { id, body: { room }, ...call })),
    join: (id, userId, call) => done("join", { id, body: { userId }, ...call }),
    leave: (id, userId, call) => done("leave", { id, body: { userId }, ...call }),
    transfer: (id, userId, call) => done("transfer", { id, body: { userId }, ...call }),
    chatUsers: (id, call) => one("chatUsers", "users", { id, ...call }),
    invite: (chatId, userId, call) => done("invite", { body: { chatId, userId }, ...call }),
    accept: (chatId, userId, call) => done("accept", { body: { chatId, userId }, ...call }),
    reject: (chatId, userId, call) => done("reject", { body: { chatId, userId }, ...call }),
  } satisfies Partial<ChatClient>;
}

function callsOfMessages({ one, pages, caller }: Calls) {
  return {
    send: (id, body, call) => one<ChatMessage>("sendMessage", "message", { id, body, ...call }),
    messages: (id, { after, ...list } = {}) => pages("messages", "messages", list, { after }, id),
    read: (id, userId, call) => one("readMessage", "message", { id, body: { userId }, ...call }),
    notes: (id, call) => one("notes", "notes", { id, ...call }),
    addNote: (id, body, call) => one("addNote", "note", { id, body, ...call }),
    history: (id, call) => one("history", "history", { id, ...call }),
    async historyCsv(id, call) {
      const input = { id, query: { format: "csv" }, ...call };
      return (await caller.bytes("history", input)).text();
    },
    importHistory: (id, history, call) =>
      one("importHistory", "history", { id, body: { history }, ...call }),
    upload: (file, to, call) =>
      one<ChatMedia>("upload", "media", { body: uploadForm(file, to), ...call }),
    mediaList: (filter = {}, list) => pages("mediaList", "media", list, { ...filter }),
    download: (id, call) => caller.bytes("download", { id, ...call }),
  } satisfies Partial<ChatClient>;
}

function callsOfProject({ one, caller }: Calls) {
  return {
    queueStatus: (call) => one("queueStatus", "queues", call),
    queuePlace: (id, call) => one("queuePlace", "queue", { id, ...call }),
    settings: (call) => one("settings", "settings", call),
    changeSettings: (body, call) => one("changeSettings", "settings", { body, ...call }),
    figures: (id, query = {}, call) =>
      one("figures", "figures", { id, query: { ...query }, ...call }),
    async figuresCsv(id, query = {}, call) {
      const input = { id, query: { ...query, format: "csv" }, ...call };
      return (await caller.bytes("figures", input)).text();
    },
    surveys: (call) => one("surveys", "surveys", call),
    survey: (id, about = {}, call) => one("survey", "survey", { id, query: { ...about }, ...call }),
    createSurvey: (body, call) => one("createSurvey", "survey", { body, ...call }),
    events: (events = {}) =>
      openChatEvents(
        (after, signal) =>
          caller.stream("events", {
            headers: after === null ? {} : { "last-event-id": after },
            signal,
          }),
        events,
      ),
    newId: (call) => one("newId", "id", call),
  } satisfies Partial<ChatClient>;
}

function callsOfWebhooks({ one, done, pages, caller }: Calls) {
  return {
    webhooks: (call) => one("webhooks", "webhooks", call),
    async createWebhook(body, call) {
      const made = await caller.call("createWebhook", { body, ...call });
      return {
        webhook: trustAnswer(memberOf(made, "webhook")),
        secret: readTextMember(made, "secret"),
      };
    },
    removeWebhook: (id, call) => done("removeWebhook", { id, ...call }),
    undelivered: (id, list) => pages("undelivered", "undelivered", list, {}, id),
    async resend(id, ids, call) {
      const input = { id, body: { ids }, ...call };
      const answer = await caller.call("resendUndelivered", input);
      return Number(memberOf(answer, "resent"));
    },
  } satisfies Partial<ChatClient>;
}

/** Reads pages to the last or an empty one; a service that does not page answers once. */
async function* walk<T>(
  page: (query: { length: number | undefined; offset: number }) => Promise<unknown>,
  member: string,
  { length, offset = 0 }: ListOptions,
): AsyncGenerator<T, void, undefined> {
  for (let at = offset; ;) {
    const answer = await page({ length, offset: at });
    const items = listMember(answer, member);
    yield* trustAnswer<readonly T[]>(items);
    if (memberOf(answer, "hasMore") !== true || items.length === 0) return;
    at += items.length;
  }
}

function tokenIn(answer: unknown): string | null {
  return readTextMember(memberOf(answer, "session"), "token");
}

/** An agent that is missing or empty is nobody (chat.md 4). */
function foundIn(answer: unknown): FoundAgent {
  const agent = memberOf(answer, "agent");
  const somebody = readTextMember(agent, "id") !== null;
  const chat = memberOf(answer, "chat");
  return {
    agent: somebody ? trustAnswer<ChatAgent>(agent) : null,
    chat: chat === null ? null : trustAnswer<Chat>(chat),
  };
}
