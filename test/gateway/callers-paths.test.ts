import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { CALLER_OPERATIONS, readOperation } from "../../src/config/caller-operations.ts";
import { findRequestedOperation } from "../../src/gateway/callers/requested-operation.ts";
import { rawConnect } from "../../src/testing/index.ts";
import { CHAT_OPERATIONS } from "../../src/api/chat/operations.ts";
import { KNOWLEDGE_OPERATIONS } from "../../src/api/knowledge/operations.ts";
import { TICKETING_OPERATIONS } from "../../src/api/ticketing/operations.ts";
import {
  caller,
  carried,
  type CallersBench,
  json,
  type Runtime,
  runtimes,
  secrets,
  shown,
  startCallers,
} from "./callers-bench.ts";
import { runs } from "../fixtures/runs.ts";

const everything = CALLER_OPERATIONS.map(({ name }) => name);
const benches = new Map<Runtime, CallersBench>();

beforeAll(async () => {
  for (const runtime of runtimes) {
    benches.set(runtime, await startCallers(runtime, { callers: [caller(everything)] }));
  }
});
afterAll(async () => {
  await Promise.all([...benches.values()].map((bench) => bench.close()));
});

/** Returns the request that reached a product, or null. */
async function sentFor(runtime: Runtime, target: string, method = "GET"): Promise<string | null> {
  const bench = benches.get(runtime)!;
  const before = bench.products().length;
  await bench.ask(target, { method, headers: [...shown, ...json] });
  const [sent, ...more] = bench.products().slice(before);
  expect(more).toEqual([]);
  expect(sent === undefined ? null : carried(sent, "x-afterword-caller-key")).toBeNull();
  return sent === undefined ? null : sent.target;
}

describe.each(runtimes)("the path of a caller's request on %s", (runtime) => {
  it.each([
    ["/ticketing/v1/tickets/7", "/t/v1/tickets/7"],
    ["/ticketing/v1/tickets/7/", "/t/v1/tickets/7"],
    ["/ticketing/%761/tickets/%37", "/t/v1/tickets/7"],
    [
      "/ticketing/v1/tickets/3f2a6c1e-0000-4000-8000-000000000001/replies?length=5",
      "/t/v1/tickets/3f2a6c1e-0000-4000-8000-000000000001/replies?length=5",
    ],
    [
      "/ticketing/v1/users/public?address=a%2Bb%40example.com",
      "/t/v1/users/public?address=a%2Bb%40example.com",
    ],
    ["/ticketing/v1/tickets?iql=a+b%20%26c&&length=1&", "/t/v1/tickets?iql=a%20b%20%26c&length=1"],
    ["/knowledge/v1/contents/slug/caf%C3%A9", "/k/v1/contents/slug/caf%C3%A9"],
    ["/knowledge/v1/content/9/user-questions", "/k/v1/contents/9/user-questions"],
    ["/chat/media/aBcDeFgHiJkLmNoPqRsTuV", "/c/v1/media/aBcDeFgHiJkLmNoPqRsTuV"],
    ["/chat/v1/chats/abcdefghijklmnopqrstuv", "/c/v1/chats/abcdefghijklmnopqrstuv"],
    ["/chat/v1/queues/status?", "/c/v1/queues/status"],
  ])("%s goes out as %s", async (target, expected) => {
    expect(await sentFor(runtime, target)).toBe(expected);
  });

  it.each([
    "/ticketing/v1/tickets/7%2f..%2fusers",
    "/ticketing/v1/tickets/7%2Fhistory",
    "/ticketing/v1/tickets/7%5chistory",
    "/ticketing/v1/tickets/7%00",
    "/ticketing/v1/tickets/7%0d%0aX-Evil:1",
    "/ticketing/v1/tickets/7;jsessionid=1",
    "/ticketing/v1/tickets/7%3b",
    "/ticketing/v1/tickets/%252e%252e",
    "/ticketing/v1/tickets/7%252fhistory",
    "/ticketing/v1/tickets/7%3fa=b",
    "/ticketing/v1/tickets/7%23",
    "/ticketing/v1/tickets/%ff",
    "/ticketing/v1/tickets/%zz",
    "/ticketing/v1/tickets/%",
    "/ticketing/v1/tickets//",
    "/ticketing//v1/tickets/7",
    "/ticketing/v1//tickets/7",
    "/ticketing/v1/tickets/secret-report",
    "/knowledge/v1/contents/slug/a%252fb",
    "/knowledge/v1/contents/slug/a%2fb",
    "/knowledge/v1/contents/slug/a%5cb",
    "/knowledge/v1/contents/slug/a%3bb",
    "/knowledge/v1/contents/slug/a;b",
    "/knowledge/v1/contents/slug/%2500",
    "/knowledge/v1/contents/slug/%E2%80%A8",
    "/ticketing/v1/tickets/@evil.example",
    "/ticketing/V1/tickets/7",
    "/ticketing/v1/Tickets/7",
    "/ticketing",
    "/ticketing/",
    "/ticketing/v1",
    "/chat/v1/agents/secretariat",
  ])("%s is refused", async (target) => {
    expect(await sentFor(runtime, target)).toBeNull();
  });

  it.each([
    "/ticketing/v1/tickets?length=1&length=2",
    "/ticketing/v1/tickets?length=1&%6cength=2",
    "/ticketing/v1/tickets?external_id[]=1",
    "/ticketing/v1/tickets?Length=1",
    "/ticketing/v1/tickets?_method=DELETE",
    "/ticketing/v1/tickets?length=%ff",
    "/ticketing/v1/tickets?length=%00",
    "/ticketing/v1/tickets?=1",
    "/ticketing/v1/tickets/7?x=1",
    "/ticketing/v1/tickets?length=1?offset=2&x",
  ])("a query that the operation does not have (%s) is refused", async (target) => {
    expect(await sentFor(runtime, target)).toBeNull();
  });

  it.each(["PATCH", "TRACE", "CONNECT", "PURGE"])("%s is refused as a path", async (method) => {
    // The Fetch API does not support TRACE and CONNECT at all.
    if (runtime === "web" && method !== "PATCH" && method !== "PURGE") return;
    expect(await sentFor(runtime, "/ticketing/v1/tickets/7", method)).toBeNull();
  });

  it("takes HEAD as a GET", async () => {
    expect(await sentFor(runtime, "/ticketing/v1/tickets/7", "HEAD")).toBe("/t/v1/tickets/7");
  });
});

