import { expect, test } from "vitest";
import { DEFAULT_ESCALATION } from "../../../src/config/escalation-config.ts";
import { isAfterwordError } from "../../../src/errors.ts";
import { load, MINIMAL } from "../workspace.ts";

/** Messages of the errors that this configuration has, without their frames. */
async function problems(yaml: string, env: Record<string, string> = {}): Promise<string> {
  const failure: unknown = await load({ "afterword.yaml": yaml }, env).catch(
    (error: unknown) => error,
  );
  if (!isAfterwordError(failure)) throw new Error("an AfterwordError was expected");
  expect(failure.code).toBe("config-invalid");
  return failure.message;
}

test("every documented key is read", async () => {
  const config = await load(
    {
      "afterword.yaml": `version: 1
listen: { host: 127.0.0.1, port: 8787, trustProxies: [10.0.0.0/8, "::1"], publicUrl: https://x.example/bot/, tls: { cert: a.pem, key: b.pem } }
data: ./.afterword
upstream:
  auth: https://api.example.com/
  chat: https://chat-eu.example.com:8000
  apis: { chatbot: https://bot.example.com/prod }
  allow: [.Example.com]
  keyHeader: x-inbenta-key
  timeouts: { connect: 1500ms, headers: 20s, total: 0.4m, idle: 0 }
instances:
  - name: shop
    match: { apiKey: demo-key, host: a.example, pathPrefix: /x }
    language: en
    created: 2018-06-01
    defaultContent: {}
    recognize: { no-results: ["No Results"] }
    restoreFlags: false
    channel: web
    channels: { whatsapp-bot: whatsapp }
    variables: [name]
    history: engine
    format: html
    upstream: { chat: https://other.example.com, timeouts: { idle: 5s } }
    messages: { fallback: { default: fr } }
    escalation: { mode: managed, ladder: [ticket] }
    credentials: { apiKey: a, secret: "\${S}", chatApp: b, chatSecret: "\${S}", room: "1" }
messages: { dir: ./m, use: [own, shipped], fallback: { default: en, chains: { pt-PT: [fr] } }, acceptLanguage: true }
backend: { content: ./backend, database: postgres://localhost/x, wire: seed }
state: { store: redis://127.0.0.1:6379, retention: 30d }
insights: { store: file, questions: false, retention: 90d }
console: { edit: false }
escalation: { mode: off }
callers: [{ name: c, instance: shop, origins: [https://a.example], jwt: { issuer: x, audience: y, jwks: https://a.example/k }, key: "\${K}", operations: [], rate: { calls: 9/s, perClient: 60 }, media: { bytes: 1MB, types: [image/*] } }]
limits: { transformBytes: 1MiB, requestBytes: 10MB, inFlight: 1, queue: 0, streams: 2 }
`,
      "locales/en.yaml": "welcome: Hi\n",
      "locales/fr.yaml": "welcome: Salut\n",
      "m/en.yaml": "welcome: Hello\n",
    },
    { S: "s", K: "0123456789abcdef" },
  );
  expect(config.warnings).toEqual([]);
  expect(config.acceptLanguage).toBe(true);
  expect(config.console).toEqual({ edit: false });
  expect(config.insights).toMatchObject({ store: "file", questions: false });
  expect(config.tableSets[0]?.fallback).toBe("fr");
  expect(config.instances[0]).toMatchObject({
    upstream: {
      auth: "https://api.example.com",
      chat: "https://other.example.com",
      timeouts: { connect: 1500, idle: 5000 },
    },
    escalation: { mode: "managed", ladder: ["ticket"] },
    credentials: { apiKey: "a", secret: "s", chatApp: "b", chatSecret: "s", room: "1" },
  });
});

