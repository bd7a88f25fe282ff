// Suite: slow
import { describe, expect, test } from "vitest";
import {
  createRateLimits,
  RATE_LIMITS,
  createMemoryCounters,
} from "../../../src/backend/auth/rate-limits.ts";
import type { RateDecision, RateLimits } from "../../../src/backend/auth/rate-limits.ts";
import { ask, clock, open } from "../client.ts";
import type { Clock } from "../client.ts";
import { createClients } from "../../../src/api/clients.ts";

const few = {
  authorization: { minute: 3, hour: 5 },
  reporting: { minute: 1, hour: 1 },
  product: { minute: 4, hour: 100 },
  editor: { minute: 1, hour: 1 },
  messages: { minute: 1, hour: 1 },
  uploads: { minute: 1, hour: 1 },
};

function limited(time: Clock): RateLimits {
  return createRateLimits({ counters: createMemoryCounters(), now: time.now, limits: few });
}

async function takes(limits: RateLimits, times: number, factor = 1): Promise<RateDecision[]> {
  const decisions: RateDecision[] = [];
  for (let i = 0; i < times; i += 1) {
    decisions.push(await limits.take("key", "authorization", factor));
  }
  return decisions;
}

describe("limits", () => {
  test("allow a number of calls in a minute, then return the time to wait", async () => {
    const time = clock();
    time.advance(20);
    const decisions = await takes(limited(time), 4);
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
    expect(decisions.map(({ throttleUsage }) => throttleUsage)).toEqual([33, 66, 100, 133]);
    expect(decisions[3]).toMatchObject({
      retryAfter: 40,
      throttleReset: time.now() / 1000 + 40,
      quotaReset: time.now() / 1000 + 3580,
    });
  });

  test("start again every minute, while the hour's count goes on", async () => {
    const time = clock();
    const limits = limited(time);
    await takes(limits, 3);
    time.advance(60);
    const decisions = await takes(limits, 3);
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false]);
    expect(decisions[2]).toMatchObject({ quotaUsage: 120, retryAfter: 3540 });
  });

  test("are as many times higher as the key's factor says", async () => {
    const decisions = await takes(limited(clock()), 16, 5);
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(15);
  });

  test("count each key and each group by itself", async () => {
    const limits = limited(clock());
    await takes(limits, 3);
    expect((await limits.take("other", "authorization", 1)).allowed).toBe(true);
    expect((await limits.take("key", "product", 1)).allowed).toBe(true);
  });

  test("keep a bounded number of windows", async () => {
    const counters = createMemoryCounters();
    const window = { start: 0, end: 60_000, most: 1 };
    for (let i = 0; i < 30_000; i += 1) await counters.add({ ...window, name: `n${i}` });
    expect(await counters.add({ ...window, name: "n29999" })).toBe(2);
    expect(await counters.add({ ...window, name: "n0" })).toBe(1);
  });
});

describe("a backend", () => {
  const key = { "x-vendor-key": "demo-key" };

  test("answers 429 with Retry-After and the four headers once a key has called too often", async () => {
    const time = clock();
    const { app } = await open({ now: time.now, limits: limited(time) });
    const login = (): ReturnType<App["request"]> =>
      app.request("/v1/auth", { method: "POST", headers: key, body: "secret=demo-secret" });
    type App = typeof app;
    for (let i = 0; i < 3; i += 1) expect((await login()).status).toBe(200);
    const refused = await login();
    expect(refused.status).toBe(429);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      "retry-after": "60",
      "x-throttle-usage": "133",
      "x-quota-usage": "80",
      "x-throttle-reset": String(time.now() / 1000 + 60),
      "x-quota-reset": String(time.now() / 1000 + 3600),
    });
    expect(await refused.json()).toMatchObject({ errors: [{ code: 429 }] });
  });

  test("counts conversation calls, including unreadable ones, in the group of products", async () => {
    const time = clock();
    const { app } = await open({ now: time.now, limits: limited(time) });
    const { body } = await ask(app, "POST", "/v1/auth", key, { secret: "demo-secret" });
    const headers = { ...key, authorization: `Bearer ${body.accessToken}` };
    const statuses = [];
    for (const sent of ["{}", "{", "{}", "{", "{}"]) {
      statuses.push((await ask(app, "POST", "/v1/conversation", headers, sent)).status);
    }
    expect(statuses).toEqual([200, 422, 200, 422, 429]);
  });

  test("stops a client that asks discovery before every call, but never createClients", async () => {
    const time = clock();
    const { app } = await open({ now: time.now });
    const { body } = await ask(app, "POST", "/v1/auth", key, { secret: "demo-secret" });
    const headers = { ...key, authorization: `Bearer ${body.accessToken}` };
    const most = RATE_LIMITS.authorization.minute;
    const seen: number[] = [];
    for (let i = 0; i < most; i += 1) {
      seen.push((await ask(app, "GET", "/v1/apis", headers)).status);
      await ask(app, "GET", "/v1/app/data/shop", headers);
    }
    expect(seen.indexOf(429)).toBe(most - 1);

    time.advance(60);
    const clients = createClients({
      auth: { url: "http://backend.test", apiKey: "demo-key", secret: "demo-secret" },
      now: time.now,
      retries: 0,
      fetch: async (url, init) => app.request(url, init),
    });
    for (let i = 0; i < most + 50; i += 1) await clients.chatbot.appData("shop");
  });
});
