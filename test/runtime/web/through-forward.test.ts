import type { HttpRequest } from "../../../src/http/types.ts";
import type { RelayOutcome, Route, Transform } from "../../../src/gateway/upstream/route.ts";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { relay } from "../../../src/gateway/upstream/relay.ts";
import type { Transport } from "../../../src/gateway/exchange/transport.ts";
import { createFetchTransport } from "../../../src/runtime/web/fetch-transport.ts";
import { createWebGateway, createWebExchange } from "../../../src/runtime/web/gateway.ts";
import { config, tables } from "../../fixtures/config.ts";
import { noTimeouts, upstream } from "./upstream.ts";
import { turns } from "../../fixtures/turns.ts";
import { streamBody } from "../../fixtures/request-body.ts";

const megabyte = Buffer.from(Uint8Array.from({ length: 1_000_000 }, (_, i) => i % 251));

interface Passage {
  readonly response: Promise<Response>;
  readonly outcome: Promise<RelayOutcome>;
}

const gateway = createWebGateway({
  config: config(tables({})),
  routeKeys: ["a route key of good length"],
});

/**
 * The smallest gateway: passes the client's requests on to `origin`, using only the web platform.
 */
function pass(
  origin: string,
  asked: Request,
  given: { transform?: Transform; transport?: Transport; total?: number } = {},
): Passage {
  const { exchange, response } = createWebExchange(asked);
  const base = { address: origin, origin, host: "", path: "/nowhere" };
  const request: HttpRequest = {
    origin,
    method: exchange.method,
    path: exchange.target,
    headers: exchange.headers,
    body: exchange.body && streamBody(exchange.body),
    timeouts: { ...noTimeouts, total: given.total ?? 0 },
    trusted: true,
  };
  const route: Route = {
    name: "message",
    to: { product: "chatbot", base, trusted: true, rest: "", route: () => "" },
    reserved: false,
    bounded: false,
    transform: given.transform ?? null,
    transport: given.transport ?? createFetchTransport(),
  };
  const place = { becomeStream: () => true, leave: () => {} };
  const arrived = gateway.arrive(exchange);
  return {
    response,
    outcome: relay(gateway.core, arrived, route, place, request, new Uint8Array(0)),
  };
}

function ask(path: string, init: RequestInit = {}): Request {
  return new Request(`http://gateway.example${path}`, init);
}

