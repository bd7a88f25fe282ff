import { expect, test } from "vitest";
import type { ChatClient } from "../../../src/api/chat/client-types.ts";
import { createClients } from "../../../src/api/clients.ts";
import type { Tables } from "../../../src/backend/storage/tables/database.ts";
import { service } from "./service.ts";
import type { Service } from "./service.ts";

interface Started {
  readonly made: Service;
  readonly chat: ChatClient;
  /** Method and path of every request that the client sent, without ids. */
  readonly requests: string[];
}

/** The library's own client, at a service with room 1 and without agents. */
async function started(): Promise<Started> {
  const made = await service(null);
  const requests: string[] = [];
  const { chat } = createClients({
    auth: { url: "http://auth.test", apiKey: "key", secret: "secret" },
    chat: { url: "http://chat.test:8000", appId: made.appId, secret: made.secret },
    async fetch(url, init) {
      const { pathname } = new URL(url);
      const path = pathname.replace(/^(\/v1\/(?:users|chats))\/[\w-]{22}/, "$1/{id}");
      requests.push(`${init?.method ?? "GET"} ${path}`);
      return made.routes.request(url, init);
    },
  });
  return { made, chat, requests };
}

const tables: readonly (keyof Tables)[] = [
  ...(["chat_apps", "chat_settings", "chat_people", "chat_agents", "chat_rooms"] as const),
  ...(["chat_agent_rooms", "chat_tokens", "chat_chats", "chat_members", "chat_tries"] as const),
  ...(["chat_messages", "chat_reads", "chat_media", "chat_log", "chat_surveys"] as const),
  ...(["chat_webhooks", "chat_webhook_events", "idempotency_keys"] as const),
];

/** Every row of the chat, so that nothing that is made or changed goes unseen. */
async function everything({ options }: Service): Promise<string> {
  const { kysely } = options.database;
  const rows = tables.map(async (table) => [
    table,
    await kysely.selectFrom(table).selectAll().execute(),
  ]);
  return JSON.stringify(await Promise.all(rows));
}

const user = { name: "Ana", externalId: "crm-7", contact: "ana@example.test" };
const whole = {
  room: 1,
  user,
  lang: "en",
  externalId: "case-1",
  source: "web",
  history: [{ sender: "assistant", message: "Hello", created: 1_700_000_000 }],
  idempotencyKey: "once",
};

test("start asks, signs up, creates and looks for an agent, in this order and nothing else", async () => {
  const { made, chat, requests } = await started();
  const sam = await made.agent({ languages: ["en"] });
  const outcome = await chat.start(whole);
  expect(requests).toEqual([
    "GET /v1/agents/available",
    "POST /v1/users",
    "POST /v1/chats",
    "GET /v1/chats/{id}/assign",
  ]);
  expect(outcome).toMatchObject({
    started: true,
    outcome: "invited",
    user: { externalId: "crm-7" },
    agent: { id: sam },
    chat: { status: "waiting", room: 1, source: "web", externalId: "case-1", lang: "en" },
  });
});

test("start takes an existing user, named by id or found by the external id", async () => {
  const { made, chat, requests } = await started();
  await made.agent({ slots: 3 });
  const id = await made.user({ externalId: "crm-1" });
  const byId = await chat.start({ room: 1, user: { id } });
  expect(byId).toMatchObject({ started: true, user: { id }, token: null });
  expect(requests.splice(0)).toEqual([
    "GET /v1/agents/available",
    "GET /v1/users/{id}",
    "POST /v1/chats",
    "GET /v1/chats/{id}/assign",
  ]);
  const known = await made.user({ externalId: "crm-7" });
  const found = await chat.start({ room: "1", user });
  expect(found).toMatchObject({ started: true, user: { id: known, contact: user.contact } });
  expect(requests).toEqual([
    "GET /v1/agents/available",
    "POST /v1/users",
    "GET /v1/users",
    "PUT /v1/users/{id}",
    "POST /v1/chats",
    "GET /v1/chats/{id}/assign",
  ]);
  expect((await made.ask("GET", "users")).body.users).toHaveLength(2);
});

const unavailable: readonly (readonly [string, (made: Service) => Promise<unknown>])[] = [
  ["nobody is in the room", () => Promise.resolve()],
  ["its agent is offline", ({ agent }) => agent({ online: false })],
  ["its agent has no slots", ({ agent }) => agent({ slots: 0 })],
  ["its agent speaks another language", ({ agent }) => agent({ languages: ["fr"] })],
  ["the agent is in another room", ({ agent }) => agent({ rooms: ["2"] })],
  [
    "its agent is chatting with somebody else",
    async (made) => {
      const sam = await made.agent();
      await made.ask("POST", `chats/${(await made.chat()).id}/join`, { userId: sam });
    },
  ],
  [
    "its agent is asked by somebody else",
    async (made) => {
      await made.agent();
      await made.ask("GET", `chats/${(await made.chat()).id}/assign`);
    },
  ],
];

test.each(unavailable)(
  "start creates nothing at all and says so when %s",
  async (_name, prepare) => {
    const { made, chat, requests } = await started();
    await prepare(made);
    // A known user is not changed either.
    await made.user({ externalId: "crm-7", name: "Before" });
    const before = await everything(made);
    const outcome = await chat.start(whole);
    expect(outcome).toEqual({ started: false, reason: "no-agents" });
    expect(requests).toEqual(["GET /v1/agents/available"]);
    expect(await everything(made)).toBe(before);
  },
);

test.each([2, "nowhere", " ", "1,2"])(
  "start creates nothing for the room %j, which is not there",
  async (room) => {
    const { made, chat, requests } = await started();
    await made.agent();
    const before = await everything(made);
    expect(await chat.start({ ...whole, room })).toEqual({ started: false, reason: "no-agents" });
    expect(requests).toEqual(["GET /v1/agents/available"]);
    expect(await everything(made)).toBe(before);
  },
);

test("start in queue mode creates nothing when nobody is online, and assigns nothing when somebody is", async () => {
  const { made, chat, requests } = await started();
  await made.ask("PUT", "settings", { queue: { active: true } });
  const sam = await made.agent({ slots: 0, online: false });
  const before = await everything(made);
  const request = { ...whole, queue: true };
  expect(await chat.start(request)).toEqual({ started: false, reason: "no-agents" });
  expect(requests.splice(0)).toEqual(["GET /v1/agents/online"]);
  expect(await everything(made)).toBe(before);
  await made.ask("PUT", `agents/${sam}`, { online: true });
  const outcome = await chat.start(request);
  expect(outcome).toMatchObject({ started: true, outcome: "queued", chat: { inQueue: 1 } });
  expect(requests).toEqual(["GET /v1/agents/online", "POST /v1/users", "POST /v1/chats"]);
});
