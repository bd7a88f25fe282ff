import { documented, listMember, memberOf, textMember } from "../read.ts";
import type { CallInput } from "../caller.ts";
import { chatCaller, uploadForm } from "./caller.ts";
import type { ChatCaller, ChatClientOptions } from "./caller.ts";
import type { ChatClient, Found, ListOptions } from "./client-types.ts";
import { chatEvents } from "./events.ts";
import { startChat } from "./start.ts";
import type { Chat, ChatAgent, ChatApp, ChatMedia, ChatMessage, ChatUser } from "./types.ts";

/**
 * A client of the live chat, self-hosted or the vendor's. Nothing is sent before the first call.
 * Every failed call is a `CallError`.
 *
 * @example
 * const chat = chatClient({ url: "http://127.0.0.1:8787", appId: "demo-app", secret:
 * "demo-app-secret", send }); const outcome = await chat.start({ room: 1, user: { name: "Ana" },
 * lang: "en" });
 */
export function chatClient(options: ChatClientOptions): ChatClient {
  const caller = chatCaller(options);
  const one = <T>(...asked: Parameters<ChatCaller["member"]>): Promise<T> =>
    caller.member(...asked).then((value) => documented<T>(value));
  const done = async (...asked: Parameters<ChatCaller["call"]>): Promise<void> => {
    await caller.call(...asked);
  };
  const pages = <T>(
    ...[name, member, path, query, list = {}, input]: PageCall
  ): AsyncGenerator<T, void, undefined> =>
    walk<T>(
      (page) =>
        caller.call(name, "GET", path, {
          ...input,
          query: { ...query, ...page },
          signal: list.signal,
        }),
      member,
      list,
    );
  const client: ChatClient = {
    start: (request, call) => startChat(client, request, call),
    as: (token) => chatClient({ ...options, secret: undefined, token }),

    async createApp(name, call) {
      const made = await caller.call("createApp", "POST", "/apps", { body: { name }, ...call });
      const app = documented<ChatApp>(memberOf(made, "app"));
      return { app, secret: textMember(made, "secret") ?? "" };
    },
    app: (call) => one("app", "app", "GET", "/apps/{id}", { path: { id: options.appId }, ...call }),
    async isValid(call) {
      const path = { id: options.appId };
      const answer = await caller.call("validateApp", "GET", "/apps/{id}/validate", {
        path,
        ...call,
      });
      return memberOf(answer, "valid") !== false;
    },

    async createUser(user, call) {
      const made = await caller.call("createUser", "POST", "/users", { body: user, ...call });
      return { user: documented<ChatUser>(memberOf(made, "user")), token: tokenIn(made) };
    },
    users: (filter = {}, list) => pages("users", "users", "/users", filter, list),
    async findUser(externalId, call) {
      const answer = await caller.call("users", "GET", "/users", {
        query: { externalId },
        ...call,
      });
      return documented<ChatUser | undefined>(listMember(answer, "users")[0]) ?? null;
    },
    user: (id, call) => one("user", "user", "GET", "/users/{id}", { path: { id }, ...call }),
    changeUser: (id, body, call) =>
      one("changeUser", "user", "PUT", "/users/{id}", { path: { id }, body, ...call }),
    activity: (id, type, chatId, call) =>
      done("activity", "POST", "/users/{id}/activity", {
        path: { id },
        body: { type, chatId },
        ...call,
      }),

    availableAgents: (rooms, { langs, ...call } = {}) =>
      one("availableAgents", "agents", "GET", "/agents/available", {
        query: { roomIds: rooms.join(","), langs: langs?.join(",") },
        ...call,
      }),
    async areAgentsOnline(room, call) {
      const input = { query: { roomId: room }, ...call };
      const answer = await caller.call("onlineAgents", "GET", "/agents/online", input);
      return memberOf(answer, "agentsOnline") === true;
    },
    async createAgent(agent, call) {
      const made = await caller.call("createAgent", "POST", "/agents", { body: agent, ...call });
      const created = documented<ChatAgent>(memberOf(made, "agent"));
      return { agent: created, password: textMember(made, "password") };
    },
    agents: (filter = {}, list) => pages("agents", "agents", "/agents", { ...filter }, list),
    agent: (id, call) => one("agent", "agent", "GET", "/agents/{id}", { path: { id }, ...call }),
    changeAgent: (id, body, call) =>
      one("changeAgent", "agent", "PUT", "/agents/{id}", { path: { id }, body, ...call }),
    async login(login, password, call) {
      const input = { body: { login, password }, ...call };
      const answer = await caller.call("loginAgent", "POST", "/agents/login", input);
      return { agent: documented<ChatAgent>(memberOf(answer, "agent")), token: tokenIn(answer) };
    },
    logout: (agentId, call) =>
      done("logoutAgent", "POST", "/agents/logout", { body: { agentId }, ...call }),
    rooms: (call) => one("rooms", "rooms", "GET", "/rooms", call),
    createRoom: (body, call) => one("createRoom", "room", "POST", "/rooms", { body, ...call }),

    createChat: (body, call) => one("createChat", "chat", "POST", "/chats", { body, ...call }),
    chats: (filter = {}, list) => pages("chats", "chats", "/chats", { ...filter }, list),
    chat: (id, call) => one("chat", "chat", "GET", "/chats/{id}", { path: { id }, ...call }),
    changeChat: (id, body, call) =>
      one("changeChat", "chat", "PUT", "/chats/{id}", { path: { id }, body, ...call }),
    close: (id, userId, call) =>
      done("closeChat", "DELETE", "/chats/{id}", {
        path: { id },
        ...(options.wire === "seed" ? { body: { userId } } : { query: { userId } }),
        ...call,
      }),
    assign: async (id, call) =>
      foundIn(await caller.call("assign", "GET", "/chats/{id}/assign", { path: { id }, ...call })),
    toInbox: async (id, call) =>
      foundIn(
        await caller.call("toInbox", "POST", "/chats/{id}/toinbox", { path: { id }, ...call }),
      ),
    join: (id, userId, call) =>
      done("join", "POST", "/chats/{id}/join", { path: { id }, body: { userId }, ...call }),
    leave: (id, userId, call) =>
      done("leave", "PUT", "/chats/{id}/leave", { path: { id }, body: { userId }, ...call }),
    transfer: (id, userId, call) =>
      done("transfer", "POST", "/chats/{id}/transfer", { path: { id }, body: { userId }, ...call }),
    chatUsers: (id, call) =>
      one("chatUsers", "users", "GET", "/chats/{id}/users", { path: { id }, ...call }),
    invite: (chatId, userId, call) =>
      done("invite", "POST", "/invitations", { body: { chatId, userId }, ...call }),
    accept: (chatId, userId, call) =>
      done("accept", "POST", "/invitations/accept", { body: { chatId, userId }, ...call }),
    reject: (chatId, userId, call) =>
      done("reject", "POST", "/invitations/reject", { body: { chatId, userId }, ...call }),

    send: (id, body, call) =>
      one<ChatMessage>("sendMessage", "message", "POST", "/chats/{id}/messages", {
        path: { id },
        body,
        ...call,
      }),
    messages: (id, { after, ...list } = {}) =>
      pages("messages", "messages", "/chats/{id}/messages", { after }, list, { path: { id } }),
    read: (id, userId, call) =>
      one("readMessage", "message", "PUT", "/messages/{id}/read", {
        path: { id },
        body: { userId },
        ...call,
      }),
    history: (id, call) =>
      one("history", "history", "GET", "/chats/{id}/history", { path: { id }, ...call }),
    async historyCsv(id, call) {
      const input = { path: { id }, query: { format: "csv" }, ...call };
      return (await caller.bytes("history", "/chats/{id}/history", input)).text();
    },
    importHistory: (id, history, call) =>
      one("importHistory", "history", "POST", "/chats/{id}/history", {
        path: { id },
        body: { history },
        ...call,
      }),
    upload: (file, to, call) =>
      one<ChatMedia>("upload", "media", "POST", "/media", { body: uploadForm(file, to), ...call }),
    mediaList: (filter = {}, list) => pages("mediaList", "media", "/media", { ...filter }, list),
    download: (id, call) => caller.bytes("download", "/media/{id}", { path: { id }, ...call }),

    queueStatus: (call) => one("queueStatus", "queues", "GET", "/queues/status", call),
    queuePlace: (id, call) =>
      one("queuePlace", "queue", "GET", "/queues/update/{id}", { path: { id }, ...call }),
    settings: (call) => one("settings", "settings", "GET", "/settings", call),
    changeSettings: (body, call) =>
      one("changeSettings", "settings", "PUT", "/settings", { body, ...call }),
    surveys: (call) => one("surveys", "surveys", "GET", "/surveys", call),
    survey: (id, about = {}, call) =>
      one("survey", "survey", "GET", "/surveys/{id}", {
        path: { id },
        query: { ...about },
        ...call,
      }),
    createSurvey: (body, call) =>
      one("createSurvey", "survey", "POST", "/surveys", { body, ...call }),
    webhooks: (call) => one("webhooks", "webhooks", "GET", "/webhooks", call),
    async createWebhook(body, call) {
      const made = await caller.call("createWebhook", "POST", "/webhooks", { body, ...call });
      return { webhook: documented(memberOf(made, "webhook")), secret: textMember(made, "secret") };
    },
    removeWebhook: (id, call) =>
      done("removeWebhook", "DELETE", "/webhooks/{id}", { path: { id }, ...call }),
    undelivered: (id, list) =>
      pages("undelivered", "undelivered", "/webhooks/{id}/undelivered", {}, list, { path: { id } }),
    async resend(id, ids, call) {
      const input = { path: { id }, body: { ids }, ...call };
      const path = "/webhooks/{id}/undelivered";
      const answer = await caller.call("resendUndelivered", "POST", path, input);
      return Number(memberOf(answer, "resent"));
    },
    events: (events = {}) =>
      chatEvents(
        (after, signal) =>
          caller.stream("events", "/events", {
            headers: after === null ? {} : { "last-event-id": after },
            signal,
          }),
        events,
      ),
    newId: (call) => one("newId", "id", "GET", "/id", call),
  };
  return client;
}

