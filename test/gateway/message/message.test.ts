import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { rawRequest } from "../../../src/testing/index.ts";
import { channel, phrase, tables, template } from "../../fixtures/config.ts";
import { flagged, json, rawPost, withBench } from "../harness.ts";

const path = "/v1/conversation/message";
const text = (body: Uint8Array): string => new TextDecoder().decode(body);

describe("POST /conversation/message", () => {
  it("replaces the text and nothing else of the answer", async () => {
    const body = `{ "answers" : [ {"x":1.50,"message":"Sorry","messageList":[ "Sorry" ],"flags":["no-results"] , "é":"\\u00e9"} ],"z":null}\n`;
    const handler = () => ({
      reason: "D\u00e9j\u00e0 vu",
      headers: [
        "Date",
        "Thu, 01 Jan 2026 00:00:00 GMT",
        "X-Odd",
        "1",
        "content-TYPE",
        "application/json",
        "x-odd",
        "2",
        "Content-Length",
        String(Buffer.byteLength(body)),
        "ETag",
        '"abc"',
      ],
      body,
    });
    await withBench({ handler }, async ({ port }) => {
      const answer = await rawRequest(
        port,
        rawPost(path, '{"message":"hm"}', ["X-Inbenta-Key: k"]),
      );
      expect(text(answer.body)).toBe(
        `{ "answers" : [ {"x":1.50,"message":"Nothing found.","messageList":[ "Nothing found." ],"flags":["no-results"] , "é":"\\u00e9"} ],"z":null}\n`,
      );
      expect(answer.reason).toBe("D\u00e9j\u00e0 vu");
      expect(answer.headers.slice(0, 10)).toEqual([
        ...[
          "Date",
          "Thu, 01 Jan 2026 00:00:00 GMT",
          "X-Odd",
          "1",
          "content-TYPE",
          "application/json",
          "x-odd",
          "2",
        ],
        ...["Content-Length", String(answer.body.length)],
      ]);
      expect(answer.headers.map((name) => name.toLowerCase())).not.toContain("etag");
    });
  });

  it("forwards the request byte for byte under the base's path, with our Via and the upstream's Host", async () => {
    await withBench(
      { handler: () => ({ headers: json, body: flagged("welcome") }) },
      async ({ port, upstream }) => {
        const body = ' {"message":"\\u00fcber"}\n';
        await rawRequest(
          port,
          rawPost(`${path}/?a=%7E&b`, body, [
            "X-INBENTA-key: k",
            "X-Unknown: 1",
            "x-unknown: 2",
            "X-Afterword-Locale: fr",
          ]),
        );
        const [seen] = upstream.requests;
        expect(seen?.target).toBe(`/prod/chatbot${path}/?a=%7E&b`);
        expect(text(seen?.body ?? new Uint8Array())).toBe(body);
        expect(seen?.headers.slice(0, 8)).toEqual([
          ...["Host", `127.0.0.1:${upstream.port}`],
          ...["X-INBENTA-key", "k", "X-Unknown", "1", "x-unknown", "2"],
        ]);
        expect(seen?.headers.join(" ")).toMatch(/Via 1\.1 afterword-[\da-f]{16}/);
        expect(seen?.headers.join(" ").toLowerCase()).not.toContain("x-afterword");
      },
    );
  });

  it("answers in the language the conversation was started in, and keeps to the session", async () => {
    const handler = ({ target }: { target: string }) => ({
      headers: json,
      body: target.endsWith("/message")
        ? flagged("no-results")
        : '{"sessionToken":"s-1","sessionId":"1"}',
    });
    await withBench({ handler }, async ({ port }) => {
      await rawRequest(port, rawPost("/v1/conversation", '{"lang":"fr"}'));
      const french = await rawRequest(port, rawPost(path, "{}", ["X-Inbenta-Session: Bearer s-1"]));
      const other = await rawRequest(port, rawPost(path, "{}", ["X-Inbenta-Session: Bearer s-2"]));
      const bare = await rawRequest(port, rawPost(path, "{}", ["X-Inbenta-Session: s-1"]));
      const asked = await rawRequest(
        port,
        rawPost(path, "{}", ["X-Inbenta-Session: s-1", "X-Afterword-Locale: en"]),
      );
      expect(text(french.body)).toContain("Rien trouvé.");
      expect(text(other.body)).toContain("Nothing found.");
      expect(text(bare.body)).toContain("Rien trouvé.");
      expect(text(asked.body)).toContain("Nothing found.");
    });
  });

  it.each([
    ["application/json;charset=UTF-8", '{"lang":"fr"}'],
    ["application/json,charset=UTF-8", '{"lang":"fr"}'],
    ["text/plain;charset=UTF-8", '{"lang":"fr"}'],
    ["application/x-www-form-urlencoded", "lang=fr&x[y]=z"],
  ])("reads the language from a start sent as %s", async (type, start) => {
    const handler = ({ target }: { target: string }) => ({
      headers: json,
      body: target.endsWith("/message") ? flagged("no-results") : '{"sessionToken":"s-1"}',
    });
    await withBench({ handler }, async ({ port }) => {
      await rawRequest(port, rawPost("/v1/conversation", start, [`Content-Type: ${type}`]));
      const answer = await rawRequest(port, rawPost(path, "{}", ["X-Inbenta-Session: s-1"]));
      expect(text(answer.body)).toContain("Rien trouvé.");
    });
  });

  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
  ])(
    "rewrites inside %s, and lets coded bytes pass when there is nothing to rewrite",
    async (coding, encode) => {
      let body = encode(flagged("no-results"));
      const handler = () => ({ headers: [...json, "Content-Encoding", coding], body });
      await withBench({ handler }, async ({ port }) => {
        const edited = await rawRequest(port, rawPost(path, "{}", ["Accept-Encoding: gzip, br"]));
        expect(text(edited.body)).toContain("Nothing found.");
        expect(edited.headers.map((name) => name.toLowerCase())).not.toContain("content-encoding");
        body = encode(JSON.stringify({ answers: [{ message: "Here you are", flags: [] }] }));
        const untouched = await rawRequest(port, rawPost(path, "{}"));
        expect(Buffer.compare(Buffer.from(untouched.body), body)).toBe(0);
        expect(untouched.headers).toContain(coding);
      });
    },
  );

  it("does not offer the upstream codings that it cannot read", async () => {
    await withBench(
      { handler: () => ({ headers: json, body: "{}" }) },
      async ({ port, upstream }) => {
        await rawRequest(port, rawPost(path, "{}", ["Accept-Encoding: gzip, zstd;q=0.9, br"]));
        await rawRequest(port, rawPost(path, "{}", ["Accept-Encoding: zstd"]));
        const offered = upstream.requests.map(
          ({ headers }) => headers[headers.indexOf("Accept-Encoding") + 1],
        );
        expect(offered).toEqual(["gzip, br", "identity"]);
      },
    );
  });

  it.each([
    ["no-transform", 200, [...json, "Cache-Control", "private, No-Transform"]],
    ["signed", 200, [...json, "Signature-Input", "sig=()"]],
    ["signed", 200, [...json, "Signature", "sig=:AA==:"]],
    ["signed", 200, [...json, "X-Inbenta-Signature", "AA=="]],
    ["media-type", 200, ["Content-Type", "text/html"]],
    ["media-type", 200, ["Content-Type", "application/jsonp"]],
    ["media-type", 200, ["Content-Type", "text/plain; of=application/json"]],
    ["media-type", 200, []],
    ["coding", 200, [...json, "Content-Encoding", "zstd"]],
    ["coding", 200, [...json, "Content-Encoding", "gzip", "Content-Encoding", "identity"]],
    ["no-transform", 200, [...json, "Cache-Control", "no-transform", "Cache-Control", "private"]],
    ["decode-failed", 200, [...json, "Content-Encoding", "gzip"]],
    ["status", 201, json],
    ["status", 404, json],
  ])("leaves the answer alone because of %s (%s)", async (gate, status, headers) => {
    const body = flagged("no-results");
    await withBench({ handler: () => ({ status, headers, body }) }, async (bench) => {
      const answer = await rawRequest(bench.port, rawPost(path, "{}"));
      expect(text(answer.body)).toBe(body);
      expect(bench.metrics()).toContain(
        `afterword_gates_total{route="message",reason="${gate}"} 1`,
      );
    });
  });

  it.each([
    [["Content-Type", "application/json;charset=utf-8"]],
    [["Content-Type", " Text/JSON ; x=y"]],
    [["Content-Type-Note", "text/html", ...json]],
    [["Content-Type", "application/problem+json"]],
    [["Content-Type", "application/json, text/html"]],
    [[...json, "Content-Encoding", "Identity"]],
    [[...json, "Content-Encoding", ""]],
    [[...json, "Cache-Control", "no-store, max-age=0"]],
  ])("changes an answer that says %j", async (headers) => {
    const handler = () => ({ headers, body: flagged("no-results") });
    await withBench({ handler }, async ({ port }) => {
      expect(text((await rawRequest(port, rawPost(path, "{}"))).body)).toContain("Nothing found.");
    });
  });

  it("lets a body above transformBytes pass, with and without a declared length", async () => {
    const body = flagged("no-results", "x".repeat(5000));
    let headers: readonly string[] = json;
    await withBench(
      { handler: () => ({ headers, body }), limits: { transformBytes: 4096 } },
      async (bench) => {
        expect(text((await rawRequest(bench.port, rawPost(path, "{}"))).body)).toBe(body);
        headers = [...json, "Transfer-Encoding", "chunked"];
        expect(text((await rawRequest(bench.port, rawPost(path, "{}"))).body)).toBe(body);
        expect(bench.metrics()).toContain('afterword_gates_total{route="message",reason="size"} 2');
        headers = [...json, "Signature", "sig=:AA==:"];
        await rawRequest(bench.port, rawPost(path, "{}"));
        expect(bench.metrics()).toContain('gates_total{route="message",reason="signed"} 1');
      },
    );
    const limits = { transformBytes: body.length };
    await withBench({ handler: () => ({ headers: json, body }), limits }, async ({ port }) => {
      expect(text((await rawRequest(port, rawPost(path, "{}"))).body)).toContain("Nothing found.");
    });
  });

  it("keeps trailers, without the digest of bytes that are no longer there", async () => {
    const handler = () => ({
      headers: [...json, "Transfer-Encoding", "chunked", "Trailer", "X-T, Digest"],
      body: flagged("no-results"),
      trailers: ["X-T", "1", "Digest", "sha-256=x"],
    });
    await withBench({ handler }, async ({ port }) => {
      const answer = await rawRequest(port, rawPost(path, "{}"));
      expect(text(answer.body)).toContain("Nothing found.");
      expect(answer.trailers).toEqual(["X-T", "1"]);
    });
  });

  it("passes untouched what no instance matches, and says so in a counter", async () => {
    const body = flagged("no-results");
    await withBench(
      { handler: () => ({ headers: json, body }), instance: { match: { apiKey: "shop" } } },
      async (bench) => {
        expect(
          text((await rawRequest(bench.port, rawPost(path, "{}", ["x-inbenta-key: other"]))).body),
        ).toBe(body);
        expect(
          text((await rawRequest(bench.port, rawPost(path, "{}", ["X-Vendor-Key: shop"]))).body),
        ).toContain("Nothing found.");
        expect(bench.metrics()).toContain('reason="no-instance"} 1');
      },
    );
  });

  it("edits no text while the kill switch is on, and still routes", async () => {
    const body = flagged("no-results");
    await withBench(
      { handler: () => ({ headers: json, body }), env: { AFTERWORD_DISABLE: "1" } },
      async (bench) => {
        expect(text((await rawRequest(bench.port, rawPost(path, "{}"))).body)).toBe(body);
        expect(bench.metrics()).toContain('reason="disabled"} 1');
      },
    );
  });

  it("keeps the validator of an answer in which it changes nothing", async () => {
    for (const body of [flagged("no-results", "Nothing found."), '{"answers":[{"flags":[]}]}'])
      await withBench(
        { handler: () => ({ headers: [...json, "ETag", '"v1"'], body }) },
        async (bench) => {
          const answer = await rawRequest(bench.port, rawPost(path, "{}"));
          expect([text(answer.body), answer.headers.includes('"v1"')]).toEqual([body, true]);
        },
      );
  });

  it("counts each text that it changed, and says why it changed no other", async () => {
    const answers = [
      ...JSON.parse(flagged("no-results")).answers,
      { message: "a", flags: ["welcome"] },
      { message: "b", flags: ["refinement"] },
      {
        message: "c",
        flags: [],
        parameters: { contents: { related: { relatedContents: [{}], relatedTitle: "Related" } } },
      },
    ];
    const rules = {
      activeDefaultContent: ["welcome" as const],
      recognize: {},
      restoreFlags: false,
      replace: {},
    };
    let body = JSON.stringify({ answers });
    await withBench(
      { handler: () => ({ headers: json, body }), instance: { rules } },
      async (bench) => {
        await rawRequest(bench.port, rawPost(path, "{}", ["X-Afterword-Locale: fr"]));
        body = '{"answers":[{"message":"a","flags":[]}]}';
        await rawRequest(bench.port, rawPost(path, "{}"));
        const counted = bench
          .metrics()
          .split("\n")
          .filter((line) => /^afterword_(rewr|dec|unex|gates)/.test(line));
        expect(counted.toSorted()).toEqual([
          'afterword_decisions_total{reason="no-flag"} 1',
          'afterword_decisions_total{reason="no-text"} 1',
          'afterword_gates_total{route="message",reason="bytes"} 1',
          'afterword_rewrites_total{flag="no-results",locale="fr"} 1',
          'afterword_rewrites_total{flag="related-title",locale="fr"} 1',
          'afterword_rewrites_total{flag="welcome",locale="fr"} 1',
          'afterword_unexpected_flags_total{flag="welcome"} 1',
        ]);
      },
    );
  });

  it("takes the reader's conditions from the request's own fields", async () => {
    const handler = () => ({ headers: json, body: flagged("welcome") });
    const when = ["env", "userType", "source"].map((field) => ({
      when: { [field]: `the-${field}` },
      text: template(field),
    }));
    const variants = ["A", "B", "C", "D"].map((one) => template(one));
    const en = { welcome: { ...phrase({ variants }), when } };
    const options = {
      config: {
        acceptLanguage: true,
        tableSets: [
          tables(
            { en, fr: { welcome: "Bonjour" } },
            {
              channels: {
                "": channel({ en, fr: { welcome: "Bonjour" } }),
                web: channel({ en: { welcome: "On the web" } }),
              },
            },
          ),
        ],
      },
      instance: { language: "" },
    };
    await withBench({ ...options, handler }, async ({ port }) => {
      const readAnswer = async (...fields: string[]): Promise<string> =>
        text((await rawRequest(port, rawPost(path, "{}", fields))).body);
      expect(await readAnswer("X-Inbenta-Env: the-env")).toContain('"env"');
      expect(await readAnswer("X-Inbenta-User-Type: the-userType")).toContain('"userType"');
      expect(await readAnswer("X-Inbenta-Source: the-source")).toContain('"source"');
      expect(await readAnswer("Accept-Language: fr")).toContain('"Bonjour"');
      expect(await readAnswer("X-Afterword-Channel: web")).toContain('"On the web"');
      const several = new Set<string>();
      for (let i = 0; i < 20; i++) several.add(await readAnswer(`X-Inbenta-Session: s${i}`));
      expect(several.size).toBeGreaterThan(1);
    });
  });

  it("adds its trace only for an administrator who asks", async () => {
    const handler = () => ({ headers: json, body: flagged("no-results") });
    await withBench({ handler }, async ({ port, running }) => {
      const ask = ["X-Afterword-Debug: 1"];
      const known = [`X-Afterword-Debug: Bearer ${running.adminToken}`];
      const local = await rawRequest(port, rawPost(path, "{}", known));
      const trace = local.headers[local.headers.indexOf("x-afterword-trace") + 1] ?? "";
      expect(JSON.parse(trace)).toMatchObject({
        locale: "en",
        steps: [{ at: "/answers/0/message", flag: "no-results", reason: "rewritten" }, {}],
      });
      const french = await rawRequest(
        port,
        rawPost(path, "{}", [...known, "X-Afterword-Locale: fr"]),
      );
      expect(french.headers[french.headers.indexOf("x-afterword-trace") + 1]).toContain(
        String.raw`Rien trouv\u00e9.`,
      );
      const unknown = await rawRequest(port, rawPost(path, "{}", ask));
      expect(unknown.headers).not.toContain("x-afterword-trace");
    });
    await withBench(
      { handler, env: { AFTERWORD_ADMIN_TOKEN: "token-of-the-test" } },
      async ({ port }) => {
        const wrong = await rawRequest(
          port,
          rawPost(path, "{}", ["X-Afterword-Debug: Bearer token-of-the-tests"]),
        );
        const right = await rawRequest(
          port,
          rawPost(path, "{}", ["X-Afterword-Debug: Bearer token-of-the-test"]),
        );
        expect(wrong.headers).not.toContain("x-afterword-trace");
        expect(right.headers).toContain("x-afterword-trace");
      },
    );
  });
});

