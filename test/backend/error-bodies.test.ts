// Suite: slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenBackend } from "../../src/backend/node.ts";
import { createRateLimits, createMemoryCounters } from "../../src/backend/auth/rate-limits.ts";
import { withBench } from "../gateway/harness.ts";
import { login, open } from "./client.ts";
import type { Json } from "./client.ts";
import { embeddedGateway, embeddedKeys } from "./embedded-gateway.ts";
import type { EmbeddedGateway } from "./embedded-gateway.ts";

/** The members that each product's clients read (reference README, error bodies to emit). */
function expectShape(product: string, status: number, body: Json): void {
  const error = { code: status, message: expect.stringMatching(/./) };
  const { message } = body.error ?? body.errors[0];
  switch (product) {
    case "chat":
      return expect(body).toMatchObject({ error });
    case "ticketing":
    case "knowledge":
      return expect(body).toEqual({ message, error, errors: [error] });
    default:
      return expect(body).toMatchObject({ errors: [error] });
  }
}

type Headers = Readonly<Record<string, string>>;
interface Case {
  readonly what: string;
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly change?: (own: Headers) => Headers;
  readonly body?: string;
}

const post = { method: "POST" };
const get = { method: "GET" };
const cases = (list: string, creation: string): readonly Case[] => [
  { ...get, path: list, what: "no credentials", status: 401, change: () => ({}) },
  {
    ...get,
    path: list,
    what: "a token that is none",
    status: 401,
    change: (own) => ({ ...own, authorization: "Bearer x" }),
  },
  {
    ...get,
    path: list,
    what: "another key",
    status: 403,
    change: (own) => ({ ...own, "x-inbenta-key": "demo-modern" }),
  },
  { ...get, path: "/nowhere", what: "a path that is not there", status: 404 },
  { method: "PATCH", path: list, what: "a method that a path does not take", status: 405 },
  {
    ...post,
    path: creation,
    what: "a declared length over the limit",
    status: 413,
    change: (own) => ({ ...own, "content-length": "10485761" }),
  },
  { ...post, path: creation, what: "more than 10 MB", status: 413, body: "x".repeat(10_485_761) },
  { ...post, path: creation, what: "a body that cannot be read", status: 422, body: "{" },
  { ...post, path: creation, what: "a field that is missing", status: 422, body: "{}" },
];
const products = { ticketing: cases("/users", "/users"), knowledge: cases("/contents", "/search") };

describe.each(Object.entries(products))("the errors of %s", (product, rows) => {
  let backend: OpenBackend;
  let own: Headers;
  beforeAll(async () => {
    backend = await open({ limits: null });
    own = await login(backend.app);
  });
  afterAll(() => backend.close());

  test.each(rows)("$what: $status with `error`, `errors` and `message`", async (row) => {
    const { status, method, path, change, body } = row;
    const headers = change?.(own) ?? own;
    const init = { method, headers, ...(body !== undefined && { body }) };
    const response = await backend.app.request(`/${product}/v1${path}`, init);
    expect(response.status).toBe(status);
    expectShape(product, status, await response.json());
  });

  test("too many calls: 429 with `error`, `errors` and `message`", async () => {
    const none = { minute: 0, hour: 0 };
    const some = { minute: 9, hour: 9 };
    const limits = createRateLimits({
      counters: createMemoryCounters(),
      now: Date.now,
      limits: {
        authorization: some,
        reporting: none,
        product: none,
        editor: none,
        messages: none,
        uploads: none,
      },
    });
    const limited = await open({ limits });
    const response = await limited.app.request(`/${product}/v1${rows[0]?.path}`, {
      headers: await login(limited.app),
    });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expectShape(product, 429, await response.json());
    await limited.close();
  });

  const path = `/${product}/v1${product === "ticketing" ? "/users" : "/tracking/session"}`;
  const method = product === "ticketing" ? "GET" : "POST";

  test("an outage of the database: 503, to be retried soon", async () => {
    const broken = await open({ limits: null });
    const headers = await login(broken.app);
    await broken.close();
    const response = await broken.app.request(path, { method, headers });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expectShape(product, 503, await response.json());
  });

  test("a fault: 500 with `error`, `errors` and `message`", async () => {
    let isBroken = false;
    const now = (): number => {
      if (isBroken) throw new TypeError("the clock is broken");
      return Date.now();
    };
    const broken = await open({ limits: null, now });
    const headers = await login(broken.app);
    isBroken = true;
    const response = await broken.app.request(path, { method, headers });
    isBroken = false;
    await broken.close();
    expect(response.status).toBe(500);
    expectShape(product, 500, await response.json());
  });
});

test("errors of the chatbot and of authentication have only `errors`", async () => {
  const backend = await open({ limits: null });
  for (const path of ["/v1/conversation/nowhere", "/chatbot/v1/nowhere", "/nowhere"]) {
    const response = await backend.app.request(path);
    expect(await response.json()).toStrictEqual({
      errors: [{ code: 404, message: "There is nothing here." }],
    });
  }
  await backend.close();
});

describe("through a gateway with the backend inside", () => {
  let gateway: EmbeddedGateway;
  let apis: Json;
  beforeAll(async () => {
    gateway = await embeddedGateway();
    const response = await fetch(`${gateway.url}/v1/auth`, {
      method: "POST",
      headers: { "x-vendor-key": embeddedKeys.apiKey },
      body: JSON.stringify({ secret: embeddedKeys.secret }),
    });
    const body: Json = await response.json();
    ({ apis } = body);
  });
  afterAll(() => gateway.close());

  const tooMuch = { method: "POST", body: new Uint8Array(10_485_761) };
  const bases = ["plain", "discovered"].flatMap((way) =>
    ["ticketing", "knowledge", "chat"].map((product) => [way, product] as const),
  );
  test.each(bases)("each error of %s %s has the shape of its product", async (way, product) => {
    const base = way === "plain" ? `${gateway.url}/${product}` : apis[product];
    for (const [status, init] of [
      [404, { method: "GET" }],
      [413, tooMuch],
    ] as const) {
      const response = await fetch(`${base}/v1/nowhere`, init);
      expect(response.status).toBe(status);
      expectShape(product, status, await response.json());
    }
  });
});

test.each(["ticketing", "knowledge", "chat"])(
  "an unreachable upstream is reported to clients of %s in their format",
  async (product) => {
    // Nothing listens on port 9 of loopback.
    const apis = { [product]: "http://127.0.0.1:9" };
    await withBench({ upstreamConfig: { apis } }, async ({ url }) => {
      const response = await fetch(`${url}/${product}/v1/users`);
      expect(response.status).toBe(502);
      const body: Json = await response.json();
      expectShape(product, 502, body);
      expect(body.errors).toEqual([body.error]);
    });
  },
);
