// Suite: slow
import { describe, expect, test } from "vitest";
import { registerApp } from "../../../src/backend/chat/agents/apps.ts";
import { createChatClient } from "../../../src/api/chat/client.ts";
import { sendCall } from "../../../src/api/call/http-call.ts";
import type { Json } from "../../backend/client.ts";
import { service } from "../../backend/chat/service.ts";
import type { Service } from "../../backend/chat/service.ts";

/** Every spelling must hold in both wires. */
describe.each(["deployed", "seed"] as const)("chat, wire: %s", (wire) => {
  const open = (): Promise<Service> => service(null, { wire });

  test("availability, then a user, then the chat, then the search: a chat has begun", async () => {
    const { ask, agent } = await open();
    const sam = await agent();
    const { body: free } = await ask("GET", "agents/available?roomIds=1");
    expect(free).toEqual({ agents: { 1: 1 } });
    const { body: signedUp } = await ask("POST", "users", { name: "Ana", externalId: "crm-1" });
    expect(signedUp.user.id).toEqual(expect.any(String));
    const made = await ask("POST", "chats", { room: "1", creator: signedUp.user.id });
    expect(made.body.chat).toMatchObject({
      id: expect.any(String),
      status: wire === "seed" ? "open" : "active",
    });
    const { body: assigned } = await ask("GET", `chats/${made.body.chat.id}/assign`);
    expect(assigned).toMatchObject({ agent: { id: sam }, chat: { status: "waiting" } });
  });

  test("a user needs a name alone, and is found again by an external id", async () => {
    const { ask } = await open();
    expect((await ask("POST", "users", { name: "Ana" })).status).toBe(200);
    expect((await ask("POST", "users", {})).status).toBe(422);
    const { body } = await ask("POST", "users", { name: "Bo", externalId: "crm-7" });
    const found = await ask("GET", "users?externalId=crm-7");
    expect(found.body.users.map(({ id }: Json) => id)).toEqual([body.user.id]);
  });

  test("a chat needs a room and a creator that are there", async () => {
    const { ask, user } = await open();
    const creator = await user();
    for (const body of [{ creator }, { room: 1 }, {}]) {
      expect((await ask("POST", "chats", body)).status).toBe(422);
    }
    expect((await ask("POST", "chats", { room: 1, creator: "nobody" })).status).toBeGreaterThan(
      399,
    );
  });

  test("a message has a sender and a text, and goes into an open chat only", async () => {
    const { ask, chat } = await open();
    const { id, creator } = await chat();
    const answer = await ask("POST", `chats/${id}/messages`, { sender: creator, message: "Hi" });
    expect(answer.body.message).toMatchObject({ sender: creator, message: "Hi" });
    for (const body of [{ sender: creator }, { message: "Hi" }]) {
      expect((await ask("POST", `chats/${id}/messages`, body)).status).toBe(422);
    }
    await ask("DELETE", `chats/${id}`);
    const late = await ask("POST", `chats/${id}/messages`, { sender: creator, message: "Hi" });
    expect([late.status, late.body.error.code]).toEqual([409, 409]);
  });

  test("closed without a user a chat is closed by the system, with one on that user's behalf", async () => {
    const { ask, chat } = await open();
    const closedBy = async (end: (id: string, user: string) => Promise<unknown>): Promise<Json> => {
      const { id, creator } = await chat();
      await end(id, creator);
      const { body } = await ask("GET", `chats/${id}`);
      expect(body.chat).toMatchObject({ status: "closed", closed: true });
      const { body: answer } = await ask("GET", `chats/${id}/history`);
      const { trigger, data } = answer.history.at(-1);
      expect([trigger, data.chatId]).toEqual(["chats:close", id]);
      return data.userId === creator ? "the user" : data.userId;
    };
    expect([
      await closedBy((id) => ask("DELETE", `chats/${id}`)),
      await closedBy((id, userId) => ask("DELETE", `chats/${id}`, { userId })),
      await closedBy((id, userId) => ask("DELETE", `chats/${id}?userId=${userId}`)),
    ]).toEqual(["system", "the user", "the user"]);
    expect((await ask("DELETE", "chats/nowhere")).status).toBe(404);
  });

  test("rooms are named one or several, by either parameter, when agents are asked for", async () => {
    const { ask, agent } = await open();
    await agent();
    const { body: one } = await ask("GET", "agents/available?roomIds=1");
    expect((await ask("GET", "agents/available?roomId=1")).body).toEqual(one);
    const { body: two } = await ask("GET", "agents/available?roomIds=1,2");
    expect(two).toEqual({ agents: { 1: 1, 2: 0 } });
    const { body: online } = await ask("GET", "agents/online?roomId=1");
    expect((await ask("GET", "agents/online?roomIds=1")).body).toEqual(online);
  });

  test.each(["writing", "not-writing", "stop-writing"])(
    "activity may be called %s",
    async (type) => {
      const { ask, chat } = await open();
      const { id, creator } = await chat();
      const { status } = await ask("POST", `users/${creator}/activity`, { type, chatId: id });
      expect(status).toBe(200);
    },
  );

  test("source and room are a number or text, and come back as they came", async () => {
    const { ask, user } = await open();
    for (const [room, source] of [
      [1, 3],
      ["1", "3"],
      ["1", "web"],
    ]) {
      const { body } = await ask("POST", "chats", { room, source, creator: await user() });
      expect([body.chat.room, body.chat.source]).toEqual([room, source]);
    }
  });

  test("surveys are listed and read, with and without the version", async () => {
    const { ask } = await open();
    const made = await ask("POST", "surveys", { name: "S", url: "https://s.test/" });
    const { id } = made.body.survey;
    for (const base of ["/surveys", "/v1/surveys"]) {
      const { body } = await ask("GET", base);
      expect(body.surveys.map((survey: Json) => survey.id)).toEqual([id]);
      expect((await ask("GET", `${base}/${id}`)).body.survey).toMatchObject({ id, name: "S" });
    }
    expect((await ask("GET", "/surveys/nowhere")).status).toBe(404);
  });
});

