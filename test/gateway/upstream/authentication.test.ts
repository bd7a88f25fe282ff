import { describe, expect, it } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import type { RecordedRequest, ScriptedAnswer } from "../../../src/testing/index.ts";
import { rawRequest } from "../../../src/testing/index.ts";
import { type Bench, flagged, json, rawPost, withBench } from "../harness.ts";

const text = (body: Uint8Array): string => new TextDecoder().decode(body);
const get = (target: string, headers: readonly string[] = []): Buffer =>
  Buffer.from(
    [`GET ${target} HTTP/1.1`, "Host: gateway.test", ...headers, "", ""].join("\r\n"),
    "latin1",
  );

/** An upstream that is authentication service and chatbot in one. */
function vendor(self: () => string) {
  return ({ target }: RecordedRequest): ScriptedAnswer => {
    if (target === "/v1/auth" || target === "/v1/apis") {
      const apis = `{ "chatbot" : "${self()}/prod/bot/", "ticketing":"https://t.example.test/x", "n":1, "odd":"ftp://x" }`;
      return {
        headers: json,
        body: `{"accessToken":"tok-1","expiration":9999999999,"expires_in":1200, "apis":${apis} }\n`,
      };
    }
    if (target === "/v1/refreshToken")
      return { headers: json, body: '{"accessToken":"tok-2","expires_in":1200}' };
    return { headers: json, body: flagged("no-results") };
  };
}

async function withVendor(
  options: Parameters<typeof withBench>[0],
  test: (bench: Bench) => Promise<void>,
): Promise<void> {
  let origin = "";
  await withBench({ handler: vendor(() => origin), discover: true, ...options }, async (bench) => {
    origin = bench.upstream.origin;
    await test(bench);
  });
}

function routeIn(body: Uint8Array, product = "chatbot"): string {
  const { apis } = JSON.parse(text(body)) as { apis: Record<string, string> };
  return apis[product] ?? "";
}

