// Suite: slow
import { beforeAll, describe, expect, test } from "vitest";
import { type App, ask, clock, login, open } from "../client.ts";

const key = { "x-inbenta-key": "demo-key" };
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

/** For tests that need no clock and no credentials of their own. */
let app: App;
beforeAll(async () => {
  ({ app } = await open());
});

describe("POST /v1/auth", () => {
  test.each([
    ["JSON", json, '{"secret":"demo-secret"}'],
    [
      "JSON with a comma in its type",
      { "content-type": "application/json,charset=UTF-8" },
      '{"secret":"demo-secret"}',
    ],
    ["JSON as text", { "content-type": "text/plain;charset=UTF-8" }, '{"secret":"demo-secret"}'],
    ["JSON under a form type", form, '{"secret":"demo-secret"}'],
    ["JSON with a byte order mark", json, '\ufeff{"secret":"demo-secret"}'],
    ["a form", form, "secret=demo-secret"],
    ["a form with more fields", form, "user_personal_secret=x&secret=demo-secret"],
    ["a form under a text type", { "content-type": "text/plain" }, "secret=demo-secret"],
  ])("takes the secret from %s", async (_name, type, body) => {
    const answer = await ask(app, "POST", "/v1/auth", { ...key, ...type }, body);
    expect(answer.status).toBe(200);
  });

  test("takes a body without any content type", async () => {
    for (const body of ['{"secret":"demo-secret"}', "secret=demo-secret"]) {
      const bytes = new TextEncoder().encode(body);
      const answer = await app.request("/v1/auth", { method: "POST", headers: key, body: bytes });
      expect(answer.status).toBe(200);
    }
  });

  test("takes a secret in a form both raw and percent-encoded", async () => {
    const secret = "a+b/c==%zz";
    const { app } = await open({ credentials: [{ apiKey: "k", secret, project: "shop" }] });
    for (const body of [`secret=${secret}`, `secret=${encodeURIComponent(secret)}`]) {
      const answer = await ask(app, "POST", "/v1/auth", { "x-inbenta-key": "k", ...form }, body);
      expect(answer.status).toBe(200);
    }
  });

  test("answers token, expiry in Unix seconds, lifetime and the products that exist", async () => {
    const time = clock();
    const { app } = await open({ now: time.now });
    const { body } = await ask(app, "POST", "/v1/auth", key, { secret: "demo-secret" });
    expect(body).toStrictEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expiration: time.now() / 1000 + 1200,
      expires_in: 1200,
      isUserIdentified: false,
      apis: {
        chatbot: "http://localhost/chatbot",
        knowledge: "http://localhost/knowledge",
        ticketing: "http://localhost/ticketing",
        chat: "http://localhost/chat",
      },
    });
  });

  test("gives products the addresses that are configured", async () => {
    const { app } = await open({ bases: (product) => `embedded:${product}` });
    const { body } = await ask(app, "POST", "/v1/auth", key, { secret: "demo-secret" });
    expect(body.apis).toStrictEqual({
      chatbot: "embedded:chatbot",
      knowledge: "embedded:knowledge",
      ticketing: "embedded:ticketing",
      chat: "embedded:chat",
    });
  });

  test.each([
    ["a wrong secret", key, '{"secret":"demo-secre"}'],
    ["a secret with a suffix", key, '{"secret":"demo-secret "}'],
    ["an unknown key", { "x-inbenta-key": "nobody" }, '{"secret":"demo-secret"}'],
    ["no key", {}, '{"secret":"demo-secret"}'],
    ["an empty key", { "x-inbenta-key": "" }, '{"secret":"demo-secret"}'],
    [
      "a key of an object's prototype",
      { "x-inbenta-key": "__proto__" },
      '{"secret":"demo-secret"}',
    ],
    ["no secret", key, "{}"],
    ["an empty body", key, ""],
    ["a secret that is a list", key, '{"secret":["demo-secret"]}'],
    ["a secret that is null", key, '{"secret":null}'],
  ])("refuses %s", async (_name, headers, body) => {
    const answer = await ask(app, "POST", "/v1/auth", headers, body);
    expect(answer).toStrictEqual({
      status: 401,
      body: { message: "Unauthorized", errors: [{ code: 401, message: "Unauthorized" }] },
    });
  });

  test("accepts the key under its other name and in any letter case", async () => {
    for (const name of ["x-vendor-key", "X-Vendor-Key", "X-INBENTA-KEY"]) {
      const answer = await ask(
        app,
        "POST",
        "/v1/auth",
        { [name]: "demo-key" },
        { secret: "demo-secret" },
      );
      expect(answer.status).toBe(200);
    }
  });

  test("answers 422, never 400, to a body that can't be read", async () => {
    for (const body of ['{"secret":', '"demo-secret"', "[1]", "7"]) {
      const answer = await ask(app, "POST", "/v1/auth", { ...key, ...json }, body);
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ code: 422 }] } });
    }
  });
});

