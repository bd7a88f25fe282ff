import { describe, expect, it } from "vitest";
import { isAdmin } from "../../src/gateway/admin.ts";
import type { Exchange } from "../../src/gateway/exchange.ts";
import { rawRequest } from "../../src/testing/index.ts";
import { flagged, json, rawPost, withBench } from "./harness.ts";

const text = (body: Uint8Array): string => new TextDecoder().decode(body);
const get = (target: string, headers: readonly string[] = ["Host: localhost"]): string =>
  [`GET ${target} HTTP/1.1`, ...headers, "", ""].join("\r\n");

function from(address: string | null, headers: readonly string[]): Exchange {
  return {
    method: "GET",
    target: "/",
    headers,
    body: null,
    peer: address === null ? null : { address, encrypted: false },
    reply: {} as Exchange["reply"],
  };
}

describe("the admin rule", () => {
  const open = { token: null, loopbackOnly: true };

  it.each([
    ["127.0.0.1", ["Host", "127.0.0.1:8787"], true],
    ["::ffff:127.0.0.1", ["host", "localhost"], true],
    ["::1", ["Host", "[::1]:8787"], true],
    ["10.0.0.1", ["Host", "localhost"], false],
    [null, ["Host", "localhost"], false],
    ["127.0.0.1", ["Host", "evil.example"], false],
    ["127.0.0.1", ["Host", "127.0.0.1.evil.example"], false],
    ["127.0.0.1", [], false],
    ["127.0.0.1", ["Host", "localhost", "Origin", "http://localhost"], false],
    ["127.0.0.1", ["Host", "localhost", "Forwarded", "for=1"], false],
    ["127.0.0.1", ["Host", "localhost", "X-Forwarded-For", "1"], false],
    ["127.0.0.1", ["Host", "localhost", "Via", "1.1 x"], false],
    ["127.0.0.1", ["Host", "localhost", "CF-Ray", "1"], false],
  ])("from %s with %j without a token: %s", (address, headers, expected) => {
    expect(isAdmin(open, from(address, headers), null)).toBe(expected);
  });

  it("is closed when the server can be reached from elsewhere", () => {
    expect(
      isAdmin({ token: null, loopbackOnly: false }, from("127.0.0.1", ["Host", "localhost"]), null),
    ).toBe(false);
  });

  it.each([
    ["Bearer secret", true],
    ["bearer  secret", true],
    ["secret", true],
    ["Bearer secre", false],
    ["Bearer secrett", false],
    ["Bearer ", false],
    [null, false],
  ])("with a token %j is %s, wherever it comes from", (presented, expected) => {
    const rule = { token: "secret", loopbackOnly: true };
    expect(isAdmin(rule, from("127.0.0.1", ["Host", "localhost"]), presented)).toBe(expected);
    expect(isAdmin(rule, from("203.0.113.1", ["Origin", "x"]), presented)).toBe(expected);
  });
});

describe("the gateway's own routes", () => {
  it("tell that it is alive, ready, and what runs", async () => {
    await withBench({}, async ({ port }) => {
      expect(JSON.parse(text((await rawRequest(port, get("/_afterword/health"))).body))).toEqual({
        status: "ok",
      });
      expect(JSON.parse(text((await rawRequest(port, get("/_afterword/version/"))).body))).toEqual({
        version: "test",
        snapshot: "0".repeat(64),
      });
      const before = JSON.parse(
        text((await rawRequest(port, get("/_afterword/ready"))).body),
      ) as object;
      expect(before).toMatchObject({ status: "ready", upstream: { state: "unused" } });
    });
  });

  it("show a failing upstream without ceasing to be ready", async () => {
    await withBench(
      { upstreamConfig: { apis: { chatbot: "http://127.0.0.1:9" } } },
      async ({ port }) => {
        await rawRequest(port, rawPost("/v1/conversation/message", "{}"));
        const answer = await rawRequest(port, get("/_afterword/ready"));
        expect([answer.status, JSON.parse(text(answer.body))]).toMatchObject([
          200,
          { upstream: { state: "failing", failure: "unreachable" } },
        ]);
      },
    );
  });

  it("are not there for strangers", async () => {
    await withBench({}, async ({ port }) => {
      for (const name of ["metrics", "coverage", "explain", "escalations", "nothing"]) {
        expect(
          (await rawRequest(port, get(`/_afterword/${name}`, ["Host: bot.example"]))).status,
        ).toBe(404);
      }
      expect((await rawRequest(port, get("/_afterword/metrics"))).status).toBe(200);
    });
  });

  it("say which methods they take", async () => {
    await withBench({}, async ({ port }) => {
      const answer = await rawRequest(port, get("/_afterword/explain"));
      expect([answer.status, answer.headers[answer.headers.indexOf("Allow") + 1]]).toEqual([
        405,
        "POST",
      ]);
    });
  });

  it("explain a body, and count rewrites by flag and locale", async () => {
    await withBench(
      { handler: () => ({ headers: json, body: flagged("welcome") }) },
      async ({ port }) => {
        const body = Buffer.from(rawPost("/_afterword/explain?locale=fr", flagged("welcome")))
          .toString("latin1")
          .replace("gateway.test", "localhost");
        const explained = JSON.parse(
          text((await rawRequest(port, Buffer.from(body, "latin1"))).body),
        ) as { changed: boolean; body: string; trace: unknown };
        expect(explained).toMatchObject({
          changed: true,
          trace: { locale: "fr", steps: [{ flag: "welcome", after: '"Bienvenue !"' }, {}] },
        });
        await rawRequest(port, rawPost("/v1/conversation/message", "{}"));
        const metrics = text((await rawRequest(port, get("/_afterword/metrics"))).body);
        expect(metrics).toContain('afterword_rewrites_total{flag="welcome",locale="en"} 1\n');
        expect(metrics).toMatch(/afterword_overhead_seconds_count 1\n/);
        expect(metrics).toContain('afterword_requests_total{route="message",status="2xx"} 1\n');
      },
    );
  });
});

describe("conversation variables", () => {
  it("that are listed and accepted speak in texts, and others do not", async () => {
    const { line, tables } = await import("../fixtures/config.ts");
    const handler = ({ target }: { target: string }) => ({
      headers: json,
      body: target.endsWith("/message")
        ? flagged("welcome")
        : target.endsWith("/conversation")
          ? '{"sessionToken":"s"}'
          : '{"success":true}',
    });
    const set = tables({ en: { welcome: [line("Hello {{name}}!"), line("Hello!")] } });
    await withBench(
      { handler, instance: { variables: ["name"] }, config: { tableSets: [set] } },
      async ({ port }) => {
        const session = ["X-Inbenta-Session: Bearer s"];
        const say = async (): Promise<string> =>
          text((await rawRequest(port, rawPost("/v1/conversation/message", "{}", session))).body);
        await rawRequest(port, rawPost("/v1/conversation", "{}"));
        expect(await say()).toContain('"Hello!"');
        await rawRequest(
          port,
          rawPost("/v1/conversation/variables", '{"name":"NAME","value":"Ada <b>"}', session),
        );
        expect(await say()).toContain("Ada &lt;b&gt;");
        await rawRequest(
          port,
          rawPost(
            "/v1/conversation/variables/multiple",
            '{"variables":{"name":"Grace","other":"x"}}',
            session,
          ),
        );
        expect(await say()).toContain("Grace");
        await rawRequest(
          port,
          rawPost(
            "/v1/conversation/variables/multiple",
            '{"variables":[{"name":"name","value":"Edsger"}]}',
            session,
          ),
        );
        expect(await say()).toContain("Edsger");
      },
    );
  });
});