type PageCall = readonly [
  name: string,
  member: string,
  path: string,
  query: NonNullable<CallInput["query"]>,
  list?: ListOptions | undefined,
  input?: Pick<CallInput, "path">,
];

/**
 * Reads pages until one says that it is the last, or is empty: a service that does not page answers
 * once.
 */
async function* walk<T>(
  page: (query: { length: number | undefined; offset: number }) => Promise<unknown>,
  member: string,
  { length, offset = 0 }: ListOptions,
): AsyncGenerator<T, void, undefined> {
  for (let at = offset; ;) {
    const answer = await page({ length, offset: at });
    const items = listMember(answer, member);
    yield* documented<readonly T[]>(items);
    if (memberOf(answer, "hasMore") !== true || items.length === 0) return;
    at += items.length;
  }
}

function tokenIn(answer: unknown): string | null {
  return textMember(memberOf(answer, "session"), "token");
}

/** An agent that is missing or empty is nobody (chat.md 4). */
function foundIn(answer: unknown): Found {
  const agent = memberOf(answer, "agent");
  const somebody = textMember(agent, "id") !== null;
  const chat = memberOf(answer, "chat");
  return {
    agent: somebody ? documented<ChatAgent>(agent) : null,
    chat: chat === null ? null : documented<Chat>(chat),
  };
}
