import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  type ConversationMemory,
  type ConversationStore,
  emptyMemory,
  createMemoryStore,
} from "../../../src/conversation/memory.ts";
import { createMetrics, type Metrics } from "../../../src/gateway/exchange/metrics.ts";
import { createRecall, patience, type Recall } from "../../../src/gateway/message/recall.ts";
import { createGateway } from "../../../src/runtime/web/index.ts";
import { createNodePlatform } from "../../../src/runtime/node/platform.ts";
import { rawRequest } from "../../../src/testing/index.ts";
import { config, instance, line, tables, template } from "../../fixtures/config.ts";
import { flagged, json, rawPost, texts, withBench } from "../harness.ts";

const shop = instance({ name: "shop" });
const session = ["X-Inbenta-Session", "Bearer abc"];
const french: ConversationMemory = { ...emptyMemory, lang: "fr" };
const never = new Promise<never>(() => undefined);

describe("conversation memory in the gateway", () => {
  it("knows a conversation by its instance and its session, without Bearer", async () => {
    const { recall } = recalling(createMemoryStore(() => 0));
    await recall.remember(shop, "abc", french);
    expect(await recall.of(shop, session)).toEqual(french);
    expect(await recall.of(shop, ["x-inbenta-session", "abc"])).toEqual(french);
    expect(await recall.of(shop, [])).toBe(emptyMemory);
    expect(await recall.of(shop, ["x-inbenta-session", "Bearer "])).toBe(emptyMemory);
    await recall.change(shop, [], () => french);
    expect(await recall.of(instance({ name: "other" }), session)).toBe(emptyMemory);
  });

  it("shows the store a hash, never the session", async () => {
    const keys: string[] = [];
    const { recall } = recalling({
      get: (key) => (keys.push(key), null),
      put: (key) => void keys.push(key),
    });
    await recall.of(shop, session);
    await recall.remember(shop, "abc", french);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
  ])("goes on, and counts, when the store %s", async (_, fail) => {
    const { recall, failures } = recalling({ get: fail, put: fail });
    expect(await recall.of(shop, session)).toBeNull();
    await recall.remember(shop, "abc", french);
    await recall.change(shop, session, () => french);
    expect(failures()).toEqual({ read: 2, write: 1 });
  });

  it("goes on, and counts, when the store does not answer", async () => {
    const { recall, failures } = recalling({ get: () => never, put: () => never });
    expect(await recall.of(shop, session)).toBeNull();
    await recall.remember(shop, "abc", french);
    await recall.change(shop, session, () => french);
    expect(failures()).toEqual({ wait: 3 });
  });

  it("accepts an answer that came in time, though this process was delayed", async () => {
    // The event loop handles sockets and threads after timers, and immediates after these.
    const heldUp = <Value>(value: Value): Promise<Value> => {
      const answer = new Promise<Value>((resolve) => void setImmediate(() => resolve(value)));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, patience + 10);
      return answer;
    };
    const { recall, failures } = recalling({
      get: (key) => Promise.resolve(key).then(() => heldUp(french)),
      put: (key) => Promise.resolve(key).then(() => heldUp(undefined)),
    });
    expect(await recall.of(shop, session)).toEqual(french);
    await recall.remember(shop, "abc", french);
    expect(failures()).toEqual({});
  });

  it("changes what is remembered and keeps the rest", async () => {
    const { recall } = recalling(createMemoryStore(() => 0));
    await recall.remember(shop, "abc", french);
    await recall.change(shop, session, (memory) => ({ ...memory, variables: { name: "Ada" } }));
    expect(await recall.of(shop, session)).toEqual({ ...french, variables: { name: "Ada" } });
  });

  it("changes a conversation whose beginning it did not see", async () => {
    const { recall } = recalling(createMemoryStore(() => 0));
    await recall.change(shop, session, (memory) => ({ ...memory, env: "test" }));
    expect(await recall.of(shop, session)).toEqual({ ...emptyMemory, env: "test" });
  });

  it("writes nothing over a conversation that could not be read", async () => {
    const written: ConversationMemory[] = [];
    const { recall } = recalling({
      get: () => Promise.reject(new Error("late")),
      put: (_, memory) => void written.push(memory),
    });
    await recall.change(shop, session, (memory) => ({ ...memory, variables: { name: "Ada" } }));
    expect(written).toEqual([]);
  });
});