test("chat is there under v1 alone, but for media, settings and surveys", async () => {
  const { routes, appId, secret } = await service(null);
  const headers = { "x-hyper-appId": appId, "x-hyper-secret": secret };
  const statusOf = async (path: string): Promise<number> =>
    (await routes.request(path, { headers })).status;
  for (const name of ["users", "chats", "agents", "rooms"]) {
    expect(await statusOf(`/v1/${name}`)).toBe(200);
    for (const version of ["/v2", "/V1", "/v1.0", ""]) {
      const answer = await routes.request(`${version}/${name}`, { headers });
      expect([version, name, answer.status, await answer.json()]).toEqual([
        version,
        name,
        404,
        { error: { code: 404, message: expect.any(String) } },
      ]);
    }
  }
  for (const name of ["media", "settings", "surveys"]) {
    expect([name, await statusOf(`/v1/${name}`), await statusOf(`/${name}`)]).toEqual([
      name,
      200,
      200,
    ]);
    expect([name, await statusOf(`/v2/${name}`)]).toEqual([name, 404]);
  }
});

test("registering an app makes its id and its secret, and the secret is not shown again", async () => {
  const { options, routes } = await service(null);
  const { appId, secret } = await registerApp(options, "Shop");
  const headers = { "x-hyper-appId": appId, "x-hyper-secret": secret };
  const shown = await routes.request(`/v1/apps/${appId}`, { headers });
  expect(shown.status).toBe(200);
  expect(await shown.text()).not.toContain(secret);
});

test("availability and sign-up do without the secret, and take it", async () => {
  const { routes, appId, secret } = await service(null);
  for (const further of [{}, { "x-hyper-secret": secret }]) {
    const headers = { "x-hyper-appId": appId, ...further };
    const available = await routes.request("/v1/agents/available?roomIds=1", { headers });
    const signedUp = await routes.request("/v1/users", {
      method: "POST",
      headers,
      body: '{"name":"Ana"}',
    });
    expect([available.status, signedUp.status]).toEqual([200, 200]);
  }
});

test("an existing user begins a chat without signing up again", async () => {
  const { client, agent, ask } = await service(null);
  await agent();
  const { user } = await client.createUser({ name: "Ana", externalId: "crm-1" });
  const begun = await client.start({ room: 1, user: { id: user.id } });
  expect(begun).toMatchObject({ started: true, outcome: "invited" });
  expect((await ask("GET", "users")).body.users).toHaveLength(1);
});

test("the client asks below /v1, media, settings and surveys too", async () => {
  const asked: string[] = [];
  const client = createChatClient({
    url: "http://chat.test:8000/",
    appId: "app-1",
    secret: "secret-1",
    wire: "seed",
    send: (call) =>
      sendCall(call, {
        fetch: (url, init) => {
          asked.push(`${init.method} ${new URL(url).pathname}`);
          return Promise.resolve(Response.json({ settings: {}, survey: {}, media: {} }));
        },
        timeout: 5_000,
        now: Date.now,
        secrets: () => ["secret-1"],
      }),
  });
  await client.settings();
  await client.survey("s-1");
  await client.upload({ name: "a.txt", bytes: new Uint8Array([97]) }, { chatId: "c-1" });
  expect(asked).toEqual(["GET /v1/settings", "GET /v1/surveys/s-1", "POST /v1/media"]);
});

test.each([
  ["deployed", "?userId=u-1", ""],
  ["seed", "", '{"userId":"u-1"}'],
] as const)("the client's spellings in the wire %s", async (wire, query, body) => {
  const seen: { url: URL; headers: Headers; body: string }[] = [];
  const client = createChatClient({
    url: "http://chat.test:8000",
    appId: "app-1",
    secret: "secret-1",
    wire,
    send: (call) =>
      sendCall(call, {
        fetch: (url, { headers, body: sent }) => {
          const text = typeof sent === "string" ? sent : "";
          seen.push({ url: new URL(url), headers: new Headers(headers), body: text });
          return Promise.resolve(Response.json({ agents: {}, chat: {}, success: true }));
        },
        timeout: 5_000,
        now: Date.now,
        secrets: () => ["secret-1"],
      }),
  });
  await client.availableAgents([1, 2]);
  await client.areAgentsOnline(1);
  await client.close("c-1", "u-1");
  await client.activity("u-1", "not-writing");
  const [available, online, close, activity] = seen;
  expect(`${available?.url.pathname}${available?.url.search}`).toMatch(
    /^\/v1\/agents\/available\?roomIds=1(,|%2C)2$/,
  );
  expect(online?.url.search).toBe("?roomId=1");
  expect([close?.url.pathname, close?.url.search, close?.body]).toEqual([
    "/v1/chats/c-1",
    query,
    body,
  ]);
  expect(JSON.parse(activity?.body ?? "")).toMatchObject({ type: "not-writing" });
  for (const { headers } of seen.slice(2)) {
    expect(headers.get("x-hyper-appId")).toBe("app-1");
    expect(headers.get("x-hyper-secret")).toBe("secret-1");
  }
  expect(seen.map(({ url }) => url.search).join("")).not.toContain("secret");
});
