import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isCallError } from "../../src/api/call/call-error.ts";
import { createClients } from "../../src/api/clients.ts";
import { readErrorBody } from "../../src/api/call/error-body.ts";
import { readRetryAfter } from "../../src/api/call/http-call.ts";
import { json } from "./scripted-service.ts";
import { service } from "./service.ts";

test.each([
  ['{"errors":[{"code":422,"message":"no name"}]}', { code: 422, message: "no name" }],
  ['{"error":{"code":404,"message":"gone"}}', { code: 404, message: "gone" }],
  ['{"error":"bad","message":"worse"}', { code: null, message: "bad" }],
  ['{"message":"Unauthorized"}', { code: null, message: "Unauthorized" }],
  ['{"Message":"explicit deny"}', { code: null, message: "explicit deny" }],
  [
    '{"error":{"code":1,"message":"a"},"errors":[{"code":2,"message":"b"}],"message":"c"}',
    { code: 2, message: "b" },
  ],
  ['{"data":[]}', null],
  ["[]", null],
  ["null", null],
])("the error body %s is read", (body, expected) => {
  expect(readErrorBody(JSON.parse(body))).toEqual(expected);
});

test("no JSON value makes the reader of error bodies throw", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void readErrorBody(value)));
});

test.each([
  ["a wait in seconds", { "retry-after": "7" }, 7_000],
  ["a date", { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" }, 9_000],
  ["a date that is over", { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [
    "the later of two resets",
    { "x-quota-reset": "1767225630", "x-throttle-reset": "1767225605" },
    30_000,
  ],
  ["nothing", {}, null],
  ["nonsense", { "retry-after": "soon" }, null],
])("a wait is read from %s", (_, headers, expected) => {
  expect(readRetryAfter(new Headers(headers), Date.UTC(2026, 0, 1))).toBe(expected);
});

describe("a client's reaction to a failure", () => {
  test("an answer of 200 that holds errors is a failure", async () => {
    const { clients } = await service((_request, response) =>
      json(response, 200, { errors: [{ code: 404, message: "no such bot" }] }),
    );
    await expect(clients.chatbot.start()).rejects.toMatchObject({
      code: "call-not-found",
      status: 200,
      wireCode: 404,
    });
  });

  test("an expired session has a code of its own", async () => {
    const { clients } = await service((_request, response) =>
      json(response, 400, { errors: [{ code: 400, message: "Session expired" }] }),
    );
    const talk = clients.chatbot.resume("s");
    await expect(talk.send({ message: "hi" })).rejects.toMatchObject({ code: "session-expired" });
  });

  test("a page instead of JSON is named as such", async () => {
    const { clients } = await service((_request, response) => response.end("<html>"));
    await expect(clients.chatbot.start()).rejects.toMatchObject({ code: "call-answer-invalid" });
  });

  test("a GET is repeated after 503 with growing waits, and then gives up", async () => {
    const {
      service: wire,
      clients,
      time,
    } = await service((_request, response) =>
      json(response, 503, { errors: [{ code: 503, message: "busy" }] }),
    );
    await expect(clients.chatbot.appData("x")).rejects.toMatchObject({ code: "call-failed" });
    expect(wire.count("/bot/v1/app/data/x")).toBe(3);
    expect(time.slept).toEqual([150, 300]);
  });

  test("a message is never sent a second time, whatever the failure", async () => {
    const { service: wire, clients } = await service((_request, response) => response.destroy());
    const talk = clients.chatbot.resume("s");
    await expect(talk.send({ message: "hi" })).rejects.toMatchObject({ code: "call-unreachable" });
    expect(wire.count("/bot/v1/conversation/message")).toBe(1);
  });

  test("a call that was refused with 429 waits as long as the answer says", async () => {
    let turned = 0;
    const { clients, time } = await service((_request, response) =>
      ++turned === 1
        ? json(response, 429, { errors: [] }, { "retry-after": "3" })
        : json(response, 200, { sessionToken: "s" }),
    );
    await clients.chatbot.start();
    expect(time.slept).toEqual([3_000]);
  });

  test("a wait that is too long is an error at once", async () => {
    const { clients, time } = await service((_request, response) =>
      json(response, 429, { errors: [] }, { "retry-after": "3600" }),
    );
    await expect(clients.chatbot.start()).rejects.toMatchObject({
      code: "call-rate-limited",
      retryAfter: 3_600_000,
    });
    expect(time.slept).toEqual([]);
  });

  test("a service that does not answer in time is named with its address", async () => {
    const { service: wire, clients } = await service(() => {}, { timeout: 50, retries: 0 });
    await expect(clients.chatbot.start()).rejects.toMatchObject({
      code: "call-timeout",
      message: `chatbot.start: no answer from ${wire.url} within 50 ms`,
    });
  });

  test("the caller's own abort is the caller's own error", async () => {
    const arrived = Promise.withResolvers<void>();
    const { clients } = await service(() => arrived.resolve());
    const controller = new AbortController();
    const call = clients.chatbot.start({}, { signal: controller.signal });
    await arrived.promise;
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
  });

  test("a redirect to another origin is not followed: the key would go with it", async () => {
    const { service: wire, clients } = await service((_request, response) => {
      response.writeHead(302, { location: "http://127.0.0.2:1/" });
      response.end();
    });
    await expect(clients.chatbot.appData("x")).rejects.toMatchObject({ status: 302 });
    expect(wire.count("/bot/v1/app/data/x")).toBe(1);
  });

  test("an error contains no secret and no token, even if the service repeats them", async () => {
    const { clients } = await service((request, response) =>
      json(response, 500, {
        errors: [
          { code: 500, message: `bad ${request.headers.authorization ?? ""} secret-1 key-1` },
        ],
      }),
    );
    const error: unknown = await clients.chatbot.start().catch((thrown: unknown) => thrown);
    expect(isCallError(error) && error.message).toBe("chatbot.start: bad Bearer *** *** ***");
  });

  test("an error contains nothing of a secret that begins with the key", async () => {
    const { service: wire } = await service((_request, response) => json(response, 200, {}));
    const clients = createClients({
      auth: { url: wire.url, apiKey: "shop", secret: "shop-secret" },
      fetch: async () => Promise.reject(new Error("refused for shop-secret of shop")),
    });
    const error: unknown = await clients.chatbot.start().catch((thrown: unknown) => thrown);
    expect(isCallError(error) && error.message).toMatch(/ refused for \*\*\* of \*\*\*$/);
  });

  test("a product that discovery does not list is an error that names the listed ones", async () => {
    const { clients } = await service(undefined, {
      fetch: (url, init) =>
        url.endsWith("/v1/apis")
          ? Promise.resolve(Response.json({ apis: { ticketing: "http://t" } }))
          : fetch(url, init),
    });
    await expect(clients.chatbot.start()).rejects.toThrow(
      "chatbot.start: discovery names no address for chatbot (it names ticketing)",
    );
  });
});

describe("options", () => {
  const auth = { url: "http://127.0.0.1:1", apiKey: "k", secret: "s" };

  test.each([
    ["auth.url", { auth: { ...auth, url: "not an address" } }],
    ["auth.url", { auth: { ...auth, url: "http://user:pass@host" } }],
    ["auth.url", { auth: { ...auth, url: "ftp://host" } }],
    ["auth.apiKey", { auth: { ...auth, apiKey: "" } }],
    ["auth.apiKey", { auth: { ...auth, apiKey: "a\nb" } }],
    ["auth.secret", { auth: { url: auth.url, apiKey: "k" } }],
    ["chat.url", { auth, chat: { url: "x", appId: "a" } }],
  ])("an unusable %s is named", (name, options) => {
    expect(() => createClients(options)).toThrow(name);
  });

  test("a secret in a browser is refused, a domain key is not", () => {
    Reflect.set(globalThis, "document", {});
    try {
      expect(() => createClients({ auth })).toThrow("must not be in a browser");
      const { url, apiKey } = auth;
      expect(() => createClients({ auth: { url, apiKey, domainKey: "d" } })).not.toThrow();
    } finally {
      Reflect.deleteProperty(globalThis, "document");
    }
  });
});