it("what a conversation's start said of environment, reader and source holds for its answers", async () => {
  const when = ["env", "userType", "source"].map((field) => ({
    when: { [field]: `the-${field}` },
    text: template(field),
  }));
  const greeting = { welcome: { ...line("none"), when } };
  const handler = ({ target }: { target: string }) => ({
    headers: json,
    body: target.endsWith("/message") ? flagged("welcome") : '{"sessionToken":"s"}',
  });
  const config = { tableSets: [tables({ en: greeting })] };
  await withBench({ config, handler }, async ({ port }) => {
    for (const [field, name] of [
      ["X-Inbenta-Env", "env"],
      ["X-Inbenta-User-Type", "userType"],
      ["X-Inbenta-Source", "source"],
      ["X-Other", "none"],
    ]) {
      await rawRequest(port, rawPost("/v1/conversation", "{}", [`${field}: the-${name}`]));
      const asked = rawPost("/v1/conversation/message", "{}", ["X-Inbenta-Session: s"]);
      const { body } = await rawRequest(port, asked);
      expect(new TextDecoder().decode(body)).toContain(`"message":"${name}"`);
    }
  });
});

describe("what a client sends compressed", () => {
  const coded = (coding: string) => ["X-Inbenta-Session: s", `Content-Encoding: ${coding}`];
  const lines = { "no-results": [line("{{query}} ?"), line("Rien")] };
  const config = { tableSets: [tables({ fr: lines, en: { "no-results": line("Nothing") } })] };
  const bodies: Buffer[] = [];
  const handler = ({ target, body }: { target: string; body: Uint8Array }) => {
    bodies.push(Buffer.from(body));
    const answer = target.endsWith("/message") ? flagged("no-results") : '{"sessionToken":"s"}';
    return { headers: json, body: answer };
  };

  it.each([
    ["is read, in its reader's language", "gzip", gzipSync, "\u2068le prix\u2069 ?"],
    ["is read under the coding's old name", "x-gzip", gzipSync, "\u2068le prix\u2069 ?"],
    ["is not read when it is damaged", "gzip", (text: string) => Buffer.from(text), "Nothing"],
    ["is not read in a coding that nobody knows", "secret", gzipSync, "Nothing"],
  ] as const)("%s, and goes on as it came", async (_, coding, encode, expected) => {
    bodies.length = 0;
    await withBench({ config, handler }, async ({ port }) => {
      const sent = [encode('{"lang":"fr"}'), encode('{"message":"le prix"}')] as const;
      await rawRequest(port, rawPost("/v1/conversation", sent[0], coded(coding)));
      const asked = rawPost("/v1/conversation/message", sent[1], coded(coding));
      const { body } = await rawRequest(port, asked);
      expect(new TextDecoder().decode(body)).toContain(`"message":"${expected}"`);
      expect(bodies).toEqual(sent);
    });
  });
});

