import { describe, expect, it } from "vitest";
import { caller, carried, json, openCallers, runtimes, secrets, shown } from "./callers-bench.ts";
import { instance } from "../fixtures/config.ts";
import { turns } from "../fixtures/turns.ts";

const ticket = '{"message":"Hi","creator":"7"}';

describe.each(runtimes)("a caller on %s", (runtime) => {
  it("gets the credentials of its instance added, after a login and a discovery", async () => {
    const { ask, products, upstream, logins } = await openCallers(runtime);
    const answer = await ask("/ticketing/v1/tickets", {
      method: "POST",
      headers: [...shown, ...json, "Idempotency-Key", "k1", "X-Http-Method-Override", "DELETE"],
      body: ticket,
    });
    expect([answer.status, answer.text]).toEqual([200, '{"uuid":7}']);
    const [request] = products();
    expect(request?.target).toBe("/t/v1/tickets");
    expect(Buffer.from(request?.body ?? []).toString()).toBe(ticket);
    expect(carried(request, "authorization")).toBe(`Bearer ${secrets.tokens}-1`);
    expect(carried(request, "x-vendor-key")).toBe("key-of-the-instance");
    expect(carried(request, "idempotency-key")).toBe("k1");
    expect(carried(request, "content-length")).toBe(String(ticket.length));
    for (const name of ["x-afterword-caller-key", "x-http-method-override", "origin"]) {
      expect(carried(request, name)).toBeNull();
    }
    const login = upstream.requests.find(({ target }) => target === "/v1/auth");
    expect(Buffer.from(login?.body ?? []).toString()).toBe(`{"secret":"${secrets.secret}"}`);
    expect(logins()).toBe(1);
  });

  it("shares one login and one discovery among all who ask at once", async () => {
    const { ask, upstream } = await openCallers(runtime, {
      answer: async ({ target }) => {
        if (target === "/v1/auth") await turns();
        return null as never;
      },
    });
    const all = Array.from({ length: 8 }, () =>
      ask("/ticketing/v1/tickets", { method: "POST", headers: [...shown, ...json], body: ticket }),
    );
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    const calls = upstream.requests.map(({ target }) => target);
    expect(calls.filter((target) => target === "/v1/auth")).toHaveLength(1);
    expect(calls.filter((target) => target === "/v1/apis")).toHaveLength(1);
  });

  it("gets the chat app's id and secret on /chat", async () => {
    const { ask, products, logins } = await openCallers(runtime, {
      callers: [caller(["chat.createChat", "chat.loginAgent"])],
    });
    const answer = await ask("/chat/v1/chats/", {
      method: "POST",
      headers: [...shown, ...json],
      body: "{}",
    });
    expect(answer.status).toBe(200);
    const [request] = products();
    expect(request?.target).toBe("/c/v1/chats");
    expect(carried(request, "x-hyper-appid")).toBe("app-of-the-instance");
    expect(carried(request, "x-hyper-secret")).toBe(secrets.chatSecret);
    expect(logins()).toBe(0);
  });

  it.each([
    ["authorization", ["Authorization", "Bearer mine"]],
    ["a vendor's key alone", ["X-Inbenta-Key", "mine"]],
    ["any vendor's key", ["X-Acme-Key", "mine"]],
    ["an app id without a secret", ["X-Hyper-AppId", "mine"]],
    ["a chat token alone", ["x-hyper-token", "mine"]],
    ["an empty authorization", ["Authorization", ""]],
  ])("that brings its own credentials (%s) passes without ours", async (_, headers) => {
    const { ask, products, logins } = await openCallers(runtime, {
      upstream: { apis: {} },
      instance: {},
      callers: [caller(["chat.createChat"])],
    });
    await ask("/chat/v1/chats?x=%2f", { method: "POST", headers: [...shown, ...headers] });
    const [request] = products();
    expect(request?.target).toBe("/c/v1/chats?x=%2f");
    expect(carried(request, "x-hyper-secret")).toBeNull();
    expect(carried(request, headers[0]?.toLowerCase() ?? "")).toBe(headers[1]);
    expect(carried(request, "x-afterword-caller-key")).toBeNull();
    expect(logins()).toBe(0);
  });

  it.each(["appId=a", "AppID=a", "%61ppId=a", "x=1&secret=s", "token=t", "key"])(
    "that brings them in the query (%s) passes without ours",
    async (query) => {
      const { ask, products } = await openCallers(runtime, { callers: [caller(["chat.chats"])] });
      await ask(`/chat/v1/chats?${query}`, { headers: shown });
      expect(products()[0]?.target).toBe(`/c/v1/chats?${query}`);
      expect(carried(products()[0], "x-hyper-secret")).toBeNull();
    },
  );

  it("without credentials gets an answer that says so", async () => {
    const { ask, upstream } = await openCallers(runtime);
    const answer = await ask("/ticketing/v1/tickets", { method: "POST", body: ticket });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain("x-afterword-caller-key");
    expect(answer.field("access-control-allow-origin")).toBeNull();
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    ["wrong", ["X-Afterword-Caller-Key", `${secrets.key.slice(0, -1)}x`]],
    ["longer", ["X-Afterword-Caller-Key", `${secrets.key}x`]],
    ["empty", ["X-Afterword-Caller-Key", ""]],
    ["two", [...shown, ...shown]],
    ["no token", [...shown, "X-Afterword-Caller", "Bearer x.y.z"]],
    ["a token in the place of a key", ["X-Afterword-Caller", `Bearer ${secrets.key}`]],
  ])("with a key that is %s is refused", async (_, headers) => {
    const { ask, upstream } = await openCallers(runtime);
    const answer = await ask("/ticketing/v1/tickets", { method: "POST", headers, body: ticket });
    expect(answer.status).toBe(401);
    expect(upstream.requests).toEqual([]);
  });

  it("may do what is listed for it and nothing else, and the log names the line to add", async () => {
    const { ask, logs, upstream } = await openCallers(runtime, {
      callers: [caller(["ticketing.user"])],
    });
    for (const [method, target] of [
      ["POST", "/ticketing/v1/tickets"],
      ["GET", "/ticketing/v1/users/public?address=a@example.com"],
      ["PUT", "/ticketing/v1/users/7"],
      ["GET", "/ticketing/v1/users"],
      ["GET", "/chat/v1/users/7"],
      ["GET", "/ticketing/v1/nonsense/s3cret-id-1"],
      // No line would allow an ambiguous path.
      ["GET", "/ticketing/v1/tickets%2f7"],
    ] as const) {
      const answer = await ask(target, { method, headers: shown });
      expect([target, answer.status]).toEqual([target, 403]);
    }
    expect(upstream.requests).toEqual([]);
    const cures = logs.flatMap(({ event, fields }) =>
      event === "operation-not-listed" ? [/"([^"]*)"/.exec(String(fields["cure"]))?.[1]] : [],
    );
    expect(cures).toEqual([
      "ticketing.createTicket",
      "ticketing.publicUser",
      "ticketing.changeUser",
      "ticketing.users",
      "chat.user",
      "GET /ticketing/v1/nonsense/{id}",
    ]);
  });

  it("cannot choose another instance by header, host or path", async () => {
    const elsewhere = {
      auth: "https://elsewhere.example",
      apis: { ticketing: "http://127.0.0.1:9/elsewhere" },
    };
    const base = instance();
    const other = instance({
      name: "other",
      upstream: { ...base.upstream, ...elsewhere },
      match: { host: "gateway.test" },
    });
    const { ask, products } = await openCallers(runtime, {
      instance: { match: { pathPrefix: "/shop" } },
      more: [other],
    });
    for (const target of ["/ticketing/v1/tickets", "/shop/ticketing/v1/tickets"]) {
      const answer = await ask(target, {
        method: "POST",
        headers: [...shown, ...json, "X-Afterword-Instance", "other"],
        body: ticket,
      });
      expect(answer.status).toBe(200);
    }
    expect(products().map((one) => carried(one, "x-vendor-key"))).toEqual([
      "key-of-the-instance",
      "key-of-the-instance",
    ]);
    expect(carried(products()[0], "x-afterword-instance")).toBeNull();
  });

  it("is held to its rate, and learns when to come back", async () => {
    const { ask, products } = await openCallers(runtime, {
      callers: [caller(["chat.newId"], { rate: { calls: 2, milliseconds: 60_000 } })],
    });
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await ask("/chat/v1/id", { headers: shown }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    const wait = Number(answers[2]?.field("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(30);
    expect(products()).toHaveLength(2);
  });

  it("is served as usual with AFTERWORD_DISABLE, which concerns texts", async () => {
    const { ask } = await openCallers(runtime, { env: { AFTERWORD_DISABLE: "1" } });
    const asked = { method: "POST", headers: [...shown, ...json], body: ticket };
    expect((await ask("/ticketing/v1/tickets", asked)).status).toBe(200);
    expect((await ask("/ticketing/v1/tickets", { method: "POST", body: ticket })).status).toBe(401);
  });

  it("is unknown as soon as it is not configured, while tokens are kept", async () => {
    const { ask, swap, logins } = await openCallers(runtime);
    const asked = { method: "POST", headers: [...shown, ...json], body: ticket };
    await ask("/ticketing/v1/tickets", asked);
    swap({ callers: [caller(["ticketing.createTicket"], { keys: ["another-key-0123456789"] })] });
    expect((await ask("/ticketing/v1/tickets", asked)).status).toBe(401);
    swap({});
    expect((await ask("/ticketing/v1/tickets", asked)).status).toBe(200);
    expect(logins()).toBe(1);
  });

  it("without callers in the configuration nothing changes", async () => {
    const { ask, products } = await openCallers(runtime, { callers: [] });
    expect((await ask("/ticketing/v1/tickets", { headers: shown })).status).toBe(401);
    await ask("/chat/v1/id?a=1&a=2", { headers: shown });
    expect(products().map(({ target }) => target)).toEqual(["/c/v1/id?a=1&a=2"]);
    expect(carried(products()[0], "x-hyper-secret")).toBeNull();
  });
});
