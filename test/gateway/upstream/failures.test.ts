import { describe, expect, it } from "vitest";
import { rawConnect, rawRequest } from "../../../src/testing/index.ts";
import { flagged, json, rawPost, startBench, withBench } from "../harness.ts";

const path = "/v1/conversation/message";
const text = (body: Uint8Array): string => new TextDecoder().decode(body);
const never = (): Promise<never> => new Promise(() => {});

describe("an upstream that fails", () => {
  it.each([
    [502, { raw: "", close: true }, {}],
    [502, { raw: "garbage\r\n\r\n", close: true }, {}],
    [502, { raw: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello" }, {}],
  ])(
    "is answered %i with errors that clients can read, and is not retried",
    async (status, answer, extra) => {
      await withBench({ handler: () => answer, ...extra }, async ({ port, upstream }) => {
        const got = await rawRequest(port, rawPost(path, "{}"));
        expect(got.status).toBe(status);
        expect(JSON.parse(text(got.body))).toEqual({
          errors: [{ code: status, message: "The conversation service sent no usable answer." }],
        });
        expect(upstream.requests).toHaveLength(1);
      });
    },
  );

  it("is answered 502 when nothing listens there, and 504 when it does not answer in time", async () => {
    await withBench(
      { upstreamConfig: { apis: { chatbot: "http://127.0.0.1:9" } } },
      async ({ port, logs }) => {
        const got = await rawRequest(port, rawPost(path, "{}"));
        expect([got.status, text(got.body)]).toEqual([
          502,
          expect.stringContaining("The conversation service could not be reached."),
        ]);
        expect(logs.find(({ event }) => event === "upstream-failed")?.fields).toMatchObject({
          kind: "unreachable",
        });
      },
    );
    const timeouts = { connect: 500, headers: 200, total: 400, idle: 300 };
    await withBench({ handler: never, upstreamConfig: { timeouts } }, async ({ port }) => {
      expect((await rawRequest(port, rawPost(path, "{}"))).status).toBe(504);
    });
  });

  it("that breaks off in the middle gives the client what came, and a broken connection", async () => {
    const whole = flagged("no-results");
    const raw = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${whole.length}\r\n\r\n${whole.slice(0, 40)}`;
    await withBench({ handler: () => ({ raw, close: true }) }, async ({ port }) => {
      const answer = await rawRequest(port, rawPost(path, "{}"));
      expect(answer.complete).toBe(false);
      expect(text(answer.body)).toBe(whole.slice(0, 40));
    });
  });
});

describe("limits", () => {
  it("refuses a declared body above the limit before the upstream gets any of it", async () => {
    await withBench({ limits: { requestBytes: 1000 } }, async ({ port, upstream }) => {
      const answer = await rawRequest(port, rawPost("/chatbot/v1/x", "x".repeat(1001)));
      expect(answer.status).toBe(413);
      expect(upstream.requests).toHaveLength(0);
      expect((await rawRequest(port, rawPost("/chatbot/v1/x", "x".repeat(1000)))).status).toBe(200);
    });
  });

  it.each(["/chatbot/v1/x", path])(
    "refuses a chunked body above the limit on %s",
    async (target) => {
      await withBench({ limits: { requestBytes: 100_000 } }, async ({ port }) => {
        const chunk = `${(50_000).toString(16)}\r\n${"x".repeat(50_000)}\r\n`;
        const request = `POST ${target} HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`;
        expect((await rawRequest(port, request)).status).toBe(413);
      });
    },
  );

  it("forwards a body beyond the part that is read ahead", async () => {
    const body = `{"message":"${"x".repeat(300_000)}"}`;
    await withBench(
      { handler: () => ({ headers: json, body: flagged("no-results") }) },
      async ({ port, upstream }) => {
        expect(text((await rawRequest(port, rawPost(path, body))).body)).toContain(
          "Nothing found.",
        );
        expect(text(upstream.requests[0]?.body ?? new Uint8Array())).toBe(body);
      },
    );
  });

  it("answers 503 with Retry-After at once when too much is under way, and still serves authentication", async () => {
    const held = Promise.withResolvers<void>();
    const handler = async ({ target }: { target: string }) => {
      if (target !== "/v1/auth") await held.promise;
      return { headers: json, body: "{}" };
    };
    const bench = await startBench({ handler, limits: { inFlight: 2, queue: 0 } });
    const first = rawRequest(bench.port, rawPost(path, "{}"));
    await expect.poll(() => bench.upstream.requests.length).toBe(1);
    const refused = await rawRequest(bench.port, rawPost(path, "{}"));
    expect(refused.status).toBe(503);
    expect(refused.headers.join("|")).toMatch(/Retry-After\|1/);
    expect(refused.headers.join("|")).toContain("no-store");
    expect((await rawRequest(bench.port, rawPost("/v1/auth", "{}"))).status).toBe(200);
    held.resolve();
    expect((await first).status).toBe(200);
    await bench.close();
  });

  it("streams events as they come, and does not count them as requests in flight", async () => {
    async function* events() {
      yield "data: 1\n\n";
      await new Promise(() => undefined);
    }
    const handler = () => ({
      headers: ["Content-Type", "text/event-stream", "Transfer-Encoding", "chunked"],
      body: events(),
    });
    const bench = await startBench({ handler });
    const client = await rawConnect(bench.port);
    client.send("GET /chatbot/v1/events HTTP/1.1\r\nHost: g\r\nAccept: text/event-stream\r\n\r\n");
    await client.waitFor("data: 1");
    expect(bench.metrics()).toContain("afterword_streams 1");
    expect(bench.metrics()).toContain("afterword_in_flight 0");
    client.destroy();
    await bench.upstream.idle();
    await expect.poll(() => bench.metrics()).toContain("afterword_streams 0");
    await bench.close();
  });
});

describe("a client that disconnects", () => {
  it("cancels the upstream's work", async () => {
    const bench = await startBench({ handler: never });
    const client = await rawConnect(bench.port);
    client.send(rawPost(path, "{}"));
    await expect.poll(() => bench.upstream.requests.length).toBe(1);
    client.destroy();
    await bench.upstream.idle();
    await expect.poll(() => bench.metrics()).toContain("afterword_in_flight 0");
    await bench.close();
  });
});

describe("odd requests", () => {
  it.each([
    ["OPTIONS * HTTP/1.1\r\nHost: g\r\n\r\n", 204],
    ["TRACE /v1/x HTTP/1.1\r\nHost: g\r\n\r\n", 405],
    ["GET http://elsewhere.example/_afterword/health HTTP/1.1\r\nHost: g\r\n\r\n", 200],
    ["GET /v1/../secret HTTP/1.1\r\nHost: g\r\n\r\n", 404],
    ["GET /v1/%2e%2e/secret HTTP/1.1\r\nHost: g\r\n\r\n", 404],
    ["GET /v1/..\\x HTTP/1.1\r\nHost: g\r\n\r\n", 404],
    ["GET / HTTP/1.1\r\nHost: g\r\n\r\n", 404],
    ["GET /_afterword/nothing HTTP/1.1\r\nHost: g\r\n\r\n", 404],
    ["GET /_afterword/health HTTP/1.0\r\n\r\n", 200],
    ["GET /_afterword/health HTTP/1.1\r\nHost: a b\r\n\r\n", 200],
    ["GET /_afterword/health HTTP/1.1\r\nHost: [::1\r\n\r\n", 200],
    ["GET /chatbot/%zz HTTP/1.1\r\nHost: g\r\n\r\n", 200],
    ["PROPFIND /chatbot/x HTTP/1.1\r\nHost: g\r\n\r\n", 200],
    ["GET /%5fafterword/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 404],
  ])("%j is answered %i", async (request, status) => {
    await withBench({}, async ({ port }) => {
      expect((await rawRequest(port, request)).status).toBe(status);
    });
  });

  it("that passed this gateway before are answered 502", async () => {
    await withBench({}, async (bench) => {
      await rawRequest(bench.port, rawPost(path, "{}"));
      const via = bench.upstream.requests[0]?.headers ?? [];
      const ours = via[via.indexOf("Via") + 1] ?? "";
      const looped = await rawRequest(bench.port, rawPost(path, "{}", [`Via: 1.1 other, ${ours}`]));
      expect(looped.status).toBe(502);
      expect(bench.metrics()).toContain("afterword_loops_total 1");
    });
  });

  it("cannot reach an address that is not configured, discovered or signed", async () => {
    await withBench({}, async ({ port, upstream }) => {
      const answers = await Promise.all([
        rawRequest(
          port,
          "GET http://169.254.169.254/latest/meta-data HTTP/1.1\r\nHost: 169.254.169.254\r\n\r\n",
        ),
        rawRequest(port, rawPost("/r/aHR0cDovLzE2OS4yNTQuMTY5LjI1NA/v1/x", "{}")),
        rawRequest(port, rawPost("//169.254.169.254/v1/x", "{}")),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(upstream.requests).toHaveLength(0);
    });
  });
});

describe("Location", () => {
  it("under the request's own base becomes our route", async () => {
    let origin = "";
    const handler = () => ({
      status: 302,
      headers: [
        "Location",
        `${origin}/prod/chatbot/v1/next?x`,
        "Content-Location",
        "/prod/chatbot/a",
      ],
      body: "",
    });
    await withBench({ handler }, async ({ port, upstream }) => {
      origin = upstream.origin;
      const plain = await rawRequest(port, "GET /v1/here HTTP/1.1\r\nHost: g.test\r\n\r\n");
      expect(plain.headers.slice(0, 4)).toEqual([
        "Location",
        "http://g.test/v1/next?x",
        "Content-Location",
        "/a",
      ]);
      const named = await rawRequest(port, "GET /chatbot/v1/here HTTP/1.1\r\nHost: g.test\r\n\r\n");
      expect(named.headers[1]).toBe("http://g.test/chatbot/v1/next?x");
    });
  });
});