describe("demo credentials", () => {
  test.each([
    "Forwarded",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Anything",
    "CF-Ray",
    "X-Real-IP",
  ])("are refused in a request with %s, and so is a token issued for them", async (name) => {
    const headers = await login(app);
    const auth = await ask(
      app,
      "POST",
      "/v1/auth",
      { ...key, [name]: "x" },
      { secret: "demo-secret" },
    );
    expect(auth.status).toBe(401);
    const start = await ask(app, "POST", "/v1/conversation", { ...headers, [name]: "x" });
    expect(start.status).toBe(401);
  });

  test("work behind the gateway, which adds Via", async () => {
    const headers = { ...key, via: "1.1 afterword-1" };
    expect((await ask(app, "POST", "/v1/auth", headers, { secret: "demo-secret" })).status).toBe(
      200,
    );
  });

  test("are unknown when they are not active, and other credentials work through a proxy", async () => {
    const own = { apiKey: "own", secret: "own-secret", project: "shop" };
    const { app } = await open({ demo: false, credentials: [own] });
    expect((await ask(app, "POST", "/v1/auth", key, { secret: "demo-secret" })).status).toBe(401);
    const headers = { "x-inbenta-key": "own", "x-forwarded-for": "192.0.2.1" };
    expect((await ask(app, "POST", "/v1/auth", headers, { secret: "own-secret" })).status).toBe(
      200,
    );
  });
});

describe("access tokens", () => {
  test("are accepted until their last second, and not after", async () => {
    const time = clock();
    const { app } = await open({ now: time.now });
    const headers = await login(app);
    time.advance(1199);
    expect((await ask(app, "GET", "/v1/apis", headers)).status).toBe(200);
    time.advance(1);
    expect((await ask(app, "GET", "/v1/apis", headers)).status).toBe(401);
  });

  test("are refreshed while they live: a new token, and no apis", async () => {
    const time = clock();
    const { app } = await open({ now: time.now });
    const headers = await login(app);
    time.advance(1000);
    for (const body of [undefined, "", "{}", "[]"]) {
      const { body: fresh } = await ask(app, "POST", "/v1/refreshToken", headers, body);
      expect(Object.keys(fresh)).toStrictEqual(["accessToken", "expiration", "expires_in"]);
      expect(fresh.expiration).toBe(time.now() / 1000 + 1200);
      expect(headers["authorization"]).not.toContain(fresh.accessToken);
      const renewed = { ...headers, authorization: `bearer ${fresh.accessToken}` };
      expect((await ask(app, "GET", "/v1/apis", renewed)).status).toBe(200);
    }
    time.advance(200);
    expect((await ask(app, "POST", "/v1/refreshToken", headers)).status).toBe(401);
  });

  test("differ from one another, even within a second", async () => {
    const time = clock();
    const { app } = await open({ now: time.now });
    expect(await login(app)).not.toStrictEqual(await login(app));
  });

  test("belong to one key: another project's key is answered 403", async () => {
    const headers = { ...(await login(app)), "x-inbenta-key": "demo-modern" };
    for (const [method, path] of [
      ["GET", "/v1/apis"],
      ["POST", "/v1/refreshToken"],
      ["POST", "/v1/conversation"],
    ] as const) {
      expect(await ask(app, method, path, headers)).toMatchObject({
        status: 403,
        body: { errors: [{ code: 403 }] },
      });
    }
  });

  test.each([
    ["no token", {}],
    ["no scheme", { authorization: "token" }],
    ["something that is no token", { authorization: "Bearer abc" }],
    [
      "an unsigned token",
      { authorization: `Bearer ${btoa('{"alg":"none"}')}.${btoa('{"sub":"x"}')}.` },
    ],
  ])("401 for %s", async (_name, headers) => {
    expect((await ask(app, "GET", "/v1/apis", { ...key, ...headers })).status).toBe(401);
  });

  test("a changed token is refused", async () => {
    const headers = await login(app);
    const [head, payload = "", signature] = (headers["authorization"] ?? "").split(".");
    const claims = { ...JSON.parse(atob(payload)), exp: 9_999_999_999 };
    const forged = {
      ...headers,
      authorization: `${head}.${btoa(JSON.stringify(claims)).replace(/=+$/, "")}.${signature}`,
    };
    expect((await ask(app, "GET", "/v1/apis", forged)).status).toBe(401);
  });

  test("hold neither the key nor the secret", async () => {
    const [, payload = ""] = ((await login(app))["authorization"] ?? "").split(".");
    expect(atob(payload)).not.toMatch(/demo-key|demo-secret/);
  });

  test("outlive a key rotation, and end with the key that signed them", async () => {
    const [older, newer] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const before = await open({ signingKeys: [older] });
    const rotated = await open({ signingKeys: [newer, older] });
    const after = await open({ signingKeys: [newer] });
    const old = await login(before.app);
    const fresh = await login(rotated.app);
    const statusOf = async (
      app: typeof after.app,
      headers: Record<string, string>,
    ): Promise<number> => (await ask(app, "GET", "/v1/apis", headers)).status;
    expect(await statusOf(rotated.app, old)).toBe(200);
    expect(await statusOf(after.app, old)).toBe(401);
    expect(await statusOf(after.app, fresh)).toBe(200);
    expect(await statusOf(before.app, fresh)).toBe(401);
  });

  test("cannot be issued without a signing key of at least 32 bytes", async () => {
    await expect(open({ signingKeys: [] })).rejects.toMatchObject({ code: "argument-invalid" });
    await expect(open({ signingKeys: [new Uint8Array(31)] })).rejects.toMatchObject({
      code: "argument-invalid",
    });
  });
});
