import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unknownClient } from "../../src/http/client-address.ts";
import type { Exchange } from "../../src/gateway/exchange/exchange.ts";
import { createGateway } from "../../src/runtime/web/index.ts";
import { rawConnect, rawRequest, type ScriptedAnswer } from "../../src/testing/index.ts";
import { config, instance, tables } from "../fixtures/config.ts";
import { type Bench, flagged, json, startBench } from "./harness.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await startBench({
    answerOn: "head",
    handler: ({ target }) => script(target),
    limits: { requestBytes: 300_000 },
    instance: { match: {} },
  });
});

afterAll(() => bench.close());

const big = "x".repeat(400_000);
const answers: Readonly<Record<string, ScriptedAnswer>> = {
  flagged: {
    headers: [...json, "ETag", '"1"', "X-Odd", "1", "x-odd", "2"],
    body: flagged("welcome"),
  },
  closed: { headers: json, body: '{"answers":[{"flags":[],"message":"hm"}]}' },
  broken: {
    raw: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nhalf",
    close: true,
  },
  gzip: { headers: [...json, "Content-Encoding", "gzip"], body: gzipSync(flagged("welcome")) },
  chunks: {
    headers: [...json, "Transfer-Encoding", "chunked"],
    body: [flagged("welcome").slice(0, 10), flagged("welcome").slice(10)],
    trailers: ["X-Last", "1"],
  },
  moved: {
    status: 302,
    reason: "D\u00e9j\u00e0",
    headers: ["Location", "/prod/chatbot/there"],
    body: "",
  },
  none: { status: 204, reason: "No Content", headers: ["X-A", "1"] },
  big: { headers: ["Content-Type", "text/plain"], body: big },
  refused: { raw: "", close: true },
  early: { status: 403, reason: "No", headers: json, body: "{}", close: true },
};

function script(target: string): ScriptedAnswer {
  return answers[target.split("say=")[1] ?? ""] ?? answers["flagged"] ?? {};
}

function request(line: string, headers: readonly string[] = [], body = ""): string {
  const length = body === "" ? [] : [`Content-Length: ${body.length}`];
  const host = headers.some((field) => /^host:/i.test(field)) ? [] : ["Host: gateway.test"];
  return [`${line} HTTP/1.1`, ...host, ...headers, ...length, "", body].join("\r\n");
}

const question = '{"message":"hm"}';
const last = ["Connection: close"];
const message = (say: string, headers = last): string =>
  request(`POST /v1/conversation/message?say=${say}`, headers, question);

const rows: readonly (readonly [what: string, statuses: string, bytes: string])[] = [
  ["a flagged answer", "200", message("flagged")],
  ["an answer without flags", "200", message("closed")],
  ["a coded answer", "200", message("gzip")],
  ["an answer in chunks, with trailers", "200", message("chunks")],
  ["an answer without a body", "204", message("none")],
  ["a large answer", "200", message("big")],
  ["an answer that breaks off", "200", message("broken")],
  ["an upstream that says nothing", "502", message("refused")],
  ["a redirection", "302", request("GET /chatbot/here?say=moved", last)],
  ["HEAD", "200", request("HEAD /chatbot/here?say=closed", last)],
  ["another method", "200", request("PROPFIND /chatbot/here?say=closed", last)],
  ["TRACE", "405", request("TRACE /chatbot/here", last)],
  ["OPTIONS of the server", "204", request("OPTIONS *", last)],
  [
    "a preflight for a field of ours",
    "204",
    request("OPTIONS /v1/conversation/message", [
      "Origin: https://shop.example",
      "Access-Control-Request-Headers: x-afterword-locale",
      ...last,
    ]),
  ],
  [
    "an absolute target",
    "200",
    request("POST http://else.test/v1/conversation/message", last, question),
  ],
  [
    "a Host that is no name",
    "200",
    request("POST /v1/conversation/message", ["Host: a b%", ...last], question),
  ],
  ["a target with brackets", "200", request('POST /chatbot/[x]|{y}?"q"', last, question)],
  ["a target with a backslash", "200", request("GET /chatbot/a\\b", last)],
  ["a target with dots", "404", request("GET /chatbot/%2e%2e/secret", last)],
  ["an unknown target", "404", request("GET /nowhere", last)],
  ["a segment that nobody signed", "404", request("GET /r/AAAA/conversation", last)],
  ["HTTP/1.0", "200", message("flagged", []).replace("HTTP/1.1", "HTTP/1.0")],
  [
    "HTTP/1.0 in chunks",
    "200",
    request("GET /chatbot/x?say=chunks").replace("HTTP/1.1", "HTTP/1.0"),
  ],
  [
    "a request in chunks",
    "200",
    `${request("POST /v1/conversation/message", ["Transfer-Encoding: chunked", ...last])}10\r\n${question}\r\n0\r\n\r\n`,
  ],
  [
    "a long request",
    "200",
    request("POST /v1/conversation/message", last, question + " ".repeat(150_000)),
  ],
  ["a long request elsewhere", "200", request("POST /chatbot/x", last, "y".repeat(150_000))],
  [
    "a request over the limit",
    "413",
    request("POST /v1/conversation/message", last, "y".repeat(300_001)),
  ],
  [
    "Expect",
    "100, 200",
    request("POST /v1/conversation/message", ["Expect: 100-continue", ...last], question),
  ],
  [
    "two requests at once",
    "200, 200",
    request("POST /v1/conversation/message", [], question) + message("closed"),
  ],
  [
    "a request behind a body that the upstream did not want",
    "403, 200",
    request("POST /chatbot/x?say=early", [], "y".repeat(290_000)) + message("closed"),
  ],
  [
    "a request behind a body that nobody reads",
    "401, 200",
    request("POST /knowledge/none", [], "y".repeat(200_000)) + message("closed"),
  ],
];

