// Suite: slow
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CredentialEntry, isOriginAllowed } from "../../../src/backend/auth/credentials.ts";
import { ask, open } from "../client.ts";
import type { App } from "../client.ts";

const entry: CredentialEntry = {
  apiKey: "key",
  secret: "top-secret",
  project: "shop",
  domainKeys: [
    { key: "domain-key", domains: ["shop.example", ".help.example"] },
    { key: "other-domain-key", domains: ["https://other.example:8443"] },
  ],
  personalSecrets: [{ name: "ana", secret: "anas-secret" }],
};
const key = { "x-vendor-key": "key" };
const shop = { origin: "https://shop.example" };

async function backend(): Promise<App> {
  return (await open({ credentials: [entry] })).app;
}

async function token(app: App, headers: object, secret: string): Promise<string> {
  const { body } = await ask(app, "POST", "/v1/auth", { ...key, ...headers }, { secret });
  return body.accessToken;
}

describe("a domain key", () => {
  test("is exchanged for a token in a request from one of its domains", async () => {
    const app = await backend();
    for (const origin of [
      "https://shop.example",
      "https://help.example",
      "https://a.help.example",
    ]) {
      const headers = { ...key, origin };
      const answer = await ask(app, "POST", "/v1/auth", headers, { secret: "domain-key" });
      expect([origin, answer.status]).toEqual([origin, 200]);
    }
  });

  test.each([
    ["no origin: nothing outside a browser may use it", {}],
    ["another domain", { origin: "https://evil.example" }],
    ["a domain that only ends like it", { origin: "https://notshop.example" }],
    ["the domain over plain http", { origin: "http://shop.example" }],
    ["the domain of another key", { origin: "https://other.example:8443" }],
    ["an opaque origin", { origin: "null" }],
  ])("is refused with %s", async (_name, headers) => {
    const app = await backend();
    const answer = await ask(
      app,
      "POST",
      "/v1/auth",
      { ...key, ...headers },
      { secret: "domain-key" },
    );
    expect(answer.status).toBe(401);
  });

  test("gives a token that works from its domains only", async () => {
    const app = await backend();
    const authorization = `Bearer ${await token(app, shop, "domain-key")}`;
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await ask(app, "GET", "/v1/apis", { ...key, authorization, ...headers })).status;
    expect(await status(shop)).toBe(200);
    expect(await status({ "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await status({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status({ origin: "https://evil.example" })).toBe(403);
    expect(await status({})).toBe(403);
  });

  test("keeps its limits over a refresh", async () => {
    const app = await backend();
    const authorization = `Bearer ${await token(app, shop, "domain-key")}`;
    const refreshed = await ask(app, "POST", "/v1/refreshToken", {
      ...key,
      authorization,
      ...shop,
    });
    const next = { ...key, authorization: `Bearer ${refreshed.body.accessToken}` };
    expect((await ask(app, "GET", "/v1/apis", next)).status).toBe(403);
    expect((await ask(app, "GET", "/v1/apis", { ...next, ...shop })).status).toBe(200);
  });
});

describe("a secret", () => {
  test("is refused from a browser, with the reason", async () => {
    const app = await backend();
    const answer = await ask(
      app,
      "POST",
      "/v1/auth",
      { ...key, ...shop },
      { secret: "top-secret" },
    );
    expect(answer.status).toBe(403);
    expect(answer.body.errors[0].message).toContain("use a domain key");
  });

  test("may come with the personal secret of its own user, and not with another user's", async () => {
    const app = await backend();
    const login = async (personal: string): Promise<number> => {
      const body = { secret: "top-secret", user_personal_secret: personal };
      return (await ask(app, "POST", "/v1/auth", key, body)).status;
    };
    expect(await login("anas-secret")).toBe(200);
    expect(await login("bobs-secret")).toBe(401);
  });
});

test("refuses tokens that were issued before the key's tokens were revoked", async () => {
  const { app } = await open({ credentials: [entry] });
  const authorization = `Bearer ${await token(app, {}, "top-secret")}`;
  const later = Math.floor(Date.now() / 1000) + 60;
  const { app: revoked } = await open({ credentials: [{ ...entry, notBefore: later }] });
  expect((await ask(app, "GET", "/v1/apis", { ...key, authorization })).status).toBe(200);
  expect((await ask(revoked, "GET", "/v1/apis", { ...key, authorization })).status).toBe(401);
});

test("discovery answers according to the token, at whatever address it is called", async () => {
  const app = await backend();
  const { body } = await ask(app, "POST", "http://first.example/v1/auth", key, {
    secret: "top-secret",
  });
  const headers = { ...key, authorization: `Bearer ${body.accessToken}` };
  const moved = await ask(app, "GET", "http://second.example/v1/apis", headers);
  expect(moved.body.apis.chatbot).toBe("http://first.example/chatbot");
  const refreshed = await ask(app, "POST", "http://second.example/v1/refreshToken", headers);
  const next = { ...key, authorization: `Bearer ${refreshed.body.accessToken}` };
  const now = await ask(app, "GET", "http://first.example/v1/apis", next);
  expect(now.body.apis.chatbot).toBe("http://second.example/chatbot");
});

test.each([
  ["https://a.example", ["a.example"], true],
  ["https://a.example:8443", ["a.example"], true],
  ["https://A.example", ["a.example"], true],
  ["https://b.a.example", ["a.example"], false],
  ["https://b.a.example", [".a.example"], true],
  ["https://ba.example", [".a.example"], false],
  ["http://localhost:3000", ["localhost"], true],
  ["http://127.0.0.1:3000", ["127.0.0.1"], true],
  ["http://[::1]:3000", ["[::1]"], true],
  ["http://a.example", ["a.example"], false],
  ["http://a.example", ["http://a.example"], false],
  ["https://a.example", ["https://a.example"], true],
  ["https://a.example:444", ["https://a.example"], false],
  ["https://a.example/", ["a.example"], false],
  ["https://a.example", [], false],
])("the origin %s is allowed by %j: %s", (origin, domains, expected) => {
  expect(isOriginAllowed(origin, domains)).toBe(expected);
});

test("no origin and no list make the check throw", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (origin, domains) => {
      expect(typeof isOriginAllowed(origin, domains)).toBe("boolean");
    }),
  );
});
