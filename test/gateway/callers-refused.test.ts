import { describe, expect, it } from "vitest";
import { LOGIN_PAUSE } from "../../src/gateway/callers/tokens.ts";
import type { RecordedRequest, ScriptedAnswer } from "../../src/testing/index.ts";
import {
  caller,
  carried,
  type CallersOptions,
  json,
  openCallers,
  runtimes,
  secrets,
  shown,
} from "./callers-bench.ts";

const unauthorized: ScriptedAnswer = {
  status: 401,
  reason: "Unauthorized",
  headers: [...json, "WWW-Authenticate", "Bearer"],
  body: '{"message":"Unauthorized"}',
};
const post = { method: "POST", headers: [...shown, ...json], body: "{}" };
const at = (path: string, answer: ScriptedAnswer) => (request: RecordedRequest) =>
  request.target.startsWith(path) ? answer : null;

describe.each(runtimes)("credentials that the upstream refuses on %s", (runtime) => {
  it("are renewed once, and the request is sent again as it was", async () => {
    const { ask, products, logins } = await openCallers(runtime, {
      answer: (request) =>
        request.target.startsWith("/t/") &&
        carried(request, "authorization") === `Bearer ${secrets.tokens}-1`
          ? unauthorized
          : null,
    });
    const answer = await ask("/ticketing/v1/tickets", { ...post, body: '{"a":1}' });
    expect([answer.status, answer.text]).toEqual([200, '{"uuid":7}']);
    expect(products().map(({ body }) => Buffer.from(body).toString())).toEqual([
      '{"a":1}',
      '{"a":1}',
    ]);
    expect(logins()).toBe(2);
    expect((await ask("/ticketing/v1/tickets", post)).status).toBe(200);
    expect(logins()).toBe(2);
  });

  it("are not tried a third time, and the caller does not take the refusal as its own", async () => {
    const { ask, products, logs } = await openCallers(runtime, { answer: at("/t/", unauthorized) });
    const answer = await ask("/ticketing/v1/tickets", post);
    expect(answer.status).toBe(502);
    expect(answer.text).toContain("refused the gateway's credentials");
    expect(answer.field("www-authenticate")).toBeNull();
    expect(products()).toHaveLength(2);
    const [line] = logs.filter(({ event }) => event === "credentials-refused");
    expect(line?.fields).toMatchObject({ instance: "shop", caller: "crm", product: "ticketing" });
  });

  it("make one login in a while, and the token that others use stays", async () => {
    const { ask, logins, products, logs } = await openCallers(runtime, {
      callers: [caller(["ticketing.tickets", "ticketing.createTicket"])],
      answer: (request) =>
        request.method === "GET" ? at("/t/v1/tickets", unauthorized)(request) : null,
    });
    for (let i = 0; i < 10; i++) {
      expect((await ask("/ticketing/v1/tickets", { headers: shown })).status).toBe(502);
    }
    expect(logins()).toBe(2);
    expect(logs.filter(({ event }) => event === "credentials-refused")).toHaveLength(10);
    const before = products().length;
    expect(before).toBe(11);
    expect((await ask("/ticketing/v1/tickets", post)).status).toBe(200);
    expect(logins()).toBe(2);
  });

  it("are renewed again when the pause is over", async () => {
    // Only the web runtime lets a test set its clock.
    if (runtime === "node") return;
    let now = 0;
    const { ask, logins } = await openCallers(runtime, {
      answer: at("/t/", unauthorized),
      platform: { clock: () => now },
    });
    const seen: number[] = [];
    for (now of [0, LOGIN_PAUSE - 1, LOGIN_PAUSE]) {
      await ask("/ticketing/v1/tickets", post);
      seen.push(logins());
    }
    expect(seen).toEqual([2, 2, 3]);
  });

  it("of a chat app are not tried again at all", async () => {
    const { ask, products } = await openCallers(runtime, {
      callers: [caller(["chat.createChat", "chat.loginAgent"])],
      answer: at("/c/", unauthorized),
    });
    expect((await ask("/chat/v1/chats", post)).status).toBe(502);
    expect(products()).toHaveLength(1);
    // An agent's wrong password is the agent's mistake, and does not count.
    expect((await ask("/chat/v1/agents/login", post)).status).toBe(401);
  });

  it("at the login are not tried again for a while", async () => {
    const { ask, logins, products } = await openCallers(runtime, {
      answer: at("/v1/auth", unauthorized),
    });
    for (let i = 0; i < 4; i++) {
      const answer = await ask("/ticketing/v1/tickets", post);
      expect(answer.status).toBe(502);
    }
    expect(logins()).toBe(1);
    expect(products()).toEqual([]);
    expect(LOGIN_PAUSE).toBe(10_000);
  });

  it.each([
    ["login fails", at("/v1/auth", { status: 500, body: "" }), 502],
    ["login says nothing", at("/v1/auth", { headers: json, body: "{}" }), 502],
    ["login says nonsense", at("/v1/auth", { headers: json, body: "<" }), 502],
    ["discovery fails", at("/v1/apis", { status: 500, body: "" }), 502],
    ["discovery knows no ticketing", at("/v1/apis", { headers: json, body: '{"apis":{}}' }), 502],
    [
      "discovery leads to a private address",
      at("/v1/apis", { headers: json, body: '{"apis":{"ticketing":"http://169.254.169.254/"}}' }),
      502,
    ],
  ])("are of no use when %s", async (what, answer, status) => {
    const { ask, products, logs } = await openCallers(runtime, { answer });
    const answered = await ask("/ticketing/v1/tickets", post);
    expect(answered.status).toBe(status);
    expect(answered.text).toMatch(/^\{"errors":\[\{"code":502,/);
    expect(products()).toEqual([]);
    const refused = logs.filter(({ event }) => event === "discovery-refused");
    expect(refused).toHaveLength(what.includes("private") ? 1 : 0);
  });

  it("are asked for again when the login was only out of reach", async () => {
    let broken = true;
    const { ask } = await openCallers(runtime, {
      answer: ({ target }) => (target === "/v1/auth" && broken ? { status: 503, body: "" } : null),
    });
    expect((await ask("/ticketing/v1/tickets", post)).status).toBe(502);
    broken = false;
    expect((await ask("/ticketing/v1/tickets", post)).status).toBe(200);
  });

  it("need no login when every base is fixed and the product is the chat", async () => {
    const { ask, upstream } = await openCallers(runtime, {
      callers: [caller(["chat.newId"])],
    });
    await ask("/chat/v1/id", { headers: shown });
    expect(upstream.requests.map(({ target }) => target)).toEqual(["/c/v1/id"]);
  });

  it("are refreshed before they end, and used at fixed bases without discovery", async () => {
    let now = 1_800_000_000_000;
    const options: CallersOptions = {
      upstream: {},
      answer: ({ target }) =>
        target === "/v1/auth"
          ? { headers: json, body: `{"accessToken":"${secrets.tokens}-0","expires_in":100}` }
          : null,
    };
    // Only the web runtime lets a test set its clock.
    if (runtime === "node") return;
    const { ask, upstream } = await openCallers(runtime, {
      ...options,
      platform: { now: () => now },
    });
    await ask("/ticketing/v1/tickets", post);
    now += 90_000;
    await ask("/ticketing/v1/tickets", post);
    const calls = upstream.requests.map(({ target }) => target);
    expect(calls.filter((target) => target === "/v1/refreshToken")).toHaveLength(1);
    expect(calls.filter((target) => target === "/v1/auth")).toHaveLength(1);
    const refresh = upstream.requests.find(({ target }) => target === "/v1/refreshToken");
    expect(carried(refresh, "authorization")).toBe(`Bearer ${secrets.tokens}-0`);
  });

  it("other refusals are passed to the caller", async () => {
    const { ask } = await openCallers(runtime, {
      answer: at("/t/", { status: 422, headers: json, body: '{"message":"title"}' }),
    });
    const answer = await ask("/ticketing/v1/tickets", post);
    expect([answer.status, answer.text]).toEqual([422, '{"message":"title"}']);
  });

  it("a redirect below the base comes back as a route of ours, and is not followed", async () => {
    const { ask, products, upstream } = await openCallers(runtime, {
      callers: [caller(["knowledge.contentBySlug"])],
      answer: ({ target }) =>
        target.startsWith("/k/")
          ? {
              status: 301,
              headers: ["Location", `${upstream.origin}/k/v1/contents/slug/new`],
              body: "",
            }
          : null,
    });
    const answer = await ask("/knowledge/v1/contents/slug/old", { headers: shown });
    expect(answer.status).toBe(301);
    expect(answer.field("location")).toBe("http://gateway.test/knowledge/v1/contents/slug/new");
    expect(products()).toHaveLength(1);
  });
});

describe.each(runtimes)("nothing that comes out of the gateway on %s", (runtime) => {
  it("has a secret in it, whatever happens", async () => {
    let mode = "echo";
    const { ask, logs, metrics, upstream } = await openCallers(runtime, {
      env: { AFTERWORD_ADMIN_TOKEN: "admin-of-the-test" },
      callers: [
        caller(["ticketing.createTicket", "chat.newId"], {
          rate: { calls: 21, milliseconds: 60_000 },
        }),
      ],
      answer(request) {
        if (request.target.startsWith("/v1/")) return mode === "login" ? unauthorized : null;
        // An upstream that repeats the credentials it received in the head of its answer.
        const authorization = carried(request, "authorization") ?? "";
        const key = carried(request, "x-vendor-key") ?? "";
        const credentials = `${authorization} ${carried(request, "x-hyper-secret") ?? ""}`.trim();
        const status = mode === "refuse" ? 401 : mode === "fail" ? 500 : 302;
        if (mode === "break")
          return { raw: `HTTP/1.1 200 OK\r\nX-Told: ${credentials}\r\n`, close: true };
        const headers = [
          ...json,
          "X-Told",
          credentials,
          "Location",
          `/t/?token=${encodeURI(credentials)}`,
        ];
        if (mode === "all") {
          const { apiKey: reason, secret, chatSecret } = secrets;
          return { headers: [...json, "X-One", secret, "X-Two", chatSecret], reason, body: "{}" };
        }
        if (mode === "key") return { headers: [...json, "X-Key", key], reason: key, body: "{}" };
        if (mode !== "trailers") return { status, reason: credentials, headers, body: "{}" };
        const trailers = ["X-Told", credentials, "X-Key", key, "X-Other", "kept"];
        return { headers: [...json, "Transfer-Encoding", "chunked"], body: "{}", trailers };
      },
    });
    const texts: string[] = [];
    for (mode of ["echo", "all", "key", "trailers", "fail", "break", "refuse", "login"]) {
      for (const [target, asked] of [
        ["/ticketing/v1/tickets", post],
        ["/chat/v1/id", { headers: shown }],
        ["/chat/v1/nonsense?x=1", { headers: shown }],
        ["/ticketing/v1/tickets?token2=1", post],
        ["/ticketing/v1/tickets", { method: "POST", body: "{}" }],
      ] as const) {
        const answer = await ask(target, asked);
        texts.push(JSON.stringify([answer.status, answer.reason, answer.headers, answer.text]));
      }
    }
    const admin = ["Authorization", "Bearer admin-of-the-test"];
    for (const name of ["health", "ready", "version", "metrics", "coverage"]) {
      texts.push(JSON.stringify(await ask(`/_afterword/${name}`, { headers: admin })));
    }
    const explained = { method: "POST", headers: admin, body: "{}" };
    texts.push(JSON.stringify(await ask("/_afterword/explain", explained)));
    const out = [...texts, JSON.stringify(logs), metrics()].join("\n");
    for (const secret of Object.values(secrets)) {
      expect(out.includes(secret)).toBe(false);
      // The upstream has received all of them except the caller's key, so the search would find an
      // echo.
      const requests = upstream.requests.map(({ head, body }) =>
        Buffer.concat([head, body]).toString(),
      );
      expect(requests.join("\n").includes(secret)).toBe(secret !== secrets.key);
    }
    expect(upstream.requests.some(({ target }) => target.includes("ecret"))).toBe(false);
  });
});
