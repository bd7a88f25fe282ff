// Suite: slow
import { AfterwordError } from "../../src/errors.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { credentialsFrom, DEMO_CREDENTIALS } from "../../src/backend/auth/credentials.ts";
import { DEMO_PROJECTS } from "../../src/backend/chatbot/projects.ts";
import { createBackend } from "../../src/backend/index.ts";
import { loadContent } from "../../src/backend/content/load.ts";
import { openStorage } from "../../src/backend/storage/open-storage.ts";
import {
  type App,
  ask,
  contentDirectory,
  login,
  open,
  resume,
  signingKey,
  talk,
} from "./client.ts";

/** For tests that need no settings of their own. */
let app: App;
beforeAll(async () => {
  ({ app } = await open());
});

describe("paths", () => {
  test.each([
    "",
    "/v1",
    "/chatbot",
    "/chatbot/v1",
    "http://embedded/chatbot/v1",
    "http://embedded/chatbot",
  ])("the chatbot answers under %j, with and without a trailing slash", async (prefix) => {
    const { headers } = await talk(app);
    for (const slash of ["", "/", "?", "/?a=b"]) {
      const path = `${prefix}/conversation/message${slash}`;
      expect(await ask(app, "POST", path, headers, { message: "" })).toMatchObject({ status: 200 });
    }
    const got = resume(app, headers);
    expect((await got.get(`${prefix}/conversation/history/`)).status).toBe(200);
    expect((await got.get(`${prefix}/conversation/variables`)).status).toBe(200);
    expect((await got.get(`${prefix}/app/data/shop`)).status).toBe(200);
    expect((await got.post(`${prefix}/tracking/events`, { type: "x" })).status).toBe(200);
  });

  test.each(["/v1", "/auth/v1", "http://embedded/auth/v1"])(
    "authentication answers under %j",
    async (prefix) => {
      const headers = await login(app);
      const key = { "x-inbenta-key": "demo-key" };
      for (const slash of ["", "/"]) {
        expect(
          (await ask(app, "POST", `${prefix}/auth${slash}`, key, { secret: "demo-secret" })).status,
        ).toBe(200);
        expect((await ask(app, "POST", `${prefix}/refreshToken${slash}`, headers)).status).toBe(
          200,
        );
        expect((await ask(app, "GET", `${prefix}/apis${slash}`, headers)).status).toBe(200);
      }
    },
  );

  test.each([
    ["GET", "/v2/apis"],
    ["GET", "/v1/surveys/1"],
    ["GET", "/favicon.ico"],
    ["POST", "/knowledge/v2/search"],
    ["PATCH", "/chat/v1/nowhere"],
  ])("%s %s is 404 in the format that clients read", async (method, path) => {
    const error = { code: 404, message: expect.any(String) };
    const errors = [error];
    expect(await ask(app, method, path, await login(app))).toStrictEqual({
      status: 404,
      body: path.startsWith("/knowledge/")
        ? { error, errors, message: error.message }
        : path.startsWith("/chat/")
          ? { error }
          : { errors },
    });
  });

  test.each([
    ["GET", "/v1/conversation/message", "POST"],
    ["DELETE", "/v1/conversation/", "POST"],
    ["PUT", "/chatbot/v1/conversation/variables?x=1", "GET, HEAD, POST"],
    ["POST", "/v1/apis", "GET, HEAD"],
    ["POST", "/", "GET, HEAD"],
    ["DELETE", "/ticketing/v1/tickets/7", "GET, HEAD, PUT"],
    ["GET", "/knowledge/v1/search", "POST"],
    ["PATCH", "/chat/v1/chats/7", "DELETE, GET, HEAD, PUT"],
    ["PUT", "/chat/v1/chats/7/assign", "GET, HEAD"],
  ])("%s %s is 405, and Allow names %s", async (method, path, allow) => {
    const answer = await app.request(path, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
    expect(await answer.text()).toContain(`This path takes ${allow}.`);
  });
});

describe("widgets on other sites", () => {
  const origin = "https://shop.example";

  test.each([
    "/v1/auth",
    "/v1/conversation",
    "/conversation/message",
    "/chatbot/v1/conversation/message",
    "/chatbot/v1/tracking/events",
  ])("may call %s", async (path) => {
    const requested =
      "content-type,authorization,x-inbenta-key,x-inbenta-session,x-inbenta-env,x-inbenta-user-type,x-inbenta-source,x-requested-with,x-afterword-locale";
    const preflight = await app.request(path, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": requested,
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
    const allowed = (preflight.headers.get("access-control-allow-headers") ?? "")
      .toLowerCase()
      .split(",");
    for (const name of requested.split(",")) expect(allowed).toContain(name);
  });

  test("read answers and errors alike, but no further headers", async () => {
    for (const [headers, status] of [
      [await login(app), 200],
      [{}, 401],
    ] as const) {
      const answer = await app.request("/v1/conversation", {
        method: "POST",
        headers: { ...headers, origin },
      });
      expect(answer.status).toBe(status);
      expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
      expect(answer.headers.get("vary")).toMatch(/origin/i);
      expect(answer.headers.get("access-control-expose-headers")).toBeNull();
    }
  });

  test("may ask for no header of the browser's own", async () => {
    const answer = await app.request("/v1/auth", {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "cookie,x-own",
      },
    });
    expect(answer.headers.get("access-control-allow-headers")?.toLowerCase()).toMatch(/x-own/);
    expect(answer.headers.get("access-control-allow-headers")?.toLowerCase()).not.toMatch(/cookie/);
  });

  test("can't read the chat page's configuration", async () => {
    const answer = await app.request("/?file=config.json", { headers: { origin } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});

test("an internal failure is answered 500 without details, and reported", async () => {
  const seen: unknown[] = [];
  const broken = new Error("the disk is full of secrets");
  const storage = await openStorage(null);
  const app = createBackend({
    content: await loadContent(contentDirectory),
    credentials: credentialsFrom([{ apiKey: "demo-key", secret: "demo-secret", project: "gone" }]),
    projects: [{ name: "other", language: "fr", activeDefaultContent: [] }],
    signingKeys: [signingKey],
    storage: {
      ...storage,
      sessions: { ...storage.sessions, create: () => Promise.reject(broken) },
    },
    now: Date.now,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    report: (error) => seen.push(error),
  });
  const answer = await ask(app, "POST", "/v1/conversation", await login(app));
  expect(answer).toStrictEqual({
    status: 500,
    body: { errors: [{ code: 500, message: "Internal error" }] },
  });
  expect(seen).toStrictEqual([broken]);
  expect((await ask(app, "GET", "/")).status).toBe(404);
});

test("an unreachable database is answered 503 until it returns", async () => {
  const seen: unknown[] = [];
  const outage = new AfterwordError("database-unusable", "The database db does not answer");
  const storage = await openStorage(null);
  const app = createBackend({
    content: await loadContent(contentDirectory),
    credentials: credentialsFrom(DEMO_CREDENTIALS),
    projects: DEMO_PROJECTS,
    signingKeys: [signingKey],
    storage: {
      ...storage,
      sessions: { ...storage.sessions, create: () => Promise.reject(outage) },
    },
    now: Date.now,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    report: (error) => seen.push(error),
  });
  const answer = await app.request("/v1/conversation", {
    method: "POST",
    headers: { ...(await login(app)), "content-type": "application/json" },
    body: "{}",
  });
  expect([answer.status, answer.headers.get("retry-after")]).toStrictEqual([503, "1"]);
  expect(await answer.text()).not.toContain("db");
  expect(seen).toStrictEqual([outage]);
});

test("without recognition words a plain yes and no are understood, and no other language's", async () => {
  const app = createBackend({
    content: await loadContent(contentDirectory),
    credentials: credentialsFrom(DEMO_CREDENTIALS),
    projects: DEMO_PROJECTS,
    signingKeys: [signingKey],
    storage: await openStorage(null),
    now: Date.now,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  });
  const answersTo = async (...texts: readonly string[]): Promise<readonly string[]> => {
    const { say } = await talk(app, { body: { lang: "es" } });
    await say("No encuentro mi paquete");
    const titles: string[] = [];
    for (const text of texts) titles.push((await say(text)).parameters?.contents?.title ?? "");
    return titles;
  };
  expect(await answersTo("Yes")).toStrictEqual(["Mi paquete se ha perdido"]);
  const [, second] = await answersTo("no", "yes");
  expect(second).toContain("Entregado");
  expect(await answersTo("sí")).toStrictEqual([""]);
});