test("addresses, durations and sizes come out in plain units", async () => {
  const config = await load({
    "afterword.yaml": `version: 1
upstream:
  auth: https://api.example.com/
  chat: https://chat-eu.example.com:8000
  apis: { chatbot: https://bot.example.com/prod/, ticketing: embedded }
  allow: [.Example.com, "api.example.com"]
  keyHeader: x-inbenta-key
  timeouts: { connect: 1500ms, headers: 20s, total: 0.4m, idle: 0 }
state: { store: file, retention: 12h }
listen: { publicUrl: https://x.example/bot/, tls: { cert: a.pem, key: /b.pem } }
backend: { database: postgres://localhost/x, wire: seed }
limits: { transformBytes: 64KiB, requestBytes: 10MB, inFlight: 1, queue: 0, streams: 2 }
escalation: { mode: signal, ladder: [ticket] }
`,
  });
  expect(config.upstream).toEqual({
    auth: "https://api.example.com",
    chat: "https://chat-eu.example.com:8000",
    apis: { chatbot: "https://bot.example.com/prod", ticketing: "embedded:ticketing" },
    allow: [".example.com", "api.example.com"],
    keyHeader: "x-inbenta-key",
    timeouts: { connect: 1500, headers: 20_000, total: 24_000, idle: 0 },
  });
  expect(config.state).toEqual({ store: "file", retention: 43_200_000 });
  expect(config.limits).toMatchObject({ transformBytes: 65_536, requestBytes: 10_000_000 });
  expect(config.listen.publicUrl).toBe("https://x.example/bot");
  expect(config.listen.tls).toEqual({ cert: expect.stringMatching(/\/a\.pem$/), key: "/b.pem" });
  expect(config.backend).toMatchObject({ database: "postgres://localhost/x", wire: "seed" });
  expect(config.escalation).toEqual({
    ...DEFAULT_ESCALATION,
    mode: "signal",
    ladder: ["ticket"],
  });
});

test.each([
  ["embedded", { auth: "embedded:auth", chat: "embedded:chat" }],
  ["{ auth: embedded }", { auth: "embedded:auth", chat: null }],
  ["{ auth: embedded, chat: embedded }", { auth: "embedded:auth", chat: "embedded:chat" }],
  ["{ auth: 'http://127.0.0.1:9/p/' }", { auth: "http://127.0.0.1:9/p", chat: null, apis: {} }],
  ["{ auth: 'http://localhost' }", { auth: "http://localhost" }],
  ["{ auth: 'http://[::1]:1' }", { auth: "http://[::1]:1" }],
])("upstream: %s", async (written, expected) => {
  const config = await load({ "afterword.yaml": `version: 1\nupstream: ${written}\n` });
  expect(config.upstream).toMatchObject(expected);
  expect(config.warnings.filter((warning) => warning.includes("encryption"))).toEqual([]);
});

test.each(["http://api.example.com", "http://8.8.8.8", "http://172.32.0.1", "http://100.128.0.1"])(
  "%s is refused, since tokens would travel unencrypted",
  async (address) => {
    expect(await problems(`version: 1\nupstream: { auth: "${address}" }\n`)).toContain(
      "must be https",
    );
  },
);

test.each([
  "http://10.1.2.3",
  "http://192.168.0.1:81",
  "http://vendor",
  "http://api.internal",
  "http://[fd00::1]",
])("%s is a private address: a warning", async (address) => {
  const config = await load({ "afterword.yaml": `version: 1\nupstream: { auth: "${address}" }\n` });
  expect(config.warnings.join("\n")).toContain("without encryption");
});

test("a suffix below which all names are private is a warning: it allows public addresses only", async () => {
  const config = await load({
    "afterword.yaml": `version: 1
upstream: { auth: https://a.example, allow: [.example, .corp.internal, api.corp.internal] }
`,
  });
  const about = config.warnings.filter((warning) => warning.includes("suffix"));
  expect(about).toHaveLength(1);
  expect(about[0]).toContain("names below .corp.internal are private");
});

test("an instance's upstream changes what it names and keeps the rest", async () => {
  const config = await load({
    "afterword.yaml": `version: 1
upstream: { auth: https://a.example, chat: https://c.example, keyHeader: x-k, allow: [.example] }
instances:
  - { name: chat, match: { apiKey: a }, upstream: { chat: https://d.example } }
  - { name: auth, match: { apiKey: b }, upstream: { auth: https://b.example } }
  - { name: demo, upstream: embedded }
`,
  });
  expect(
    config.instances.map(({ upstream }) => [upstream.auth, upstream.chat, upstream.keyHeader]),
  ).toEqual([
    ["https://a.example", "https://d.example", "x-k"],
    ["https://b.example", null, "x-k"],
    ["embedded:auth", "embedded:chat", "x-vendor-key"],
  ]);
});

test("a vendor for one instance inherits no embedded address", async () => {
  const config = await load({
    "afterword.yaml": `${MINIMAL}instances: [{ name: a, upstream: { auth: https://b.example } }]\n`,
  });
  expect(config.instances[0]?.upstream).toMatchObject({ chat: null, apis: {} });
});