describe("the gateway answers any request:", () => {
  it.each(rows)("%s: %s", async (_what, statuses, bytes) => {
    const connection = await rawConnect(bench.port);
    connection.send(bytes);
    await connection.closed();
    const received = [...connection.received().matchAll(/HTTP\/1\.1 (\d{3}) /g)];
    connection.destroy();
    expect(received.map(([, status]) => status).join(", ")).toBe(statuses);
  });
});

const own: readonly (readonly [line: string, status: number])[] = [
  ["GET /_afterword/health", 200],
  ["GET /_afterword/health/", 200],
  ["GET /_afterword/health?a#b", 404],
  ["DELETE /_afterword/health", 200],
  ["TRACE /_afterword/health", 405],
  ["GET http://else.test/_afterword/health?a", 200],
  ["GET /shop/_afterword/health", 200],
  ["GET /shop/v1/../_afterword/health", 404],
  ["GET /store/_afterword/health", 404],
  ["GET /_afterword/%68ealth", 404],
  ["GET /_afterword", 404],
  ["GET /_afterword/", 404],
  ["GET //_afterword/health", 404],
  ["GET /_AFTERWORD/health", 404],
  ["GET /", 200],
  ["GET /shop/", 200],
  ["GET /shop?x", 200],
  ["GET /desk", 404],
];

describe("our own pages and operations", () => {
  const instances = [instance({ match: { pathPrefix: "/shop" } })];

  it("are found by their raw path, behind an instance's prefix too", async () => {
    const shop = await startBench({ config: { instances } });
    for (const [line, status] of own) {
      const answer = await rawRequest(shop.port, request(line, ["Host: localhost", ...last]));
      expect([line, answer.status]).toEqual([line, status]);
    }
    const named = request("GET /_afterword/health", ["Host: a b%", ...last]);
    expect((await rawRequest(shop.port, named)).status).toBe(200);
    await shop.close();
  });

  it("move with a prefix that is configured anew", async () => {
    const health = (prefix: string): string => request(`GET ${prefix}/_afterword/health`, last);
    const statuses = async (): Promise<readonly number[]> =>
      await Promise.all(
        ["", "/shop", "/store"].map(
          async (prefix) => (await rawRequest(moving.port, health(prefix))).status,
        ),
      );
    const base = config(tables({}), { instances });
    const moving = await startBench({ config: { instances } });
    expect(await statuses()).toEqual([200, 200, 404]);
    const store = instance({ match: { pathPrefix: "/store" } });
    moving.running.swap({ ...base, instances: [store] });
    expect(await statuses()).toEqual([200, 404, 200]);
    await moving.close();
  });

  it("are left to the app, with nothing touched, and everything else is not", () => {
    const { gateway } = bench.running;
    for (const target of ["/_afterword/metrics", "/_afterword/none", "/", "/desk/x", "/docs"]) {
      expect([target, gateway.handle(untouchable(target))]).toEqual([target, false]);
    }
    expect(() => gateway.handle(untouchable("/nowhere"))).toThrow("touched");
  });

  it("are the same app's over the Fetch API", async () => {
    const app = createGateway({
      config: config(tables({}), { instances }),
      routeKeys: ["a text of at least sixteen characters"],
    });
    const statusOf = async (path: string): Promise<number> => (await app.request(path)).status;
    const paths = ["/_afterword/health/", "/shop/_afterword/ready", "/_afterword/metrics", "/x"];
    expect(await Promise.all(paths.map(statusOf))).toEqual([200, 200, 404, 404]);
  });
});

function untouchable(target: string): Exchange {
  const touched = (): never => {
    throw new Error("touched");
  };
  const reply = { send: touched, head: touched, write: touched, end: touched, abort: touched };
  return {
    method: "GET",
    target,
    headers: [],
    body: null,
    peer: null,
    client: unknownClient,
    reply: { ...reply, onDrain: touched, onGone: touched, started: false },
  };
}