describe("request and response in one process", () => {
  test("a megabyte goes up and comes down", async () => {
    const origin = await upstream((req, res) => {
      res.writeHead(200, "Fine", {
        "Content-Length": megabyte.length,
        "Set-Cookie": ["a=1", "b=2"],
      });
      req.pipe(res);
    });
    const { response, outcome } = pass(origin, ask("/up?x=1", { method: "POST", body: megabyte }));
    const answer = await response;
    expect(answer.statusText).toBe("Fine");
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(megabyte)).toBe(true);
    expect(await outcome).toMatchObject({ status: 200, failure: null });
  });

  test("a body is edited, although the upstream sent it coded", async () => {
    const origin = await upstream((_, res) => {
      const coded = gzipSync('{"message":"No results"}');
      res.writeHead(200, {
        "Content-Type": "application/json",
        "Content-Encoding": "gzip",
        "Content-Length": coded.length,
      });
      res.end(coded);
    });
    const { response } = pass(origin, ask("/"), {
      transform: {
        edits: true,
        apply: async (body) => ({
          body: Buffer.from(Buffer.from(body).toString().replace("No results", "Nothing")),
          decided: null,
          fields: [],
        }),
      },
    });
    const answer = await response;
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(answer.headers.get("content-length")).toBe("21");
    expect(await answer.json()).toEqual({ message: "Nothing" });
  });

  test("a slow reader slows the upstream down", async () => {
    let given = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          given += 10_000;
          if (given > megabyte.length) controller.close();
          else controller.enqueue(megabyte.subarray(given - 10_000, given));
        },
      },
      { highWaterMark: 0 },
    );
    const transport = createFetchTransport({ fetch: async () => new Response(source) });
    const { response, outcome } = pass("https://a.example", ask("/"), { transport });
    const reader = (await response).body!.getReader();
    const first = await reader.read();
    await turns();
    // The held data: the queue up to its mark, the chunk that exceeded it, and one chunk read
    // ahead.
    expect(given).toBeLessThanOrEqual(110_000);
    const chunks = [first.value ?? new Uint8Array(0)];
    for (let next = await reader.read(); !next.done; next = await reader.read())
      chunks.push(next.value);
    expect(Buffer.concat(chunks).equals(megabyte)).toBe(true);
    expect((await outcome).failure).toBeNull();
  });

  test("a reader that cancels ends the upstream's request", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const origin = await upstream((req, res) => {
      closed = once(req.socket, "close");
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      res.write("data: 1\n\n");
    });
    const { response, outcome } = pass(origin, ask("/"));
    const reader = (await response).body!.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("data: 1\n\n");
    await reader.cancel();
    expect((await outcome).failure?.kind).toBe("cancelled");
    await closed;
  });

  test("a client that goes away before the answer ends the upstream's request", async () => {
    const arrived = Promise.withResolvers<{ closed: Promise<unknown> }>();
    const origin = await upstream((req) => arrived.resolve({ closed: once(req.socket, "close") }));
    const client = new AbortController();
    const { response, outcome } = pass(origin, ask("/", { signal: client.signal }));
    const { closed } = await arrived.promise;
    client.abort();
    expect((await response).status).toBe(499);
    expect(await outcome).toMatchObject({ status: 499 });
    await closed;
  });

  test("an answer that breaks off gives what came, then an error", async () => {
    const origin = await upstream((_, res) => {
      res.writeHead(200, { "Content-Length": "100" });
      res.write("begun", () => res.destroy());
    });
    const { response, outcome } = pass(origin, ask("/"));
    const reader = (await response).body!.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("begun");
    await expect(reader.read()).rejects.toMatchObject({ code: "upstream-broken" });
    expect((await outcome).failure?.kind).toBe("broken");
  });

  test.each([
    ["a silent upstream", 504, 60, (): void => {}],
    [
      "an upstream that hangs up",
      502,
      40_000,
      (req: { socket: { destroy(): void } }): void => req.socket.destroy(),
    ],
  ])("%s becomes %d in the gateway's own words", async (_, status, total, listener) => {
    const origin = await upstream((req) => listener(req));
    const { response } = pass(origin, ask("/"), { total });
    const answer = await response;
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ errors: [{ code: status }] });
  });
});

describe("behind @hono/node-server", () => {
  test("HEAD, 204, 304, cookies and a chunked upload get through", async () => {
    const origin = await upstream((req, res) => {
      if (req.url === "/204" || req.url === "/304") res.writeHead(Number(req.url.slice(1))).end();
      else {
        res.writeHead(200, { "Set-Cookie": ["a=1", "b=2"] });
        req.pipe(res);
      }
    });
    const server = await listen(origin, () => {});
    const statuses = [];
    for (const [method, path] of [
      ["HEAD", "/x"],
      ["GET", "/204"],
      ["GET", "/304"],
    ]) {
      const answer = await fetch(server + path, { method: method ?? "" });
      statuses.push(answer.status, (await answer.arrayBuffer()).byteLength);
    }
    expect(statuses).toEqual([200, 0, 204, 0, 304, 0]);

    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(megabyte.subarray(0, 99));
        controller.enqueue(megabyte.subarray(99));
        controller.close();
      },
    });
    const upload = { method: "POST", body, duplex: "half" } as RequestInit;
    const answer = await fetch(server, upload);
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(megabyte)).toBe(true);
  });

  test("a client that hangs up ends the upstream's request, and is no fault to log", async () => {
    const seen = vi.fn<(outcome: RelayOutcome) => void>();
    const logged = vi.spyOn(console, "error");
    onTestFinished(() => logged.mockRestore());
    let closed: Promise<unknown> = Promise.resolve();
    const origin = await upstream((req, res) => {
      closed = once(req.socket, "close");
      res.writeHead(200).write("begun");
    });
    const client = httpRequest(await listen(origin, seen)).end();
    client.on("error", () => {});
    await once(client, "response");
    client.destroy();
    await closed;
    await vi.waitFor(() => expect(seen.mock.calls[0]?.[0].failure?.kind).toBe("cancelled"), 40_000);
    await turns();
    expect(logged).not.toHaveBeenCalled();
  });
});

/** The same, as a Hono app behind a listener. */
async function listen(origin: string, seen: (outcome: RelayOutcome) => void): Promise<string> {
  const app = new Hono();
  app.all("*", (c) => {
    const { response, outcome } = pass(origin, c.req.raw);
    void outcome.then(seen);
    return response;
  });
  return upstream(getRequestListener(app.fetch));
}