test.each([
  ["version: 2\nupstream: embedded\n", "this release reads version: 1"],
  ["upstream: embedded\n", 'the key "version" is missing'],
  ["version: 1\n", 'the key "upstream" is missing'],
  ["version: 1\nupstream: {}\n", 'the key "auth" is missing'],
  [
    "version: 1\nupstream: embeded\n",
    'embedded, or a mapping such as { auth: https://api.example.com }, is needed here. Did you mean "embedded"?',
  ],
  ["version: 1\nupstream: { auth: ftp://x }\n", "an address such as"],
  ["version: 1\nupstream: { auth: 'https://a?b' }\n", "query"],
  ["version: 1\nupstream: { auth: https://u:pw@a.example }\n", "must not carry a user"],
  ["version: 1\nupstream: { auth: https://a.example, allow: ['https://b'] }\n", "a suffix such as"],
  [
    "version: 1\nupstream: { auth: https://a.example, keyHeader: 'a b' }\n",
    "no name of an HTTP header",
  ],
  [`${MINIMAL}lisen: {}\n`, 'unknown key "lisen". Did you mean "listen"?'],
  [`${MINIMAL}listen: { prot: 1 }\n`, 'unknown key "prot". Did you mean "port"?'],
  [`${MINIMAL}banana: 1\n`, "Known here: version, listen, data"],
  [`${MINIMAL}__proto__: { a: 1 }\n`, 'unknown key "__proto__"'],
  [`${MINIMAL}listen: { port: 65536 }\n`, "a whole number from 0 to 65535"],
  [`${MINIMAL}listen: { port: "x" }\n`, "a whole number from 0 to 65535"],
  [`${MINIMAL}listen: { trustProxies: [10.0.0.0/33] }\n`, "a range such as 10.0.0.0/8"],
  [`${MINIMAL}listen: { trustProxies: [300.0.0.1] }\n`, "a range such as 10.0.0.0/8"],
  [`${MINIMAL}listen: { publicUrl: example.com }\n`, "an address such as"],
  [`${MINIMAL}listen: { tls: { cert: a } }\n`, 'the key "key" is missing'],
  [`${MINIMAL}limits: { transformBytes: 1XB }\n`, "a size is needed here"],
  [`${MINIMAL}limits: { transformBytes: -1 }\n`, "a size is needed here"],
  [`${MINIMAL}limits: { inFlight: 1.5 }\n`, "a whole number from 1"],
  [`${MINIMAL}state: { retention: 30 }\n`, "a duration with its unit"],
  [`${MINIMAL}state: { retention: 3 weeks }\n`, "a duration with its unit"],
  [`${MINIMAL}state: { store: disk }\n`, "memory, file or an address"],
  [
    `${MINIMAL}escalation: { mode: of }\n`,
    'one of off, signal, managed is needed here. Did you mean "off"?',
  ],
  [`${MINIMAL}callers: [{ nam: x }]\n`, 'Did you mean "name"?'],
  [`${MINIMAL}messages: { use: [onw] }\n`, 'Did you mean "own"?'],
  [`${MINIMAL}messages: { fallback: { default: xx } }\n`, "the default locale xx has no texts"],
  [`${MINIMAL}messages: { fallback: { default: "" } }\n`, "a language tag is needed here"],
  [
    `${MINIMAL}messages: { fallback: { chains: { "x y": [en] } } }\n`,
    "a language tag is needed here",
  ],
  [`${MINIMAL}instances: []\n`, "at least one instance"],
  [`${MINIMAL}instances: [{ match: {} }]\n`, 'the key "name" is missing'],
  [`${MINIMAL}instances: [{ name: a }, { name: a }]\n`, 'another instance named "a"'],
  [`${MINIMAL}instances: [{ name: a, match: { apikey: x } }]\n`, 'Did you mean "apiKey"?'],
  [`${MINIMAL}instances: [{ name: a, match: { host: https://x } }]\n`, "a host such as"],
  [`${MINIMAL}instances: [{ name: a, match: { pathPrefix: x } }]\n`, "starts with /"],
  [`${MINIMAL}instances: [{ name: a, created: 2018-02-30 }]\n`, "a day is needed here"],
  [
    `${MINIMAL}instances: [{ name: a, defaultContent: { end-form: active } }]\n`,
    'unknown key "end-form"',
  ],
  [
    `${MINIMAL}instances: [{ name: a, defaultContent: { welcome: yes } }]\n`,
    "one of active, inactive",
  ],
  [
    `${MINIMAL}instances: [{ name: a, recognize: { no-result: [x] } }]\n`,
    'Did you mean "no-results"?',
  ],
  [
    `${MINIMAL}instances: [{ name: a, recognize: { welcome: [X], no-results: [" x"] } }]\n`,
    "already stands for welcome",
  ],
  [`${MINIMAL}instances: [{ name: a, variables: [a b] }]\n`, "a variable's name"],
  [`${MINIMAL}instances: [{ name: a, format: { voice: txt } }]\n`, 'Did you mean "text"?'],
  [`${MINIMAL}instances: [{ name: a, history: seen }]\n`, "one of engine, shown"],
])("%j: %s", async (yaml, message) => {
  expect(await problems(yaml)).toContain(message);
});