describe("a request line that only a socket can send", () => {
  it.each([
    "http://evil.example/ticketing/v1/tickets/7",
    "HTTP://evil.example:1/ticketing/v1/tickets/7",
  ])("%s goes to the configured upstream, whatever host it names", async (target) => {
    expect(await sentFor("node", target)).toBe("/t/v1/tickets/7");
  });

  it.each([
    "/ticketing/v1/tickets/../users",
    "/ticketing/v1/tickets/%2e%2e/users/7",
    "/ticketing/v1/tickets/..;/users/7",
    "/ticketing/v1/tickets/..%2fusers",
    "/ticketing/v1/tickets/.%2e%5cusers",
    "//evil.example/ticketing/v1/tickets/7",
    "/ticketing\\v1\\tickets\\7",
    "/ticketing/v1/tickets/7#x",
    "/ticketing/v1/tickets/\u00e9",
    "ticketing/v1/tickets/7",
  ])("%s is refused as a target", async (target) => {
    const bench = benches.get("node")!;
    const before = bench.products().length;
    const connection = await rawConnect(bench.port);
    connection.send(
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Afterword-Caller-Key: ${secrets.key}\r\n\r\n`,
    );
    await connection.closed();
    expect(connection.received()).toMatch(/^HTTP\/1\.1 40[034] /);
    expect(bench.products().length).toBe(before);
  });

  it("does not lose our credentials to a Connection field that names them", async () => {
    const bench = benches.get("node")!;
    const names = "Authorization, X-Vendor-Key, X-Hyper-Secret, Content-Type";
    const headers = [...shown, ...json, "Connection", names];
    await bench.ask("/ticketing/v1/tickets", { method: "POST", headers, body: "{}" });
    const sent = bench.products().at(-1);
    expect(carried(sent, "authorization")).toContain(secrets.tokens);
    expect(carried(sent, "x-vendor-key")).toBe("key-of-the-instance");
  });

  it("asks for an upgrade without our credentials", async () => {
    const bench = benches.get("node")!;
    const before = bench.products().length;
    const connection = await rawConnect(bench.port);
    connection.send(
      `GET /chat/v1/events HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nX-Afterword-Caller-Key: ${secrets.key}\r\n\r\n`,
    );
    await connection.answer();
    connection.destroy();
    const [sent] = bench.products().slice(before);
    expect(carried(sent, "x-hyper-secret")).toBeNull();
    expect(carried(sent, "x-afterword-caller-key")).toBeNull();
  });
});

describe("the table of operations", () => {
  const wire = [...TICKETING_OPERATIONS, ...KNOWLEDGE_OPERATIONS, ...CHAT_OPERATIONS];
  const nameless = (path: string): string => path.replaceAll(/\{\w+\}/g, "{}");

  it("has every operation of the three products, with all spellings of its path", () => {
    const ours = CALLER_OPERATIONS.map(({ name, method, paths }) => [
      name,
      method,
      ...paths.map((segments) => nameless(`/${segments.join("/")}`)),
    ]);
    const theirs = wire.map(({ id, method, path, aliases }) => [
      id,
      method,
      ...[path, ...aliases].map(nameless),
    ]);
    expect(ours.toSorted()).toEqual(theirs.toSorted());
  });

  it("has every parameter that their queries have", () => {
    for (const { id, query } of wire) {
      if (query === undefined) continue;
      const { properties = {} } = z.toJSONSchema(query, { io: "input", unrepresentable: "any" });
      const ours = CALLER_OPERATIONS.find(({ name }) => name === id)?.query ?? [];
      expect([id, ...Object.keys(properties).filter((name) => !ours.includes(name))]).toEqual([id]);
    }
  });

  it("finds each operation by each spelling, and no other", () => {
    for (const { name, product, method, paths } of CALLER_OPERATIONS) {
      for (const path of paths) {
        const target = `/${path.map((part) => (part.startsWith("{") ? "7" : part)).join("/")}`;
        const asked = findRequestedOperation(product, method, target, []);
        expect([target, asked.kind === "operation" && asked.operation.name]).toEqual([
          target,
          name,
        ]);
      }
    }
  });

  it("lets what the configuration adds stand beside it, never in its place", () => {
    const mine = [
      readOperation(
        "GET /ticketing/v1/users/{x}/notes",
        "ticketing",
        "GET",
        "/v1/users/{x}/notes?a",
      ),
      readOperation("GET /ticketing/v1/users/{name}", "ticketing", "GET", "/v1/users/{name}"),
    ];
    const nameOf = (target: string): string | false => {
      const asked = findRequestedOperation("ticketing", "GET", target, mine);
      return asked.kind === "operation" && asked.operation.name;
    };
    expect(nameOf("/v1/users/ada/notes?a=1")).toBe("GET /ticketing/v1/users/{x}/notes");
    expect(nameOf("/v1/users/public")).toBe("ticketing.publicUser");
    expect(nameOf("/v1/users/7")).toBe("ticketing.user");
    expect(nameOf("/v1/users/ada")).toBe("GET /ticketing/v1/users/{name}");
  });

  it("makes of any target either nothing or a path of the table that no reader reads otherwise", () => {
    const bits = fc.constantFrom(
      ..."/v1 tickets users public 7 %2f %2e . .. ; %00 %25 %5c \\ ? & = length %6cength é % # @ : 3f2a-1 slug".split(
        " ",
      ),
      "/",
      "/",
      "/v1/",
      "/v1/tickets/",
      " ",
    );
    fc.assert(
      fc.property(
        fc.constantFrom("ticketing", "knowledge", "chat"),
        fc.constantFrom("GET", "POST", "PUT", "DELETE"),
        fc.array(bits, { maxLength: 12 }),
        (product, method, parts) => {
          const asked = findRequestedOperation(product, method, `/v1/${parts.join("")}`, []);
          if (asked.kind !== "operation") return;
          const url = new URL(`https://up.example/base${asked.rest}`);
          expect(url.host).toBe("up.example");
          expect(url.pathname + url.search).toBe(`/base${asked.rest}`);
          const segments = url.pathname.slice(6).split("/").map(decodeURIComponent);
          expect(segments.every((segment) => !/[/\\%;?#\0]/.test(segment) && segment !== "")).toBe(
            true,
          );
          expect(asked.operation.paths[0]?.length).toBe(segments.length);
          const names = [...url.searchParams.keys()];
          expect(new Set(names).size).toBe(names.length);
          expect(names.every((name) => asked.operation.query.includes(name))).toBe(true);
        },
      ),
      { numRuns: runs(3000) },
    );
  });
});
