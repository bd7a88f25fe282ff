import { describe, expect, it } from "vitest";
import { isAdmin, mayRead } from "../../src/gateway/exchange/admin.ts";
import { unknownClient } from "../../src/http/client-address.ts";
import type { Exchange } from "../../src/gateway/exchange/exchange.ts";
import { rawRequest } from "../../src/testing/index.ts";
import { config, tables } from "../fixtures/config.ts";
import { flagged, json, rawPost, startBench, withBench } from "./harness.ts";

const text = (body: Uint8Array): string => new TextDecoder().decode(body);
const get = (target: string, headers: readonly string[] = ["Host: localhost"]): string =>
  [`GET ${target} HTTP/1.1`, ...headers, "", ""].join("\r\n");

function from(address: string | null, headers: readonly string[]): Exchange {
  return {
    method: "GET",
    target: "/",
    headers,
    body: null,
    peer: address === null ? null : { address, encrypted: false, trusted: false },
    client: unknownClient,
    reply: {} as Exchange["reply"],
  };
}

const env = { AFTERWORD_ADMIN_TOKEN: "token-of-the-test" };
const token = "token-of-the-test";
const bearer = `Bearer ${token}`;

describe("metrics, without a token,", () => {
  const local = { token, opensLoopback: true };

  it.each([
    ["127.0.0.1", ["Host", "127.0.0.1:8787"], true],
    ["::ffff:127.0.0.1", ["host", "localhost"], true],
    ["::1", ["Host", "[::1]:8787"], true],
    ["10.0.0.1", ["Host", "localhost"], false],
    [null, ["Host", "localhost"], false],
    ["127.0.0.1", ["Host", "evil.example"], false],
    ["127.0.0.1", ["Host", "127.0.0.1.evil.example"], false],
    ["127.0.0.1", [], false],
    ["127.0.0.1", ["Host", "localhost", "Accept", "via"], true],
    ...[
      ["Origin", "http://localhost"],
      ["Forwarded", "for=1"],
      ["X-Forwarded-For", "1"],
      ["X-Forwarded", "1"],
      ["Via", "1.1 x"],
      ["CF-Ray", "1"],
      ["X-Real-IP", "203.0.113.9"],
      ["x-client-ip", "203.0.113.9"],
      ["True-Client-IP", "203.0.113.9"],
      ["X-Originating-IP", "203.0.113.9"],
      ["DO-Connecting-IP", "203.0.113.9"],
      ["X-NginX-Proxy", "true"],
      ["Fly-Client-IP", "203.0.113.9"],
      ["X-Envoy-External-Address", "203.0.113.9"],
      ["X-Amzn-Trace-Id", "Root=1"],
      ["X-Original-URL", "/"],
    ].map((field) => ["127.0.0.1", ["Host", "localhost", ...field], false] as const),
  ] as const)("from %s with %j: %s", (address, headers, expected) => {
    expect(mayRead(local, from(address, headers))).toBe(expected);
  });

  it("are closed when the server can be reached from elsewhere", () => {
    for (const rule of [
      { token: null, opensLoopback: false },
      { token, opensLoopback: false },
    ]) {
      expect(mayRead(rule, from("127.0.0.1", ["Host", "localhost"]))).toBe(false);
    }
  });
});