test("a number where a text belongs says how to write it, and does not repeat it", async () => {
  const message = await problems(
    `${MINIMAL}instances: [{ name: a, match: { apiKey: 1234567 } }]\n`,
  );
  expect(message).toContain("Put it in quotes.");
  expect(message).not.toContain("1234567");
});

test.each([
  ["upstream: { auth: https://a.example, timeouts: { total: 40s } }", "give up after 30s"],
  ["upstream: { auth: https://a.example, timeouts: { total: 0 } }", "give up after 30s"],
])("%s warns", async (line, warning) => {
  const config = await load({ "afterword.yaml": `version: 1\n${line}\n` });
  expect(config.warnings.join("\n")).toContain(warning);
});

test("secrets in the file are warned of, and shown in no frame", async () => {
  const text = `${MINIMAL}instances: [{ name: a, credentials: { secret: hunter2, chatSecret: "\${S}" } }]\n`;
  const config = await load({ "afterword.yaml": text }, { S: "x" });
  expect(config.warnings.filter((warning) => warning.includes("a secret stands"))).toHaveLength(1);
  const bad = await problems(text.replace("name: a", "nmae: a").replace("hunter2", '"hun, ter2"'), {
    S: "x",
  });
  expect(bad).not.toMatch(/hun|ter2/);
});

async function warnedOf(language: string): Promise<readonly string[]> {
  const yaml = `${MINIMAL}instances: [{ name: a, created: 2018-06-01, language: ${language} }]\n`;
  return (await load({ "afterword.yaml": yaml })).warnings;
}

test("a language without any texts is a warning", async () => {
  expect(await warnedOf("fr-CA")).toEqual([]);
  expect(await warnedOf("ja")).toEqual([expect.stringContaining("its readers get en")]);
});

test("files that ticketing takes are extensions and known types; another entry is refused where it stands", async () => {
  const backend = (entries: string): string =>
    `${MINIMAL}backend:\n  ticketing:\n    mediaTypes: [${entries}]\n`;
  const config = await load({ "afterword.yaml": backend('.md, image/*, "*/*"') }, {});
  expect(config.backend.ticketing.mediaTypes).toEqual([".md", "image/*", "*/*"]);
  const line = backend("").split("\n").length - 1;
  const message = await problems(backend(".md, image/nothing"));
  expect(message).toContain(`afterword.yaml:${line}:23`);
  expect(message).toContain("an extension such as .md, a known media type such as image/png");
});

test("the thresholds for answers and offers can be set for all instances, or for one", async () => {
  const file = (all: string, own: string): string =>
    `${MINIMAL}backend: { matching: { ${all} } }\ninstances:\n  - name: a\n    backend: { matching: { ${own} } }\n  - name: b\n`;
  const config = await load(
    { "afterword.yaml": file("threshold: 0.6, offer: 0.4", "threshold: 0.7") },
    {},
  );
  expect(config.instances.map(({ matching }) => matching)).toEqual([
    { threshold: 0.7, offer: 0.4 },
    { threshold: 0.6, offer: 0.4 },
  ]);
  const plain = await load({ "afterword.yaml": MINIMAL }, {});
  expect(plain.instances[0]?.matching).toEqual({ threshold: 0.5, offer: null });
  const only = await load({ "afterword.yaml": file("threshold: 0.3", "") }, {});
  expect(only.instances[1]?.matching).toEqual({ threshold: 0.3, offer: null });
  expect(await problems(file("threshold: 2", ""))).toContain("a number from 0 to 1 is needed here");
  const above = await problems(file("threshold: 0.5", "offer: 0.8"));
  expect(above).toContain("offer is 0.8, and the threshold 0.5");
  expect(above).toMatch(/afterword\.yaml:\d+:\d+/);
});
