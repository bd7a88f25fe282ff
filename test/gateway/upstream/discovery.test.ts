import type { HttpRequest } from "../../../src/http/types.ts";
import { describe, expect, it } from "vitest";
import {
  createDiscovery,
  maxKeptBytes,
  minLifetime,
  refusalLifetime,
  unknownExpiry,
} from "../../../src/gateway/upstream/discovery.ts";
import type { Platform } from "../../../src/gateway/exchange/platform.ts";
import { instance } from "../../fixtures/config.ts";

const { upstream } = instance();
const credentials = {
  keyHeader: "x-inbenta-key",
  apiKey: "k",
  authorization: "Bearer t",
  origin: null,
};

const bases = new TextEncoder().encode('{"apis":{"chatbot":"https://bot.example/p"}}');

/** A discovery whose clock the test moves, and whose upstream answers with `status`. */
function withClock(status: () => number, body: Uint8Array = bases) {
  const time = { now: 1_000_000 };
  const asked: HttpRequest[] = [];
  const platform: Platform = {
    now: () => time.now,
    clock: () => time.now,
    random: (length) => new Uint8Array(length),
    digest: (text) => `digest of ${text}`,
    decode: () => Promise.resolve(null),
    log: () => {},
    transport: {
      send(request, receiver) {
        asked.push(request);
        queueMicrotask(() => {
          receiver.head(status(), "OK", [], { pause() {}, resume() {} });
          receiver.data(body);
          receiver.end([]);
        });
        return () => {};
      },
    },
  };
  return { time, asked, discovery: createDiscovery(platform, "1.1 me", () => {}) };
}

describe("discovery", () => {
  it("keeps bases for twenty minutes if the end of the token is unknown", async () => {
    const { time, asked, discovery } = withClock(() => 200);
    const first = await discovery.find(upstream, credentials);
    expect(first.kind === "apis" && first.bases.get("chatbot")?.path).toBe("/p");
    time.now += unknownExpiry;
    await discovery.find(upstream, credentials);
    expect(asked).toHaveLength(1);
    time.now += 1;
    await discovery.find(upstream, credentials);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({ method: "GET", path: "/v1/apis", trusted: true });
  });

  it("keeps bases until the end that a refresh stated", async () => {
    const { time, asked, discovery } = withClock(() => 200);
    const facts = { upstream, apiKey: "k", token: "t", bases: null, expires: time.now + 50_000 };
    await discovery.learn(facts);
    await discovery.find(upstream, credentials);
    time.now += 50_000;
    await discovery.find(upstream, credentials);
    expect(asked).toHaveLength(1);
    time.now += 1;
    await discovery.find(upstream, credentials);
    expect(asked).toHaveLength(2);
  });

  it("forgets a refusal after ten seconds", async () => {
    let status = 401;
    const { time, asked, discovery } = withClock(() => status);
    expect((await discovery.find(upstream, credentials)).kind).toBe("refusal");
    time.now += refusalLifetime;
    expect((await discovery.find(upstream, credentials)).kind).toBe("refusal");
    expect(asked).toHaveLength(1);
    status = 200;
    time.now += 1;
    expect((await discovery.find(upstream, credentials)).kind).toBe("apis");
  });

  it("remembers a refusal for the page that got it, and never a fault of the upstream", async () => {
    let status = 403;
    const { asked, discovery } = withClock(() => status);
    await discovery.find(upstream, { ...credentials, origin: "https://bad.example" });
    await discovery.find(upstream, { ...credentials, origin: "https://bad.example" });
    expect(asked).toHaveLength(1);
    status = 200;
    const good = await discovery.find(upstream, { ...credentials, origin: "https://good.example" });
    expect(good.kind).toBe("apis");
    const faulty = withClock(() => 500);
    await faulty.discovery.find(upstream, credentials);
    await faulty.discovery.find(upstream, credentials);
    expect(faulty.asked).toHaveLength(2);
  });

  it("does not keep a refusal above 16 KiB", async () => {
    const small = withClock(() => 403, new Uint8Array(maxKeptBytes - 100));
    const large = withClock(() => 403, new Uint8Array(maxKeptBytes + 1));
    for (const { discovery } of [small, small, large, large]) {
      expect(await discovery.find(upstream, credentials)).toMatchObject({ kind: "refusal" });
    }
    expect([small.asked.length, large.asked.length]).toEqual([1, 2]);
  });

  it("keeps the latest refusals, of at most 32 MiB together", async () => {
    const { asked, discovery } = withClock(() => 403, new Uint8Array(16_000));
    const ask = (token: number): Promise<unknown> =>
      discovery.find(upstream, { ...credentials, authorization: `Bearer ${token}` });
    for (let token = 0; token < 3000; token++) await ask(token);
    expect(asked).toHaveLength(3000);
    await ask(2999);
    expect(asked).toHaveLength(3000);
    await ask(0);
    expect(asked).toHaveLength(3001);
  });

  it("does not ask at every turn if the upstream's clock is slow", async () => {
    const { time, asked, discovery } = withClock(() => 200);
    await discovery.learn({
      upstream,
      apiKey: "k",
      token: "t",
      bases: null,
      expires: time.now - 5000,
    });
    for (let i = 0; i < 5; i++) await discovery.find(upstream, credentials);
    expect(asked).toHaveLength(1);
    time.now += minLifetime + 1;
    await discovery.find(upstream, credentials);
    expect(asked).toHaveLength(2);
  });

  it("never answers for another key, token or upstream", async () => {
    const { asked, discovery } = withClock(() => 200);
    await discovery.find(upstream, credentials);
    await discovery.find(upstream, { ...credentials, apiKey: "other" });
    await discovery.find(upstream, { ...credentials, authorization: "Bearer other" });
    await discovery.find({ ...upstream, auth: "https://other.example" }, credentials);
    expect(asked).toHaveLength(4);
  });
});