describe("while the store does not answer", () => {
  const hanging: ConversationStore = { get: () => never, put: () => never };

  it("the engine's own texts stay, since the reader's language is unknown", async () => {
    expect(await answered(hanging, [])).toBe(flagged("welcome"));
  });

  it("a language that the request names is used all the same", async () => {
    expect(await answered(hanging, ["X-Afterword-Locale", "fr"])).toContain("Bienvenue !");
    expect(await answered(hanging, ["X-Afterword-Locale", "xx"])).toBe(flagged("welcome"));
  });

  it("a reader without a conversation gets the instance's language", async () => {
    expect(await answered(hanging, ["x-inbenta-session", ""])).toContain("Welcome!");
  });

  /** The answer to a message whose conversation is looked up in this store. */
  async function answered(
    store: ConversationStore,
    [name = "X-Other", value = ""]: readonly string[],
  ) {
    const upstream = { ...instance().upstream, apis: { chatbot: "https://bot.example" } };
    const gateway = createGateway({
      config: { ...config(tables(texts)), upstream, instances: [instance({ upstream })] },
      routeKeys: ["at least sixteen characters"],
      store,
      platform: {
        transport: {
          send(_request, receiver) {
            queueMicrotask(() => {
              receiver.head(200, "OK", json, { pause() {}, resume() {} });
              receiver.data(new TextEncoder().encode(flagged("welcome")));
              receiver.end([]);
            });
            return () => {};
          },
        },
      },
    });
    const headers = { "x-inbenta-session": "Bearer s", [name]: value };
    const asked = { method: "POST", headers, body: "{}" };
    return (await gateway.request("/v1/conversation/message", asked)).text();
  }
});

it("a start whose answer names no conversation passes as it is", async () => {
  for (const body of ["[1]", '{"sessionToken":7}', "{}", '{"sessionToken":"s"'])
    await withBench({ handler: () => ({ headers: json, body }) }, async ({ port, logs }) => {
      const answer = await rawRequest(port, rawPost("/v1/conversation", '{"lang":"fr"}'));
      expect(new TextDecoder().decode(answer.body)).toBe(body);
      expect(logs.map(({ event }) => event)).not.toContain("internal-error");
    });
});

describe("variables that a client sets", () => {
  const greeting = {
    welcome: [line("Hi {{name}} of {{town}}!"), line("Hi {{name}}!"), line("Hi!")],
  };
  const options = {
    config: { tableSets: [tables({ en: greeting })] },
    instance: { variables: ["name", "town"] },
  };

  /** The bot's text after these requests; the engine answers them with `status`. */
  async function greeted(sent: readonly string[], status = 200): Promise<unknown> {
    let reply: unknown;
    const handler = ({ target }: { target: string }) =>
      target.endsWith("/message")
        ? { headers: json, body: flagged("welcome") }
        : { status, headers: json, body: "{}" };
    await withBench({ ...options, handler }, async ({ port, logs }) => {
      const post = (path: string, body: string) =>
        rawRequest(port, rawPost(`/v1/conversation/${path}`, body, ["X-Inbenta-Session: s"]));
      for (const body of sent) await post("variables", body);
      expect(logs.map(({ event }) => event)).not.toContain("internal-error");
      const { body } = await post("message", "{}");
      reply = JSON.parse(new TextDecoder().decode(body), (key, value: unknown) =>
        key === "answers" && Array.isArray(value) ? value[0].message : value,
      ).answers;
    });
    return reply;
  }

  it.each([
    '{"name":"name","value":"Ada"}',
    ' {"value":"Ada","name":"NAME"}',
    "name=name&value=Ada",
    '{"variables":{"name":"Ada","other":"x","town":null}}',
    '{"variables":[{"name":"other","value":"x"},{"name":"Name","value":"Ada"},{"name":"town"},7]}',
  ])("stand in the answers that follow: %s", async (body) => {
    expect(await greeted([body])).toBe("Hi \u2068Ada\u2069!");
  });

  it("stand beside those that were set before, until they are set anew", async () => {
    const set = ["name=name&value=Bob", "name=town&value=Rome", "name=name&value=Ada"];
    expect(await greeted(set)).toBe("Hi \u2068Ada\u2069 of \u2068Rome\u2069!");
  });

  it("are those that the instance lists, and as long as a line", async () => {
    expect(await greeted(["name=other&value=Ada", "name=name", "value=Ada"])).toBe("Hi!");
    const long = "x".repeat(1000);
    expect(await greeted([`name=name&value=${long}`])).toBe(`Hi \u2068${long}\u2069!`);
    expect(await greeted([`name=name&value=${long}x`])).toBe("Hi!");
  });

  it("are forgotten when the engine refuses them", async () => {
    expect(await greeted(["name=name&value=Ada"], 400)).toBe("Hi!");
  });
});