describe("GET /conversation/history", () => {
  const sorry = "Sorry, we could not find any answers to your question.";
  const history = JSON.stringify([
    { user: "user", message: sorry, datetime: "x" },
    { user: "bot", message: sorry, messageList: [sorry] },
    { user: "bot", message: "Something else" },
  ]);
  const handler = ({ target }: { target: string }) => ({
    headers: json,
    body: target.endsWith("/history") ? history : flagged("no-results"),
  });
  const get = Buffer.from(
    "GET /v1/conversation/history HTTP/1.1\r\nHost: g\r\nX-Inbenta-Session: s\r\n\r\n",
  );

  it("shows the engine's words, unless the reader's are wanted", async () => {
    await withBench({ handler }, async ({ port }) => {
      await rawRequest(port, rawPost(path, "{}", ["X-Inbenta-Session: s"]));
      expect(text((await rawRequest(port, get)).body)).toBe(history);
    });
    await withBench({ handler, instance: { history: "shown" } }, async ({ port }) => {
      await rawRequest(port, rawPost(path, "{}", ["X-Inbenta-Session: s"]));
      expect(JSON.parse(text((await rawRequest(port, get)).body))).toEqual([
        { user: "user", message: sorry, datetime: "x" },
        { user: "bot", message: "Nothing found.", messageList: ["Nothing found."] },
        { user: "bot", message: "Something else" },
      ]);
    });
  });
});