describe("the admin token", () => {
  it.each([
    [bearer, true],
    [`bearer  ${token}`, true],
    [token, true],
    [bearer.slice(0, -1), false],
    [`${bearer}t`, false],
    ["Bearer ", false],
    [null, false],
  ])("%j is %s, wherever it comes from", (presented, expected) => {
    expect(isAdmin({ token, opensLoopback: true }, presented)).toBe(expected);
    expect(isAdmin({ token: null, opensLoopback: true }, presented)).toBe(false);
    const given = presented === null ? [] : ["Authorization", presented];
    const elsewhere = from("203.0.113.1", ["Origin", "x", ...given]);
    expect(mayRead({ token, opensLoopback: false }, elsewhere)).toBe(expected);
  });

  it("that can be guessed stops the start with one line", async () => {
    for (const short of ["x", "fifteen-letters"]) {
      await expect(startBench({ env: { AFTERWORD_ADMIN_TOKEN: short } })).rejects.toMatchObject({
        code: "argument-invalid",
        message: expect.stringMatching(/^AFTERWORD_ADMIN_TOKEN needs at least 16 characters.*$/),
      });
    }
  });

  it("is made for a start without one, and opens what writes and what shows readers' words", async () => {
    await withBench({}, async ({ port, running }) => {
      const asAdmin = ["Host: localhost", `Authorization: Bearer ${running.adminToken}`];
      for (const [name, status] of [
        ["metrics", 200],
        ["coverage", 200],
        ["escalations", 404],
        ["explain", 404],
      ] as const) {
        const target = `/_afterword/${name}`;
        const there = name === "explain" ? 405 : 200;
        expect([name, (await rawRequest(port, get(target))).status]).toEqual([name, status]);
        expect([name, (await rawRequest(port, get(target, asAdmin))).status]).toEqual([
          name,
          there,
        ]);
      }
    });
    const [one, other] = [await startBench({}), await startBench({})];
    expect(one.running.adminToken).not.toBe(other.running.adminToken);
    await Promise.all([one.close(), other.close()]);
  });

  it.each([
    ["a public address", { publicUrl: "https://bot.example.com" }],
    ["trusted proxies", { trustProxies: ["127.0.0.1"] }],
  ])("is not made, and nobody is an admin, with %s", async (_what, changed) => {
    const { listen } = config(tables({}));
    await withBench(
      { config: { listen: { ...listen, ...changed } } },
      async ({ port, running }) => {
        expect(running.adminToken).toBeNull();
        for (const name of ["metrics", "coverage", "explain", "escalations"]) {
          for (const credential of [
            [],
            ["Authorization: Bearer null"],
            ["Authorization: Bearer "],
          ]) {
            const asked = get(`/_afterword/${name}`, ["Host: localhost", ...credential]);
            expect([name, (await rawRequest(port, asked)).status]).toEqual([name, 404]);
          }
        }
        expect((await rawRequest(port, get("/_afterword/health"))).status).toBe(200);
      },
    );
  });
});

describe("the gateway's own routes", () => {
  it("report that it is alive, ready, and its version", async () => {
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

  it("do not exist for other callers", async () => {
    await withBench({}, async ({ port }) => {
      for (const name of ["metrics", "coverage", "explain", "escalations", "nothing"]) {
        expect(
          (await rawRequest(port, get(`/_afterword/${name}`, ["Host: bot.example"]))).status,
        ).toBe(404);
      }
      expect((await rawRequest(port, get("/_afterword/metrics"))).status).toBe(200);
    });
  });

  it("name the methods that they take", async () => {
    await withBench({ env }, async ({ port }) => {
      const asAdmin = ["Host: localhost", `Authorization: ${bearer}`];
      const answer = await rawRequest(port, get("/_afterword/explain", asAdmin));
      expect([answer.status, answer.headers[answer.headers.indexOf("Allow") + 1]]).toEqual([
        405,
        "POST",
      ]);
    });
  });

  it("explain a body, and count rewrites by flag and locale", async () => {
    await withBench(
      { env, handler: () => ({ headers: json, body: flagged("welcome") }) },
      async ({ port }) => {
        const asAdmin = [`Authorization: ${bearer}`];
        const asked = rawPost("/_afterword/explain?locale=fr", flagged("welcome"), asAdmin);
        const explained = JSON.parse(text((await rawRequest(port, asked)).body)) as {
          changed: boolean;
          body: string;
          trace: unknown;
        };
        expect(explained).toMatchObject({
          changed: true,
          trace: { locale: "fr", steps: [{ flag: "welcome", after: '"Bienvenue !"' }, {}] },
        });
        await rawRequest(port, rawPost("/v1/conversation/message", "{}"));
        const metrics = text(
          (await rawRequest(port, get("/_afterword/metrics", ["Host: localhost", ...asAdmin])))
            .body,
        );
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