describe("a history that shows what readers saw", () => {
  const sorry = "Sorry, we could not find any answers to your question.";
  const get = Buffer.from(
    "GET /v1/conversation/history HTTP/1.1\r\nHost: g\r\nX-Inbenta-Session: s\r\n\r\n",
  );

  /** The client's view of this history, after an answer in English and one in French. */
  async function shown(history: string | Uint8Array, fields: readonly string[] = []) {
    let read = "";
    const bodies = [
      flagged("no-results"),
      JSON.stringify({ message: sorry, flags: ["no-results"] }),
    ];
    const handler = ({ target }: { target: string }) =>
      target.endsWith("/history")
        ? { headers: [...json, "ETag", '"v1"', ...fields], body: history }
        : { headers: json, body: bodies.shift() ?? "" };
    await withBench({ handler, instance: { history: "shown" } }, async ({ port, logs }) => {
      for (const [locale, text] of [
        ["en", "Nothing found."],
        ["fr", "Rien trouv"],
      ] as const) {
        const asked = ["X-Inbenta-Session: s", `X-Afterword-Locale: ${locale}`];
        const answer = await rawRequest(port, rawPost("/v1/conversation/message", "{}", asked));
        expect(Buffer.from(answer.body).toString("latin1")).toContain(text);
      }
      const { body, headers } = await rawRequest(port, get);
      read = Buffer.from(body).toString("latin1");
      expect(headers.includes('"v1"')).toBe(read === history);
      expect(logs.map(({ event }) => event)).not.toContain("internal-error");
    });
    return read;
  }
  const bot = (...list: readonly unknown[]): string =>
    JSON.stringify([
      { user: "user", message: sorry },
      { user: "bot", message: sorry, messageList: list },
      { user: "bot", message: "between" },
      { message: sorry, user: "bot" },
    ]);

  it("has them in the order in which they were said, each in its language", async () => {
    expect(JSON.parse(await shown(bot(sorry)))).toEqual([
      { user: "user", message: sorry },
      { user: "bot", message: "Nothing found.", messageList: ["Nothing found."] },
      { user: "bot", message: "between" },
      { message: "Rien trouv\u00c3\u00a9.", user: "bot" },
    ]);
  });

  it("has them once, also if the engine's text arrived in several pieces", async () => {
    const [, first] = JSON.parse(await shown(bot("one", null, "two")));
    expect(first).toEqual({
      user: "bot",
      message: "Nothing found.",
      messageList: ["Nothing found."],
    });
    for (const list of [[], [null]])
      expect(JSON.parse(await shown(bot(...list)))[1].messageList).toEqual(list);
  });

  it("has them in a compressed history too", async () => {
    expect(await shown(gzipSync(bot(sorry)), ["Content-Encoding", "gzip"])).toContain("Rien trouv");
  });

  it.each([
    ["is no list", `{"user":"bot","message":"${sorry}"}`, []],
    ["is no JSON", `[{"user":"bot","message":"${sorry}"}`, []],
    ["holds other texts", '[7,{"user":"bot"},{"user":"bot","message":"Hello"}]', []],
    [
      "is not what its fields say",
      `[{"user":"bot","message":"${sorry}"}]`,
      ["Content-Encoding", "gzip"],
    ],
  ])("comes as it is when it %s", async (_, history, fields) => {
    expect(await shown(history, fields)).toBe(history);
  });
});

function recalling(store: ConversationStore): {
  recall: Recall;
  failures(): Record<string, number>;
} {
  const metrics: Metrics = createMetrics();
  const platform = createNodePlatform({
    transport: { send: () => () => undefined },
    log: () => undefined,
  });
  const counted = /^afterword_memory_failures_total\{doing="(\w+)"\} (\d+)$/gm;
  return {
    recall: createRecall(store, platform, metrics),
    failures: () =>
      Object.fromEntries(
        Array.from(metrics.text().matchAll(counted), ([, doing = "", n]) => [doing, Number(n)]),
      ),
  };
}
