import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import {
  directAnswers,
  type DirectAnswersOptions,
} from "../../../src/gateway/message/direct-answers-middleware.ts";
import { config, instance, line, phrase, tables, template } from "../../fixtures/config.ts";

const shop = config(
  tables({ en: { welcome: [line("Hi {{query}}!"), line("Hi!")] }, fr: { welcome: "Bonjour !" } }),
);
const original = '{"answers":[{"message":"Old","flags":["welcome"]}]}';
const rewritten = '{"answers":[{"message":"Hi!","flags":["welcome"]}]}';
const json = { "content-type": "application/json" };

/**
 * An app of another author, with one route that answers as the test sets, behind the middleware.
 */
function ask(
  answer: () => Response,
  { options = {}, init = {} }: { options?: Partial<DirectAnswersOptions>; init?: RequestInit } = {},
) {
  const app = new Hono();
  app.use("*", directAnswers({ config: shop, ...options }));
  app.all("/message", answer);
  return app.request("/message", init);
}

describe("in a foreign app", () => {
  it("the middleware has a name", () => {
    expect(directAnswers({ config: shop }).name).toBe("directAnswersMiddleware");
  });

  it("a flagged answer gets our text, with every other header kept and the length corrected", async () => {
    const headers = new Headers({
      ...json,
      "content-length": String(original.length),
      etag: '"v1"',
      "content-digest": "sha-256=:x:",
      "x-quota-usage": "3",
      "cache-control": "private",
    });
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    const response = await ask(() => new Response(original, { headers, statusText: "Fine" }));
    expect(await response.text()).toBe(rewritten);
    expect(response.statusText).toBe("Fine");
    expect(Object.fromEntries(response.headers)).toEqual({
      "cache-control": "private",
      "content-length": String(rewritten.length),
      "content-type": "application/json",
      "set-cookie": "b=2",
      "x-quota-usage": "3",
    });
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it("an answer made with c.json is rewritten too", async () => {
    const app = new Hono();
    app.use(directAnswers({ config: shop }));
    app.post("/message", (c) => {
      c.header("x-own", "1");
      return c.json({ answers: [{ message: "Old", flags: ["welcome"] }] });
    });
    const response = await app.request("/message", { method: "POST" });
    expect(await response.text()).toBe(rewritten);
    expect(response.headers.get("x-own")).toBe("1");
    expect(response.headers.get("content-type")).toContain("application/json");
  });

  it("an answer in which nothing changes keeps its headers and its bytes", async () => {
    const body = '{"answers":[ {"message":"a","flags":[]} ]}';
    const response = await ask(
      () =>
        new Response(body, {
          headers: { ...json, "content-length": String(body.length), etag: '"v1"' },
        }),
    );
    expect(await response.text()).toBe(body);
    expect(response.headers.get("etag")).toBe('"v1"');
    expect(response.headers.get("content-length")).toBe(String(body.length));
  });

  it.each<[string, ResponseInit]>([
    ["another status", { status: 404, headers: json }],
    ["a created one", { status: 201, headers: json }],
    ["another media type", { headers: { "content-type": "text/html" } }],
    ["no media type", { headers: { "content-type": "" } }],
    ["a content coding", { headers: { ...json, "content-encoding": "gzip" } }],
    ["an unknown content coding", { headers: { ...json, "content-encoding": "zstd" } }],
    ["no-transform", { headers: { ...json, "cache-control": "private, no-transform" } }],
    ["a signature", { headers: { ...json, signature: "sig1=:x:", "signature-input": "sig1=()" } }],
    ["a length beyond the limit", { headers: { ...json, "content-length": "1048577" } }],
  ])("%s is left alone, the response object included", async (_what, init) => {
    const answer = new Response(original, init);
    const app = new Hono();
    app.use(directAnswers({ config: shop }));
    app.get("/message", () => answer);
    const response = await app.request("/message");
    expect(response).toBe(answer);
    expect(await response.text()).toBe(original);
  });

  it("an answer to HEAD, and one without a body, are left alone", async () => {
    expect((await ask(() => new Response(null, { headers: json }))).body).toBeNull();
    const headers = { ...json, etag: '"v1"' };
    const head = await ask(() => new Response(original, { headers }), { init: { method: "HEAD" } });
    expect(await head.text()).toBe("");
    expect(head.headers.get("etag")).toBe('"v1"');
  });

  it("a body as long as the limit is rewritten", async () => {
    const limits = { ...shop.limits, transformBytes: original.length };
    const response = await ask(flagged, { options: { config: { ...shop, limits } } });
    expect(await response.text()).toBe(rewritten);
  });

  it("a client that leaves ends a body that passes as a stream", async () => {
    const limited = { ...shop, limits: { ...shop.limits, transformBytes: 10 } };
    let cancelled: unknown = null;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(20)),
      cancel: (reason) => void (cancelled = reason),
    });
    const response = await ask(() => new Response(stream, { headers: json }), {
      options: { config: limited },
    });
    await response.body?.cancel("left");
    expect(cancelled).toBe("left");
  });

  it("a body that grows beyond the limit passes as a stream, byte for byte", async () => {
    const limited = { ...shop, limits: { ...shop.limits, transformBytes: 100 } };
    const pieces = [original.slice(0, 60), original.slice(60).padEnd(100), " ".repeat(5_000)];
    const read: number[] = [];
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const index = read.push(read.length) - 1;
          if (index === pieces.length) controller.close();
          else controller.enqueue(new TextEncoder().encode(pieces[index]));
        },
      },
      { highWaterMark: 0 },
    );
    const response = await ask(() => new Response(stream, { headers: json }), {
      options: { config: limited },
    });
    expect(read).toHaveLength(2);
    expect(await response.text()).toBe(pieces.join(""));
  });

  it("a body that breaks off breaks off for the client too, after the same bytes", async () => {
    let first = true;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (first) controller.enqueue(new TextEncoder().encode(original.slice(0, 20)));
        else controller.error(new Error("cut"));
        first = false;
      },
    });
    const response = await ask(() => new Response(stream, { headers: json }));
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(original.slice(0, 20));
    await expect(reader.read()).rejects.toThrow("cut");
  });

  it("a failing route stays a failing route", async () => {
    const app = new Hono();
    app.use(directAnswers({ config: shop }));
    app.get("/message", () => {
      throw new Error("route");
    });
    app.onError((error, c) => c.json({ message: error.message, flags: ["welcome"] }, 500));
    const response = await app.request("/message");
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: "route", flags: ["welcome"] });
  });
});

