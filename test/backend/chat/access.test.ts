import { describe, expect, test } from "vitest";
import { DEMO_CHAT } from "../../../src/backend/chat/demo.ts";
import { CHAT_OPERATIONS } from "../../../src/api/chat/operations.ts";
import { png, service } from "./service.ts";
import type { Service } from "./service.ts";

const spellings = CHAT_OPERATIONS.flatMap((operation) =>
  [operation.path, ...(operation.aliases ?? [])].map((path) => ({ ...operation, path })),
);

async function request(
  { routes }: Service,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<number> {
  const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" };
  return (await routes.request(path.replace("{id}", "x"), { method, headers, ...body })).status;
}

describe("credentials", () => {
  const open = [
    "chat.validateApp",
    "chat.createUser",
    "chat.availableAgents",
    "chat.onlineAgents",
    "chat.loginAgent",
    "chat.settings",
  ];

  test("that are only the app's id open availability, sign-up, and what a browser needs before them", () => {
    const rows = CHAT_OPERATIONS.filter(({ credentials }) => credentials === "app");
    expect(rows.map(({ id }) => id).toSorted()).toEqual(open.toSorted());
  });

  /** Lists the operations that do not answer all of these requests with this status. */
  async function otherwise(
    made: Service,
    wanted: number,
    rows: readonly (typeof spellings)[number][],
    ...credentials: readonly Record<string, string>[]
  ): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { method, path } of rows) {
      for (const headers of credentials) {
        const status = await request(made, method, path, headers);
        if (status !== wanted) found.push(`${method} ${path}: ${status}`);
      }
    }
    expect(rows.length).toBeGreaterThan(5);
    return found;
  }

  test("of an app are required by every operation, and each refuses a wrong secret", async () => {
    const made = await service(null);
    const app = { "x-hyper-appId": made.appId };
    const unknown = { "x-hyper-appId": "nobody" };
    const wrong = { ...app, "x-hyper-secret": "wrong" };
    expect(await otherwise(made, 401, spellings, {}, unknown, wrong)).toEqual([]);
    const inQuery = spellings.map((row) => ({
      ...row,
      path: `${row.path}/?appId=${made.appId}&secret=wrong`,
    }));
    expect(await otherwise(made, 401, inQuery, {})).toEqual([]);
  });

  test("open nothing else without a secret or token", async () => {
    const made = await service(null);
    const app = { "x-hyper-appId": made.appId };
    const rest = spellings.filter(({ id }) => !open.includes(id));
    expect(await otherwise(made, 401, rest, app, { ...app, "x-hyper-token": "x" })).toEqual([]);
  });

  test("of a user open none of the operations that are the app's own", async () => {
    const made = await service(null);
    const { body } = await made.ask("POST", "users", { name: "Ana" });
    const headers = { "x-hyper-appId": made.appId, "x-hyper-token": body.session.token };
    const rest = spellings.filter(({ id, persons }) => !open.includes(id) && !persons);
    expect(await otherwise(made, 403, rest, headers)).toEqual([]);
  });

  test("work in headers of any case and in the query, with and without a trailing slash", async () => {
    const { routes, appId, secret } = await service(null);
    const upper = { "X-HYPER-APPID": appId, "X-Hyper-Secret": secret };
    const query = `appId=${appId}&secret=${secret}`;
    const asked = await Promise.all([
      routes.request("/v1/users/", { headers: upper }),
      routes.request(`/v1/users?${query}`),
      routes.request(`/v1/surveys/?${query}`),
      routes.request(`/surveys?${query}`),
      routes.request(`/settings/?${query}`),
      routes.request(`/media?${query}`),
      routes.request("/v1/agents/available/?roomIds=1", { headers: { "x-hyper-appid": appId } }),
    ]);
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
  });

  test("of a revoked app and of the demo app without its option are refused", async () => {
    const { routes, options, appId, ask } = await service(null);
    const { revokeApp } = await import("../../../src/backend/chat/agents/apps.ts");
    const headers = { "x-hyper-appId": DEMO_CHAT.appId, "x-hyper-secret": DEMO_CHAT.secret };
    expect((await routes.request("/v1/users", { headers })).status).toBe(401);
    expect([await revokeApp(options, appId), await revokeApp(options, appId)]).toEqual([
      true,
      false,
    ]);
    expect((await ask("GET", "users")).status).toBe(401);
  });

  test("of the demo app work with its option, and not for a request that came through a proxy", async () => {
    const { routes } = await service(null, { demo: true });
    const headers = { "x-hyper-appId": "demo-app", "x-hyper-secret": "demo-app-secret" };
    const seen = await routes.request("/v1/agents/demo-agent", { headers });
    expect(await seen.json()).toMatchObject({ agent: { id: "demo-agent", online: false } });
    const login = await routes.request("/v1/agents/login", {
      method: "POST",
      headers: { "x-hyper-appId": "demo-app" },
      body: JSON.stringify({ login: "demo-agent", password: "demo-agent" }),
    });
    expect(login.status).toBe(200);
    const available = await routes.request("/v1/agents/available?roomIds=1", { headers });
    expect(await available.json()).toEqual({ agents: { 1: 1 } });
    const forwarded = { ...headers, "x-forwarded-for": "203.0.113.9" };
    expect((await routes.request("/v1/users", { headers: forwarded })).status).toBe(401);
  });

  test("never leave a page: no preflight allows the secret, nor does an answer name it", async () => {
    const { routes } = await service(null);
    for (const path of ["/v1/users", "/v1/chats/x", "/settings", "/nothing"]) {
      const preflight = await routes.request(path, {
        method: "OPTIONS",
        headers: {
          origin: "https://shop.test",
          "access-control-request-method": "POST",
          "access-control-request-headers": "x-hyper-appid, X-Hyper-Secret, content-type",
        },
      });
      const allowed = preflight.headers.get("access-control-allow-headers") ?? "";
      expect(allowed.toLowerCase()).toContain("x-hyper-appid");
      expect(allowed.toLowerCase()).toContain("x-hyper-token");
      expect(allowed.toLowerCase()).not.toContain("secret");
      expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });
});