describe("authentication", () => {
  it("gets our routes in apis, and is otherwise unchanged", async () => {
    await withVendor({}, async ({ port, upstream }) => {
      const answer = await rawRequest(
        port,
        rawPost("/v1/auth", "secret=abc", [
          "x-inbenta-key: k",
          "Content-Type: application/x-www-form-urlencoded",
        ]),
      );
      const route = "http://gateway\\.test/r/[\\w-]+";
      expect(text(answer.body)).toMatch(
        new RegExp(
          `^\\{"accessToken":"tok-1","expiration":9999999999,"expires_in":1200, "apis":\\{ "chatbot" : "${route}/bot/", "ticketing":"${route}/x", "n":1, "odd":"ftp://x" \\} \\}\\n$`,
        ),
      );
      expect(text(upstream.requests[0]?.body ?? new Uint8Array())).toBe("secret=abc");
    });
  });

  it("lets a client follow apis.chatbot, and go on after a restart with the same data", async () => {
    const data = createFolder();
    let route = "";
    let origin = "";
    let other: Bench | null = null;
    await withVendor({ data }, async ({ port, upstream }) => {
      origin = upstream.origin;
      route = new URL(routeIn((await rawRequest(port, rawPost("/v1/auth", "{}"))).body)).pathname;
      const answer = await rawRequest(port, rawPost(`${route}/v1/conversation/message`, "{}"));
      expect(text(answer.body)).toContain("Nothing found.");
      // The request that the client would send directly to that base, which ends in a slash.
      expect(upstream.requests.at(-1)?.target).toBe("/prod/bot//v1/conversation/message");
      await withVendor({ data, upstreamConfig: { auth: origin } }, async (restarted) => {
        other = restarted;
        const again = await rawRequest(
          restarted.port,
          rawPost(`${route}/v1/conversation/message`, "{}"),
        );
        expect(text(again.body)).toContain("Nothing found.");
      });
    });
    expect(other).not.toBeNull();
  });

  it("leads a client that resolves relative paths where the upstream's own address would", async () => {
    for (const [base, relative, target] of [
      ["/prod/chatbot", "chatbot/v1/conversation/message", "/prod/chatbot/v1/conversation/message"],
      ["/prod/bot/", "v1/conversation/message", "/prod/bot/v1/conversation/message"],
      ["/", "v1/conversation/message", "/v1/conversation/message"],
    ] as const) {
      let origin = "";
      const handler = ({ target: asked }: RecordedRequest): ScriptedAnswer =>
        asked === "/v1/auth"
          ? { headers: json, body: JSON.stringify({ apis: { chatbot: origin + base } }) }
          : { headers: json, body: flagged("no-results") };
      await withBench({ handler, discover: true }, async ({ port, upstream }) => {
        origin = upstream.origin;
        const route = routeIn((await rawRequest(port, rawPost("/v1/auth", "{}"))).body);
        const { pathname } = new URL(relative, route);
        const answer = await rawRequest(port, rawPost(pathname, '{"message":"x"}'));
        expect(text(answer.body)).toContain("Nothing found.");
        expect(upstream.requests.at(-1)?.target).toBe(target);
      });
    }
  });

  it("answers 404 to a route whose end is not its base's", async () => {
    await withVendor({}, async ({ port }) => {
      const { body } = await rawRequest(port, rawPost("/v1/auth", "{}"));
      const [, , segment = ""] = new URL(routeIn(body)).pathname.split("/");
      for (const end of ["", "/", "/other/v1/x", "/bott/v1/x", "/v1/conversation/message"]) {
        const answer = await rawRequest(port, rawPost(`/r/${segment}${end}`, "{}"));
        expect([end, answer.status]).toEqual([end, 404]);
      }
    });
  });

  it("never touches the answer to HEAD", async () => {
    const headers = [...json, "Transfer-Encoding", "chunked", "ETag", '"a"'];
    await withBench({ handler: () => ({ headers, body: [] }) }, async ({ port }) => {
      const answer = await rawRequest(port, "HEAD /v1/apis HTTP/1.1\r\nHost: g\r\n\r\n");
      expect(answer.headers.join("|").toLowerCase()).not.toContain("content-length");
      expect(answer.headers).toContain('"a"');
    });
  });

  it("answers 404 to a forged segment, and to one that today's rules no longer allow", async () => {
    const data = createFolder();
    await withVendor({ data }, async ({ port, upstream }) => {
      const { body } = await rawRequest(port, rawPost("/v1/auth", "{}"));
      const route = new URL(routeIn(body, "ticketing")).pathname;
      const [, , segment = ""] = route.split("/");
      const forged = `/r/${segment.slice(0, -1)}${segment.endsWith("A") ? "B" : "A"}/x`;
      expect((await rawRequest(port, rawPost(`${forged}/v1/x`, "{}"))).status).toBe(404);
      await withVendor(
        { data, upstreamConfig: { auth: upstream.origin, allow: [".vendor.example"] } },
        async (strict) => {
          expect((await rawRequest(strict.port, rawPost(`${route}/v1/x`, "{}"))).status).toBe(404);
          expect(strict.metrics()).toContain("afterword_segments_refused_total 1");
        },
      );
    });
  });

  it("leaves an address that is not allowed as it is, and says which line would allow it", async () => {
    await withVendor({ upstreamConfig: {} }, async () => {});
    let origin = "";
    await withBench({ handler: vendor(() => origin), discover: true }, async (bench) => {
      origin = "http://127.0.0.2:9";
      const answer = await rawRequest(
        bench.port,
        get("/v1/apis", ["x-inbenta-key: k", "Authorization: Bearer t"]),
      );
      expect(routeIn(answer.body)).toBe("http://127.0.0.2:9/prod/bot/");
      expect(bench.metrics()).toContain("afterword_discovery_refused_total 1");
      const log = bench.logs.find(({ event }) => event === "discovery-refused");
      expect(log?.fields["cure"]).toContain('"http://127.0.0.2:9/prod/bot" under upstream.apis');
    });
  });

  it("leaves private addresses as they are, in any spelling, and says which line would allow them", async () => {
    const apis =
      '{"apis":{"chatbot":"https://0x7f.2:9/bot","ticketing":"https://[::ffff:169.254.169.254]/t"}}';
    const upstreamConfig = { apis: {}, allow: [] };
    const handler = (): ScriptedAnswer => ({ headers: json, body: apis });
    await withVendor({ handler, upstreamConfig }, async ({ port, upstream, logs, metrics }) => {
      const { body } = await rawRequest(port, rawPost("/v1/auth", "{}"));
      expect(text(body)).toBe(apis);
      expect(metrics()).toContain("afterword_discovery_refused_total 2");
      const cures = logs.filter(({ event }) => event === "discovery-refused");
      expect(cures[0]?.fields["cure"]).toContain('"127.0.0.2" to upstream.allow');
      expect(upstream.requests).toHaveLength(1);
    });
  });

  it("names the route by publicUrl, or by the headers of a trusted proxy, and ignores all others", async () => {
    const forwarded = ["X-Forwarded-Host: bot.example", "X-Forwarded-Proto: https"];
    await withVendor({}, async ({ port }) => {
      expect(routeIn((await rawRequest(port, rawPost("/v1/auth", "{}", forwarded))).body)).toMatch(
        /^http:\/\/gateway\.test\/r\//,
      );
    });
    const listen = {
      host: "127.0.0.1",
      port: 0,
      tls: null,
      publicUrl: null,
      trustProxies: ["127.0.0.0/8"],
    };
    await withVendor({ config: { listen } }, async ({ port }) => {
      expect(routeIn((await rawRequest(port, rawPost("/v1/auth", "{}", forwarded))).body)).toMatch(
        /^https:\/\/bot\.example\/r\//,
      );
    });
    await withVendor(
      { config: { listen: { ...listen, publicUrl: "https://pub.example/aw" } } },
      async ({ port }) => {
        const route = routeIn((await rawRequest(port, rawPost("/aw/v1/auth", "{}"))).body);
        expect(route).toMatch(/^https:\/\/pub\.example\/aw\/r\//);
        const answer = await rawRequest(
          port,
          rawPost(`${new URL(route).pathname}/v1/conversation/message`, "{}"),
        );
        expect(text(answer.body)).toContain("Nothing found.");
      },
    );
  });

  it("keeps an instance's path prefix in the routes it gives out", async () => {
    await withVendor(
      { instance: { match: { pathPrefix: "/shop" } } },
      async ({ port, upstream }) => {
        const route = routeIn((await rawRequest(port, rawPost("/shop/v1/auth", "{}"))).body);
        expect(route).toMatch(/^http:\/\/gateway\.test\/shop\/r\//);
        const answer = await rawRequest(
          port,
          rawPost(`${new URL(route).pathname}/v1/conversation/message`, "{}"),
        );
        expect(text(answer.body)).toContain("Nothing found.");
        expect(upstream.requests[0]?.target).toBe("/v1/auth");
      },
    );
  });
});

describe("discovery on plain paths", () => {
  const credentials = [
    "X-Inbenta-Key: k",
    "Authorization: Bearer t",
    "Origin: https://shop.example",
  ];

  it("asks once per token with the client's own key header and Origin, also for concurrent clients", async () => {
    await withVendor({}, async ({ port, upstream }) => {
      const ask = () => rawRequest(port, rawPost("/v1/conversation/message", "{}", credentials));
      const answers = await Promise.all([ask(), ask(), ask()]);
      await ask();
      expect(answers.map(({ body }) => text(body).includes("Nothing found."))).toEqual([
        true,
        true,
        true,
      ]);
      const discoveries = upstream.requests.filter(({ target }) => target === "/v1/apis");
      expect(discoveries).toHaveLength(1);
      const sent = discoveries[0]?.headers ?? [];
      expect(sent[sent.indexOf("x-inbenta-key") + 1]).toBe("k");
      expect(sent[sent.indexOf("Origin") + 1]).toBe("https://shop.example");
      expect(sent[sent.indexOf("Authorization") + 1]).toBe("Bearer t");
    });
  });

  it("asks again for another token, and never from one to another", async () => {
    await withVendor({}, async ({ port, upstream }) => {
      for (const token of ["a", "b", "a"]) {
        await rawRequest(
          port,
          rawPost("/v1/x", "{}", ["x-vendor-key: k", `Authorization: Bearer ${token}`]),
        );
      }
      expect(upstream.requests.filter(({ target }) => target === "/v1/apis")).toHaveLength(2);
    });
  });

  it("does not ask when the answer to /auth has said it", async () => {
    await withVendor({}, async ({ port, upstream }) => {
      await rawRequest(port, rawPost("/v1/auth", "{}", ["x-inbenta-key: k"]));
      await rawRequest(
        port,
        rawPost("/v1/x", "{}", ["x-inbenta-key: k", "Authorization: Bearer tok-1"]),
      );
      expect(upstream.requests.map(({ target }) => target)).toEqual(["/v1/auth", "/prod/bot/v1/x"]);
    });
  });

  it("relays a refusal, and remembers it for a while", async () => {
    const refusal = '{"Message":"User is not authorized"}';
    const handler = () => ({
      status: 403,
      reason: "Forbidden",
      headers: ["X-Amzn", "1"],
      body: refusal,
    });
    await withBench({ handler, discover: true }, async ({ port, upstream }) => {
      for (let i = 0; i < 2; i++) {
        const answer = await rawRequest(
          port,
          rawPost("/v1/conversation/message", "{}", credentials),
        );
        expect([answer.status, answer.reason, text(answer.body)]).toEqual([
          403,
          "Forbidden",
          refusal,
        ]);
        expect(answer.headers.slice(0, 2)).toEqual(["X-Amzn", "1"]);
      }
      expect(upstream.requests).toHaveLength(1);
    });
  });

  it("counts what it refuses itself, what it relays, and what it could not find out", async () => {
    for (const [apis, statuses] of [
      [{ status: 403, body: '{"Message":"No."}' }, { "4xx": 2 }],
      [
        { status: 500, body: "" },
        { "4xx": 1, "5xx": 1 },
      ],
    ] as const)
      await withBench(
        { handler: () => ({ headers: json, ...apis }), discover: true },
        async ({ port, metrics }) => {
          await rawRequest(port, rawPost("/v1/conversation/message", "{}"));
          await rawRequest(port, rawPost("/v1/conversation/message", "{}", credentials));
          for (const [status, count] of Object.entries(statuses)) {
            expect(metrics()).toContain(
              `afterword_requests_total{route="chatbot",status="${status}"} ${count}\n`,
            );
          }
        },
      );
  });

  it("names the setting that a request of the live chat needs", async () => {
    const handler = () => ({ headers: json, body: '{"apis":{"chatbot":"http://127.0.0.1:1"}}' });
    await withBench({ handler, discover: true }, async ({ url }) => {
      const ask = async (credentials: object): Promise<unknown> => {
        const headers = { "x-hyper-appId": "app", "x-hyper-secret": "secret", ...credentials };
        return (await fetch(`${url}/v1/chats`, { headers })).json();
      };
      const setting = "Set upstream.chat in the gateway's configuration.";
      expect(await ask({})).toMatchObject({
        errors: [{ code: 401, message: `No address of the live chat is known. ${setting}` }],
      });
      expect(await ask({ "x-vendor-key": "k", authorization: "Bearer t" })).toMatchObject({
        errors: [{ code: 404, message: `This project has no usable chat address. ${setting}` }],
      });
    });
  });

  it("answers 401 without credentials, never 400", async () => {
    await withVendor({}, async ({ port }) => {
      const answer = await rawRequest(port, rawPost("/v1/conversation/message", "{}"));
      expect([answer.status, JSON.parse(text(answer.body))]).toEqual([
        401,
        { errors: [{ code: 401, message: expect.any(String) }] },
      ]);
    });
  });

  it("allows the preflight of a browser, which carries no credentials", async () => {
    await withVendor({}, async ({ port, upstream }) => {
      const answer = await rawRequest(
        port,
        Buffer.from(
          "OPTIONS /v1/conversation/message HTTP/1.1\r\nHost: g\r\nOrigin: https://shop.example\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-inbenta-key,x-inbenta-session\r\n\r\n",
        ),
      );
      expect(answer.status).toBe(204);
      expect(answer.headers).toEqual(
        expect.arrayContaining(["https://shop.example", "POST", "x-inbenta-key,x-inbenta-session"]),
      );
      expect(upstream.requests).toHaveLength(0);
    });
  });
});

describe("an instance behind publicUrl's path", () => {
  it("is found by its own prefix, whether or not the proxy leaves the outer path on", async () => {
    const listen = {
      host: "127.0.0.1",
      port: 0,
      tls: null,
      publicUrl: "https://pub.example/aw",
      trustProxies: [],
    };
    await withVendor(
      { config: { listen }, instance: { match: { pathPrefix: "/shop" } } },
      async ({ port }) => {
        for (const path of ["/aw/shop", "/shop"]) {
          const credentials = ["x-inbenta-key: k", "Authorization: Bearer t"];
          const login = await rawRequest(port, rawPost(`${path}/v1/auth`, "{}", credentials));
          expect(routeIn(login.body)).toMatch(/^https:\/\/pub\.example\/aw\/shop\/r\//);
          const answer = await rawRequest(
            port,
            rawPost(`${path}/v1/conversation/message`, "{}", credentials),
          );
          expect(text(answer.body)).toContain("Nothing found.");
        }
      },
    );
  });
});
