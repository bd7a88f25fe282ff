import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawConnect, type ScriptedAnswer } from "../../src/testing/index.ts";
import { type Bench, flagged, json, startBench } from "./harness.ts";

// What stands behind a product is answered before Hono's router sees it, everything else by it.
// Both ways must give the client and the upstream the same bytes, and count the same.
const doors = ["direct", "router"] as const;
const benches = new Map<string, Bench>();

beforeAll(async () => {
  for (const door of doors) {
    const bench = await startBench({
      door,
      answerOn: "head",
      handler: ({ target }) => script(target),
      limits: { requestBytes: 300_000 },
      instance: { match: {} },
    });
    benches.set(door, bench);
  }
});

afterAll(async () => {
  await Promise.all([...benches.values()].map((bench) => bench.close()));
});

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

const rows: readonly (readonly [what: string, bytes: string])[] = [
  ["a flagged answer", message("flagged")],
  ["an answer without flags", message("closed")],
  ["a coded answer", message("gzip")],
  ["an answer in chunks, with trailers", message("chunks")],
  ["an answer without a body", message("none")],
  ["a large answer", message("big")],
  ["an answer that breaks off", message("broken")],
  ["an upstream that says nothing", message("refused")],
  ["a redirection", request("GET /chatbot/here?say=moved", last)],
  ["HEAD", request("HEAD /chatbot/here?say=closed", last)],
  ["another method", request("PROPFIND /chatbot/here?say=closed", last)],
  ["TRACE", request("TRACE /chatbot/here", last)],
  ["OPTIONS of the server", request("OPTIONS *", last)],
  [
    "a preflight for a field of ours",
    request("OPTIONS /v1/conversation/message", [
      "Origin: https://shop.example",
      "Access-Control-Request-Headers: x-afterword-locale",
      ...last,
    ]),
  ],
  ["an absolute target", request("POST http://else.test/v1/conversation/message", last, question)],
  [
    "a Host that is no name",
    request("POST /v1/conversation/message", ["Host: a b%", ...last], question),
  ],
  ["a target with brackets", request('POST /chatbot/[x]|{y}?"q"', last, question)],
  ["a target with a backslash", request("GET /chatbot/a\\b", last)],
  ["a target with dots", request("GET /chatbot/%2e%2e/secret", last)],
  ["an unknown target", request("GET /nowhere", last)],
  ["a segment that nobody signed", request("GET /r/AAAA/conversation", last)],
  ["HTTP/1.0", message("flagged", []).replace("HTTP/1.1", "HTTP/1.0")],
  ["HTTP/1.0 in chunks", request("GET /chatbot/x?say=chunks").replace("HTTP/1.1", "HTTP/1.0")],
  [
    "a request in chunks",
    `${request("POST /v1/conversation/message", ["Transfer-Encoding: chunked", ...last])}10\r\n${question}\r\n0\r\n\r\n`,
  ],
  [
    "a long request",
    request("POST /v1/conversation/message", last, question + " ".repeat(150_000)),
  ],
  ["a long request elsewhere", request("POST /chatbot/x", last, "y".repeat(150_000))],
  ["a request over the limit", request("POST /v1/conversation/message", last, "y".repeat(300_001))],
  ["Expect", request("POST /v1/conversation/message", ["Expect: 100-continue", ...last], question)],
  [
    "two requests at once",
    request("POST /v1/conversation/message", [], question) + message("closed"),
  ],
  [
    "a request behind a body that the upstream did not want",
    request("POST /chatbot/x?say=early", [], "y".repeat(290_000)) + message("closed"),
  ],
  [
    "a request behind a body that nobody reads",
    request("POST /knowledge/none", [], "y".repeat(200_000)) + message("closed"),
  ],
];

/** Ports and our own name in Via differ from one gateway to the next. */
function plain(text: string): string {
  return text.replaceAll(/127\.0\.0\.1:\d+/g, "upstream").replaceAll(/afterword-\w+/g, "us");
}

async function exchange(bench: Bench, bytes: string) {
  const before = bench.upstream.requests.length;
  const counted = counters(bench);
  const connection = await rawConnect(bench.port);
  connection.send(bytes);
  await connection.closed();
  const received = plain(connection.received());
  connection.destroy();
  const asked = bench.upstream.requests.slice(before).map(({ head, body, complete }) => ({
    head: plain(Buffer.from(head).toString("latin1")),
    // How much was sent before the other side would not have more is not the gateway's doing.
    body: complete ? Buffer.from(body).toString("latin1") : "",
  }));
  const changed = counters(bench).filter((line) => !counted.includes(line));
  return { received, asked, counted: changed.map((line) => line.replace(/ \d+$/, "")) };
}

function counters(bench: Bench): readonly string[] {
  return bench
    .metrics()
    .split("\n")
    .filter((line) => /^afterword_\w+_total/.test(line));
}

describe("the two ways through the listener", () => {
  it.each(rows)("are the same for %s", async (_what, bytes) => {
    const [direct, router] = await Promise.all(
      doors.map((door) => exchange(benches.get(door) ?? expect.fail(), bytes)),
    );
    expect(direct?.received).toMatch(/^HTTP\/1\.1 \d\d\d/);
    expect(direct).toEqual(router);
  });

  it("are two: the router is not asked for what stands behind a product", async () => {
    for (const door of doors) {
      const { app } = (benches.get(door) ?? expect.fail()).running.gateway;
      let routed = 0;
      const { match } = app.router;
      app.router.match = (method, path) => {
        routed++;
        return match.call(app.router, method, path);
      };
      await exchange(benches.get(door) ?? expect.fail(), message("closed"));
      expect(routed).toBe(door === "router" ? 1 : 0);
    }
  });
});