function flagged(): Response {
  return new Response(original, { headers: json });
}

describe("the middleware's context of a request", () => {
  it("is asked of its functions", async () => {
    const options = {
      locale: () => "fr",
      channel: () => Promise.resolve("web"),
      instance: () => "shop",
    };
    expect(await (await ask(flagged, { options })).text()).toContain("Bonjour !");
    expect(
      await (
        await ask(flagged, { options: { locale: () => undefined, instance: () => null } })
      ).text(),
    ).toContain("Hi!");
  });

  it("leaves the answer alone when its functions fail or name no instance", async () => {
    const failing = { locale: () => Promise.reject(new Error("no")) };
    expect(await (await ask(flagged, { options: failing })).text()).toBe(original);
    expect(await (await ask(flagged, { options: { instance: () => "other" } })).text()).toBe(
      original,
    );
  });

  it("is refused at the start when it names no instance of the configuration", () => {
    expect(() => directAnswers({ config: shop, instance: "x" })).toThrow(
      expect.objectContaining({
        code: "unknown-instance",
        message: expect.stringContaining('no instance "x" (it has: shop)'),
      }),
    );
    const second = { ...shop, instances: [instance(), instance({ name: "second" })] };
    expect(() => directAnswers({ config: second, instance: "second" })).not.toThrow();
    expect(() => directAnswers({ config: second, instance: "x" })).toThrow(
      "(it has: shop, second)",
    );
  });

  it.each([
    ["x-inbenta-env", "env"],
    ["x-inbenta-user-type", "userType"],
    ["x-inbenta-source", "source"],
  ])("includes its %s", async (field, name) => {
    const when = [{ when: { [name]: "this" }, text: template("It is this") }];
    const options = { config: config(tables({ en: { welcome: { ...line("Hi!"), when } } })) };
    const init = { headers: { [field]: "this" } };
    expect(await (await ask(flagged, { options, init })).text()).toContain("It is this");
    expect(await (await ask(flagged, { options })).text()).toContain("Hi!");
  });

  it("includes its session, by which variants are chosen", async () => {
    const variants = ["A", "B", "C", "D"].map((text) => template(text));
    const options = { config: config(tables({ en: { welcome: phrase({ variants }) } })) };
    const answers = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const init = { headers: { "x-inbenta-session": `s${i}` } };
      answers.add(await (await ask(flagged, { options, init })).text());
    }
    expect(answers.size).toBeGreaterThan(1);
  });

  it("comes from the client's headers too", async () => {
    const french = { ...shop, acceptLanguage: true, instances: [instance({ language: "" })] };
    const init = { headers: { "accept-language": "fr;q=0.5, xx" } };
    expect(await (await ask(flagged, { options: { config: french }, init })).text()).toContain(
      "Bonjour !",
    );
  });

  it("includes the query when the route has read the body through c.req", async () => {
    const app = new Hono();
    app.use(directAnswers({ config: shop }));
    app.post("/read", async (c) => {
      await c.req.json();
      return flagged();
    });
    app.post("/unread", flagged);
    const init = { method: "POST", body: '{"message":"tea"}' };
    expect(await (await app.request("/read", init)).text()).toContain("Hi \u2068tea\u2069!");
    expect(await (await app.request("/unread", init)).text()).toContain("Hi!");
  });
});
