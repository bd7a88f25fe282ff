import { describe, expect, it } from "vitest";
import {
  caller,
  carried,
  type CallersBench,
  type CallersOptions,
  json,
  openCallers,
  type Runtime,
  runtimes,
  secrets,
} from "./callers-bench.ts";

const page = "https://www.example.com";

function bench(runtime: Runtime, options: CallersOptions = {}): Promise<CallersBench> {
  return openCallers(runtime, {
    callers: [
      caller(["chat.newId", "ticketing.createTicket"], { keys: [], origins: [page] }),
      caller(["chat.rooms"], { name: "desk", origins: ["https://desk.example.com"] }),
    ],
    ...options,
  });
}

/** A preflight of a page. */
const preflight = (origin: string, method: string, asked = "content-type") => ({
  method: "OPTIONS",
  headers: [
    ...["Origin", origin],
    ...["Access-Control-Request-Method", method],
    ...["Access-Control-Request-Headers", asked],
  ],
});

describe.each(runtimes)("a page's requests on %s", (runtime) => {
  it("are answered for its own origin, without the upstream's consent", async () => {
    const { ask, products } = await bench(runtime, {
      answer: () => ({
        headers: [
          ...json,
          ...["Access-Control-Allow-Origin", "*", "Access-Control-Allow-Credentials", "true"],
          ...["Set-Cookie", "session=ours", "X-Kept", "1", "Vary", "Accept"],
        ],
        body: "{}",
      }),
    });
    const answer = await ask("/chat/v1/id", { headers: ["Origin", page, "Cookie", "a=b"] });
    expect(answer.status).toBe(200);
    expect(answer.field("access-control-allow-origin")).toBe(page);
    expect(answer.field("access-control-allow-credentials")).toBeNull();
    expect(answer.field("set-cookie")).toBeNull();
    expect(answer.field("x-kept")).toBe("1");
    expect(answer.field("vary")).toMatch(/^Accept, Origin/);
    expect(answer.field("cache-control")).toBe("private");
    expect(carried(products()[0], "origin")).toBeNull();
    expect(carried(products()[0], "cookie")).toBeNull();
  });

  it.each([
    "https://evil.example",
    "http://www.example.com",
    "https://www.example.com:8443",
    "https://www.example.com.evil.example",
    "https://WWW.example.com",
    "https://www.example.com/",
    "null",
    "*",
    "",
    `${page}, ${page}`,
  ])("from another origin (%s) are refused, and may not be read", async (origin) => {
    const { ask, upstream } = await bench(runtime);
    for (const answer of [
      await ask("/chat/v1/id", { headers: ["Origin", origin] }),
      await ask("/chat/v1/id", preflight(origin, "GET")),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.headers.join("\n").toLowerCase()).not.toContain("access-control-allow");
      expect(answer.field("vary")).toContain("Origin");
    }
    expect(upstream.requests).toEqual([]);
  });

  it("with two origins are refused", async () => {
    const { ask, upstream } = await bench(runtime);
    const answer = await ask("/chat/v1/id", { headers: ["Origin", page, "Origin", page] });
    expect([answer.status, upstream.requests.length]).toEqual([403, 0]);
  });

  it("may be preceded by a preflight for what is listed and passed on only", async () => {
    const { ask, upstream } = await bench(runtime);
    const asked = "content-type, x-request-id, x-other, cookie";
    const answer = await ask("/ticketing/v1/tickets", preflight(page, "POST", asked));
    expect(answer.status).toBe(204);
    expect(answer.field("access-control-allow-origin")).toBe(page);
    expect(answer.field("access-control-allow-methods")).toBe("POST");
    expect(answer.field("access-control-allow-headers")).toBe("content-type, x-request-id");
    expect(answer.field("access-control-allow-credentials")).toBeNull();
    expect(answer.field("vary")).toContain("Origin");
    for (const [target, method] of [
      ["/ticketing/v1/tickets", "DELETE"],
      ["/ticketing/v1/tickets", "GET"],
      ["/ticketing/v1/users", "POST"],
      ["/chat/v1/rooms", "GET"],
    ] as const) {
      const refused = await ask(target, preflight(page, method));
      expect([target, refused.status]).toEqual([target, 403]);
      expect(refused.field("access-control-allow-origin")).toBeNull();
    }
    expect(upstream.requests).toEqual([]);
  });

  it("with their own credentials are checked by the upstream, never with the chat's secret from us", async () => {
    const { ask, products } = await bench(runtime);
    const own = await ask(
      "/chat/v1/chats",
      preflight("https://evil.example", "GET", "x-hyper-appid"),
    );
    expect(own.status).toBe(200);
    expect(products().map(({ method }) => method)).toEqual(["OPTIONS"]);
    const ours = "x-hyper-secret, x-hyper-appid, x-afterword-locale";
    const mixed = await ask("/chat/v1/chats", preflight(page, "GET", ours));
    expect(mixed.field("access-control-allow-headers")).toBe("x-hyper-appid, x-afterword-locale");
  });

  it("need the key as well where their caller has one", async () => {
    const { ask, products } = await bench(runtime);
    const origin = ["Origin", "https://desk.example.com"];
    const key = ["X-Afterword-Caller-Key", secrets.key];
    const without = await ask("/chat/v1/rooms", { headers: origin });
    expect(without.status).toBe(401);
    expect(without.field("access-control-allow-origin")).toBe("https://desk.example.com");
    expect((await ask("/chat/v1/rooms", { headers: key })).status).toBe(403);
    const elsewhere = await ask("/chat/v1/rooms", { headers: [...key, "Origin", page] });
    expect(elsewhere.status).toBe(403);
    expect(elsewhere.field("access-control-allow-origin")).toBeNull();
    expect(products()).toEqual([]);
    expect((await ask("/chat/v1/rooms", { headers: [...origin, ...key] })).status).toBe(200);
  });

  it("may read a refusal", async () => {
    const { ask } = await bench(runtime);
    const answer = await ask("/chat/v1/rooms", { headers: ["Origin", page] });
    expect(answer.status).toBe(403);
    expect(answer.field("access-control-allow-origin")).toBe(page);
  });
});