test("what belongs to one app does not exist for another: every list is empty, every id unknown", async () => {
  const made = await service(null);
  const { ask, askOther, agent, chat } = made;
  const sam = await agent();
  const one = await chat();
  const answer = await ask("POST", `chats/${one.id}/messages`, {
    sender: one.creator,
    message: "Hi",
  });
  const upload = { name: "a.png", content: Buffer.from(png).toString("base64") };
  const file = await ask("POST", "media", { ...upload, chatId: one.id, senderId: one.creator });
  const survey = await ask("POST", "surveys", { name: "S", url: "https://survey.test/" });
  const hook = await ask("POST", "webhooks", { events: "chats:close", target: "https://h.test/" });
  expect([file.status, survey.status, hook.status]).toEqual([200, 200, 200]);

  const lists = ["users", "agents", "chats", "media", "surveys", "webhooks", "rooms"];
  for (const path of lists) {
    expect((await askOther("GET", path)).body).toMatchObject({ [path]: [] });
    expect((await ask("GET", path)).body[path]).toHaveLength(1);
  }
  const apps = await askOther("GET", "apps");
  expect(JSON.stringify(apps.body)).not.toContain(made.appId);
  expect((await askOther("GET", "agents/available?roomIds=1")).body.agents).toEqual({ 1: 0 });
  expect((await askOther("GET", "queues/status")).body.queues).toEqual({});

  const message = answer.body.message.id;
  const mine = [
    ["GET", `apps/${made.appId}`],
    ["PUT", `apps/${made.appId}`, { name: "x" }],
    ["GET", `users/${one.creator}`],
    ["PUT", `users/${one.creator}`, { name: "x" }],
    ["POST", `users/${one.creator}/activity`, { type: "writing", chatId: one.id }],
    ["GET", `agents/${sam}`],
    ["PUT", `agents/${sam}`, { slots: 9 }],
    ["POST", "agents/logout", { agentId: sam }],
    ["GET", `chats/${one.id}`],
    ["PUT", `chats/${one.id}`, { lang: "en" }],
    ["DELETE", `chats/${one.id}`],
    ["GET", `chats/${one.id}/assign`],
    ["POST", `chats/${one.id}/toinbox`],
    ["POST", `chats/${one.id}/join`, { userId: sam }],
    ["PUT", `chats/${one.id}/leave`, { userId: sam }],
    ["POST", `chats/${one.id}/transfer`, { userId: sam }],
    ["GET", `chats/${one.id}/users`],
    ["GET", `chats/${one.id}/messages`],
    ["POST", `chats/${one.id}/messages`, { sender: one.creator, message: "x" }],
    ["GET", `chats/${one.id}/history`],
    ["POST", `chats/${one.id}/history`, { history: [] }],
    ["PUT", `messages/${message}/read`, { userId: sam }],
    ["POST", "invitations", { chatId: one.id, userId: sam }],
    ["POST", "invitations/accept", { chatId: one.id, userId: sam }],
    ["POST", "invitations/reject", { chatId: one.id, userId: sam }],
    ["GET", `media?chatId=${one.id}`],
    ["POST", "media", { ...upload, chatId: one.id, senderId: one.creator }],
    ["GET", `media/${file.body.media.id}`],
    ["GET", `queues/update/${one.id}`],
    ["GET", `surveys/${survey.body.survey.id}`],
    ["GET", `webhooks/${hook.body.webhook.id}`],
    [
      "PUT",
      `webhooks/${hook.body.webhook.id}`,
      { events: "chats:close", target: "https://o.test/" },
    ],
    ["DELETE", `webhooks/${hook.body.webhook.id}`],
  ] as const;
  for (const [method, path, body] of mine) {
    expect([path, (await askOther(method, path, body)).status]).toEqual([path, 404]);
  }
  const chatOfOther = { room: 1, creator: one.creator };
  expect((await askOther("POST", "chats", chatOfOther)).status).toBe(422);
  expect((await ask("GET", `chats/${one.id}`)).body.chat).toMatchObject(one);
  expect((await ask("GET", `users/${one.creator}`)).body.user.name).toBe("Ana");
  expect((await ask("GET", `agents/${sam}`)).body.agent.slots).toBe(1);
  // A token of one app is invalid beside another's id.
  const { body } = await ask("POST", "users", { name: "Bo" });
  const foreign = await askOther("POST", "apps", { name: "Third" });
  const crossed = await made.routes.request(`/v1/users/${body.user.id}`, {
    headers: { "x-hyper-appId": foreign.body.appId, "x-hyper-token": body.session.token },
  });
  expect(crossed.status).toBe(401);
});

test("an app registered by another has a secret of its own, shown once", async () => {
  const { ask, routes } = await service(null);
  const { body } = await ask("POST", "apps", { name: "Second" });
  expect(body).toMatchObject({ app: { name: "Second" }, appId: body.app.id });
  const headers = { "x-hyper-appId": body.appId, "x-hyper-secret": body.secret };
  const own = await (await routes.request("/v1/apps", { headers })).text();
  expect(own).toContain("Second");
  expect(own).not.toContain(body.secret);
});
