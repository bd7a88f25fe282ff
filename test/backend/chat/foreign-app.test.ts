// Suite: slow
import { expect, test } from "vitest";
import { registerApp } from "../../../src/backend/chat/agents/apps.ts";
import type { Json } from "../client.ts";
import { belongings, EVERY, requestOf } from "./requests.ts";
import type { Belongings } from "./requests.ts";
import { service } from "./service.ts";
import type { Service } from "./service.ts";

type Ask = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; text: string }>;

interface Neighbours {
  readonly made: Service;
  /** The first app's records. */
  readonly own: Belongings;
  /** The second app's server, a user and an agent of it. */
  readonly strangers: readonly { readonly who: string; readonly me: string; readonly ask: Ask }[];
}

/** Two apps with a room, a user and an agent of the same names. */
async function neighbours(): Promise<Neighbours> {
  const made = await service(null);
  const own = await belongings(made);
  const { appId, secret } = await registerApp(made.options, "Other");
  const asking =
    (credentials: Record<string, string>): Ask =>
    async (method, path, body) => {
      const answer = await made.routes.request(path, {
        method,
        headers: { "x-hyper-appId": appId, ...credentials },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (path.startsWith("/v1/events")) await answer.body?.cancel();
      return { status: answer.status, text: answer.bodyUsed ? "" : await answer.text() };
    };
  const server = asking({ "x-hyper-secret": secret });
  const read = async (...asked: Parameters<Ask>): Promise<Json> => {
    const { status, text } = await server(...asked);
    expect(status).toBe(200);
    return JSON.parse(text);
  };
  await read("POST", "/v1/rooms", { id: own.room });
  const user = await read("POST", "/v1/users", { name: "Ana" });
  const login = { login: "ann", password: "a long password" };
  await read("POST", "/v1/agents", { name: "Ann", rooms: [own.room], slots: 5, ...login });
  const agent = await read("POST", "/v1/agents/login", login);
  const as = (token: string): Ask => asking({ "x-hyper-token": token });
  return {
    made,
    own,
    strangers: [
      { who: "server", me: user.user.id, ask: server },
      { who: "user", me: user.user.id, ask: as(user.session.token) },
      { who: "agent", me: agent.agent.id, ask: as(agent.session.token) },
    ],
  };
}

/** Operations that do not concern a record of an app, so they have nothing to refuse. */
const aboutNothing: ReadonlySet<string> = new Set([
  ...["createApp", "apps", "createUser", "users", "agents", "createAgent", "loginAgent"],
  ...["availableAgents", "onlineAgents", "rooms", "createRoom", "chats", "queueStatus", "newId"],
  ...[
    "settings",
    "changeSettings",
    "surveys",
    "createSurvey",
    "cannedAnswers",
    "changeCannedAnswers",
    "webhooks",
    "createWebhook",
    "events",
    "tickets",
  ],
  // It tells whether an id is that of the calling app.
  "validateApp",
]);

const about = EVERY.filter(({ id }) => !aboutNothing.has(id.slice("chat.".length)));

/** Reads everything that the first app's server sees, except for fields that change by reading. */
async function everything({ ask }: Service, own: Belongings): Promise<string> {
  const paths = [
    ...["users", "agents", "rooms", "chats", "media", "surveys", "webhooks", "settings", "apps"],
    ...["canned-answers", "queues/status", `chats/${own.chat}/messages`, `chats/${own.chat}/users`],
    `chats/${own.chat}/history`,
  ];
  const answers = await Promise.all(paths.map((path) => ask("GET", path)));
  return JSON.stringify(answers.map(({ body }) => body));
}

test("every id of one app is unknown to another app's server, users and agents, in every operation", async () => {
  const { made, own, strangers } = await neighbours();
  const before = await everything(made, own);
  const found: string[] = [];
  for (const { who, me, ask } of strangers) {
    for (const operation of about) {
      // In the name of a person of the first app, and in the caller's own.
      for (const actor of [own.user, own.agent, me]) {
        const { method, path, body } = requestOf(operation, own, actor);
        const { status, text } = await ask(method, path, body);
        // No app server may read tickets or figures.
        const bare = who === "server" && !/ticket|figures/i.test(operation.id);
        const refused = bare ? [404, 422] : [403, 404, 422];
        if (!refused.includes(status)) found.push(`${who}: ${method} ${path}: ${status}`);
        if (/Ana|Ann|A secret|crm-/.test(text)) found.push(`${who}: ${method} ${path}: ${text}`);
      }
    }
  }
  expect(about.length).toBeGreaterThan(30);
  expect(found).toEqual([]);
  expect(await everything(made, own)).toBe(before);
});

test("every list of another app is empty of the first app's entries", async () => {
  const { made, own, strangers } = await neighbours();
  const others = EVERY.filter(({ id }) => aboutNothing.has(id.slice("chat.".length)));
  const hidden = Object.entries(own).filter(([name]) => name !== "room");
  const found: string[] = [];
  for (const { who, me, ask } of strangers) {
    for (const operation of others.filter(({ method }) => method === "GET")) {
      if (operation.id === "chat.validateApp") continue;
      for (const path of [operation.path, ...(operation.aliases ?? [])]) {
        const { text } = await ask("GET", path);
        for (const [name, id] of hidden)
          if (text.includes(id)) found.push(`${who}: ${path}: ${name}`);
      }
    }
    const narrowed = [`chats?userId=${own.user}`, "chats?room=1", "chats?status=open", "media"];
    for (const path of narrowed) {
      const { status, text } = await ask("GET", `/v1/${path}`);
      if (status === 200) expect([who, me, text]).toEqual([who, me, expect.stringContaining("[]")]);
    }
  }
  expect(found).toEqual([]);
  const [server] = strangers;
  const validity = await server?.ask("GET", `/v1/apps/${own.app}/validate`);
  expect(validity?.text).toBe('{"valid":false}');
  const byExternal = await made.ask("GET", "users?externalId=crm");
  expect(byExternal.body.users).toEqual([]);
});

test("rooms, agents, logins, external ids and keys of the same name are separate in two apps", async () => {
  const { made, own, strangers } = await neighbours();
  const [server] = strangers;
  if (server === undefined) throw new Error("there is a server");
  const read = async (method: string, path: string, body?: object): Promise<Json> =>
    JSON.parse((await server.ask(method, path, body)).text);
  // Two agents of the first app are free, one of the second.
  expect((await made.ask("GET", "agents/available?roomIds=1")).body.agents).toEqual({ 1: 2 });
  expect((await read("GET", "/v1/agents/available?roomIds=1")).agents).toEqual({ 1: 1 });
  const { agents } = await read("GET", "/v1/agents?roomId=1");
  expect(agents).toHaveLength(1);
  await read("PUT", `/v1/agents/${agents[0].id}`, { online: false });
  expect((await read("GET", "/v1/agents/online?roomId=1")).agentsOnline).toBe(false);
  // No agent of the first app is found for a chat of the second.
  const { user } = await read("POST", "/v1/users", { name: "Bo", externalId: "same" });
  expect((await made.ask("POST", "users", { name: "Bo", externalId: "same" })).status).toBe(200);
  const { chat } = await read("POST", "/v1/chats", { room: "1", creator: user.id });
  expect(await read("GET", `/v1/chats/${chat.id}/assign`)).toMatchObject({ agent: null });
  // Nobody of the first app can join it, or read its files.
  const bodies = [
    ["POST", "/v1/invitations", { chatId: chat.id, userId: own.agent }],
    ["POST", "/v1/invitations/accept", { chatId: chat.id, userId: own.agent }],
    ["POST", `/v1/chats/${chat.id}/join`, { userId: own.agent }],
    ["POST", `/v1/chats/${chat.id}/join`, { userId: own.user }],
    ["POST", `/v1/chats/${chat.id}/messages`, { sender: own.user, message: "x" }],
    ["POST", `/v1/chats/${chat.id}/messages`, { sender: own.agent, message: "x" }],
    [
      "POST",
      `/v1/chats/${chat.id}/messages`,
      { sender: user.id, type: "media", message: { url: `/media/${own.media}` } },
    ],
    ["GET", `/v1/chats/${chat.id}/messages?after=${own.message}`],
    ["PUT", `/v1/messages/${own.message}/read`, { userId: user.id }],
    ["POST", "/v1/chats", { room: "1", creator: own.user }],
    ["POST", "/v1/chats", { room: "1", creator: own.agent }],
  ] as const;
  for (const [method, path, body] of bodies) {
    const { status, text } = await server.ask(method, path, body);
    expect([path, [403, 404, 422].includes(status)]).toEqual([path, true]);
    expect(text).not.toContain("Ana");
  }
  expect(await read("GET", `/v1/chats/${chat.id}/users`)).toMatchObject({
    users: [{ id: user.id }],
  });
});

test("an answer stored under a key in one app is not given to another that uses the same key", async () => {
  const { made } = await neighbours();
  const { appId, secret } = await registerApp(made.options, "Third");
  const keyed = { "idempotency-key": "the-same" };
  const mine = await made.ask("POST", "chats", { room: 1, creator: await made.user() }, keyed);
  const headers = { "x-hyper-appId": appId, "x-hyper-secret": secret };
  const asOther = async (path: string, body: object, more = {}): Promise<Json> => {
    const request = {
      method: "POST",
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    };
    return (await made.routes.request(`/v1/${path}`, request)).json();
  };
  await asOther("rooms", { id: 1 });
  const { user } = await asOther("users", { name: "Bo" });
  const { chat } = await asOther("chats", { room: 1, creator: user.id }, keyed);
  expect(chat.creator).toBe(user.id);
  expect(chat.id).not.toBe(mine.body.chat.id);
});

test("a registered address gets events of its own app alone, and queue positions are counted for each app", async () => {
  const { made, strangers } = await neighbours();
  const [server] = strangers;
  if (server === undefined) throw new Error("there is a server");
  const read = async (method: string, path: string, body?: object): Promise<Json> =>
    JSON.parse((await server.ask(method, path, body)).text);
  await made.deliver();
  made.hooks.calls.length = 0;
  const { user } = await read("POST", "/v1/users", { name: "Bo" });
  const { chat } = await read("POST", "/v1/chats", { room: "1", creator: user.id });
  await read("DELETE", `/v1/chats/${chat.id}`);
  await made.deliver();
  // The first app subscribes to chats:close.
  expect(made.hooks.calls).toEqual([]);

  await made.ask("PUT", "settings", { queue: { active: true } });
  expect((await read("GET", "/v1/settings")).settings.queue).toEqual({ active: false });
  await read("PUT", "/v1/settings", { queue: { active: true } });
  const { agents } = await read("GET", "/v1/agents");
  await read("PUT", `/v1/agents/${agents[0].id}`, { online: false });
  for (const { id } of (await made.ask("GET", "agents")).body.agents) {
    await made.ask("PUT", `agents/${id}`, { online: false });
  }
  await made.chat();
  await made.chat();
  const late = await read("POST", "/v1/chats", { room: "1", creator: user.id });
  const { queue } = await read("GET", `/v1/queues/update/${late.chat.id}`);
  expect(queue.queuePosition).toBe(1);
  expect((await read("GET", "/v1/queues/status")).queues["1"].waiting).toBe(1);
  expect((await made.ask("GET", "queues/status")).body.queues["1"].waiting).toBe(2);
});
