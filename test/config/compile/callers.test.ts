import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { checkConfig } from "../../../src/config/check/check.ts";
import type { CallerConfig, Config } from "../../../src/config/config.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { load, workspace } from "../workspace.ts";

const INSTANCES = `
  - name: shop
    created: 2018-06-01
    credentials: { apiKey: k, secret: "\${SECRET}", chatApp: a, chatSecret: "\${SECRET}" }`;
const ENV = { SECRET: "s", KEY: "a-key-of-sixteen-or-more", SHARED: "x".repeat(32) };

function file(callers: string, instances = INSTANCES): Record<string, string> {
  return {
    "afterword.yaml": `version: 1\nupstream: { auth: https://api.example.com }\ninstances:${instances}\ncallers:\n${callers}\n`,
  };
}

async function callers(written: string): Promise<readonly CallerConfig[]> {
  return (await load(file(written), ENV)).callers;
}

/** Findings as `code line:column message`. */
async function findings(written: string, instances = INSTANCES): Promise<readonly string[]> {
  const directory = await workspace({ "locales/en.yaml": "{}\n", ...file(written, instances) });
  const { diagnostics } = await checkConfig(join(directory, "afterword.yaml"), {
    env: ENV,
    shipped: join(directory, "locales"),
  });
  return diagnostics
    .filter((one) => one.file.endsWith("afterword.yaml"))
    .map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`);
}

const PEM = (type: "rsa" | "ed25519" | "ec", bits = 2048): string => {
  const pair =
    type === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: bits })
      : type === "ec"
        ? generateKeyPairSync("ec", { namedCurve: bits === 384 ? "P-384" : "P-256" })
        : generateKeyPairSync("ed25519");
  return pair.publicKey.export({ type: "spki", format: "pem" }).toString();
};
const block = (pem: string): string => `|\n${pem.trimEnd().replaceAll(/^/gm, "        ")}\n`;

describe("callers", () => {
  it("have defaults for all that is not written", async () => {
    const [caller, ...more] = await callers(
      "  - { name: crm, key: '${KEY}', operations: [chat.newId] }",
    );
    expect(more).toEqual([]);
    expect(caller).toEqual({
      name: "crm",
      instance: "shop",
      origins: [],
      jwt: null,
      keys: [ENV.KEY],
      operations: [
        { name: "chat.newId", product: "chat", method: "GET", paths: [["v1", "id"]], query: [] },
      ],
      rate: { calls: 60, milliseconds: 60_000 },
      perClient: null,
      media: { bytes: 7_340_032, types: [] },
    });
  });

  it("are read with every key", async () => {
    const [caller] = await callers(`
  - name: web
    instance: shop
    origins: [https://www.example.com, "http://localhost:3000"]
    key: ["\${KEY}", "\${SHARED}"]
    jwt: { issuer: i, audience: a, key: "\${SHARED}" }
    operations:
      - POST /ticketing/v1/tickets/public
      - GET /ticketing/v1/users/{whoever}
      - GET /knowledge/v1/things/{name}?a&b[]
    rate: { calls: 10/s, perClient: 1000 / h }
    media: { bytes: 5MB, types: [image/*, application/pdf] }`);
    expect(caller).toMatchObject({
      origins: ["https://www.example.com", "http://localhost:3000"],
      keys: [ENV.KEY, ENV.SHARED],
      jwt: {
        issuer: "i",
        audience: "a",
        algorithms: ["HS256"],
        keys: { kind: "secret", secret: ENV.SHARED },
      },
      rate: { calls: 10, milliseconds: 1000 },
      perClient: { calls: 1000, milliseconds: 3_600_000 },
      media: { bytes: 5_000_000, types: ["image/*", "application/pdf"] },
    });
    expect(caller?.operations.map(({ name, query }) => [name, query])).toEqual([
      ["ticketing.createTicket", []],
      ["ticketing.user", []],
      ["GET /knowledge/v1/things/{name}?a&b[]", ["a", "b[]"]],
    ]);
  });

  it.each([
    ["60", 60, 60_000],
    ["1/s", 1, 1000],
    ["5/m", 5, 60_000],
    ["999999/min", 999_999, 60_000],
  ])("have a rate of %s", async (written, calls, milliseconds) => {
    const [caller] = await callers(
      `  - { name: c, key: '\${KEY}', operations: [chat.newId], rate: ${written} }`,
    );
    expect(caller?.rate).toEqual({ calls, milliseconds });
  });

  it.each([
    [PEM("rsa"), ["RS256"]],
    [PEM("ec"), ["ES256"]],
    [PEM("ed25519"), ["EdDSA"]],
  ])("accept the token keys that suit their algorithm", async (pem, algorithms) => {
    const [caller] = await callers(
      `  - name: c\n    operations: [chat.newId]\n    jwt:\n      issuer: i\n      audience: a\n      key: ${block(pem)}`,
    );
    expect(caller?.jwt?.algorithms).toEqual(algorithms);
    expect(caller?.jwt?.keys.kind).toBe("public");
  });

  it("are not part of the hash that /_afterword/version shows", async () => {
    const hash = async (written: string): Promise<Config["hash"]> =>
      (await load(file(written), ENV)).hash;
    expect(await hash("  - { name: a, key: '${KEY}' }")).toBe(
      await hash("  - { name: b, key: '${SHARED}' }"),
    );
  });
});

const jwt = (inner: string): string => `  - { name: c, jwt: { issuer: i, audience: a, ${inner} } }`;
const operation = (name: string): string =>
  `  - { name: c, key: '\${KEY}', operations: ["${name}"] }`;
const block2 = (pem: string): string =>
  `  - name: c\n    jwt:\n      issuer: i\n      audience: a\n      key: ${block(pem)}`;

test.each([
  ["nobody", "  - { name: c }", "missing-key 8:13 no request can match this caller"],
  ["*", "  - { name: c, origins: ['*'] }", "an origin as browsers write it"],
  ["null", "  - { name: c, origins: ['null'] }", "an origin as browsers write it"],
  ["a path", "  - { name: c, origins: [https://a.example/] }", "an origin as browsers write it"],
  ["upper case", "  - { name: c, origins: [https://A.example] }", "an origin as browsers write it"],
  ["a default port", "  - { name: c, origins: ['https://a.example:443'] }", "an origin as"],
  ["a wildcard", "  - { name: c, origins: ['https://*.a.example/x'] }", "an origin as"],
  ["no origins", "  - { name: c, origins: [] }", "name at least one origin"],
  ["a short key", "  - { name: c, key: '${SECRET}' }", "a key is at least 16 visible ASCII"],
  [
    "a misspelt operation",
    operation("ticketing.createTickets"),
    'Did you mean "ticketing.createTicket"?',
  ],
  [
    "an operation of the chatbot",
    operation("POST /chatbot/v1/conversation"),
    "there is no operation",
  ],
  ["a relative operation", operation("GET /ticketing/v1/../users"), "a path is plain segments"],
  ["an encoded operation", operation("GET /ticketing/v1/%2e%2e/users"), "a path is plain segments"],
  ["a wildcard operation", operation("GET /ticketing/*"), "a path is plain segments"],
  ["another method", operation("OPTIONS /ticketing/v1/x"), "there is no operation"],
  [
    "an unknown instance",
    "  - { name: c, instance: shopp, key: '${KEY}' }",
    'Did you mean "shop"?',
  ],
  [
    "a rate of nothing",
    "  - { name: c, key: '${KEY}', rate: 0 }",
    "a whole number from 1 to 1000000",
  ],
  ["a rate of too much", "  - { name: c, key: '${KEY}', rate: 1000000000/s }", "a rate is needed"],
  [
    "a type that is none",
    "  - { name: c, key: '${KEY}', media: { types: ['*'] } }",
    "a media type such as",
  ],
  ["no token key", jwt("algorithms: [RS256]"), "exactly one of key and jwks"],
  [
    "two token keys",
    jwt("key: '${SHARED}', jwks: https://a.example/k"),
    "exactly one of key and jwks",
  ],
  [
    "no algorithm",
    jwt("key: '${SHARED}', algorithms: [none]"),
    "one of HS256, RS256, ES256, EdDSA",
  ],
  [
    "an asymmetric algorithm for a secret",
    jwt("key: '${SHARED}', algorithms: [RS256]"),
    "is a shared secret, and only HS256",
  ],
  [
    "a secret among others",
    jwt("key: '${SHARED}', algorithms: [HS256, RS256]"),
    "is a shared secret, and only HS256",
  ],
  [
    "HS256 for a key set",
    jwt("jwks: https://a.example/k, algorithms: [HS256]"),
    "HS256 needs a shared secret",
  ],
  ["a weak secret", jwt("key: '${KEY}'"), "at least 32 bytes"],
  ["an open key set", jwt("jwks: http://a.example/k"), "must be https"],
  ["a private key in a set", jwt("jwks: { keys: [{ kty: EC, d: x }] }"), "only public keys"],
  ["a shared key in a set", jwt("jwks: { keys: [{ kty: oct, k: x }] }"), "only public keys"],
  ["a weak key", block2(PEM("rsa", 1024)), "an RSA (2048 bits or more), P-256 or Ed25519 key"],
  ["another curve", block2(PEM("ec", 384)), "an RSA (2048 bits or more), P-256 or Ed25519 key"],
  [
    "a private key",
    block2("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
    "an RSA",
  ],
  [
    "HS256 for a public key",
    `${block2(PEM("ec"))}      algorithms: [HS256]`,
    "HS256 needs a shared secret",
  ],
  [
    "the wrong algorithm for a key",
    `${block2(PEM("ec"))}      algorithms: [RS256]`,
    "this key only works with ES256",
  ],
  [
    "two of a name",
    "  - { name: c, key: '${KEY}' }\n  - { name: c, key: '${SHARED}' }",
    'the caller "c" has this name too',
  ],
  [
    "two of a key",
    "  - { name: c, key: '${KEY}' }\n  - { name: d, key: '${KEY}' }",
    'the caller "c" has this key too',
  ],
  [
    "two of an origin",
    "  - { name: c, origins: [https://a.example] }\n  - { name: d, origins: [https://a.example] }",
    'the caller "c" has this origin too',
  ],
  [
    "two of an issuer",
    `${jwt("key: '${SHARED}'")}\n${jwt("key: '${SHARED}'").replace("name: c", "name: d")}`,
    'the caller "c" takes tokens of this issuer',
  ],
])("%s is an error", async (_, written, message) => {
  const found = await findings(written);
  expect(found.join("\n")).toContain(message);
  await expect(load(file(written), ENV)).rejects.toMatchObject({ code: "config-invalid" });
});

test.each([
  "algorithms: [RS256]",
  "key: '${SHARED}', jwks: https://a.example/k, algorithms: [RS256]",
])("one finding reports that exactly one of key and jwks is needed (%s)", async (written) => {
  const found = await findings(`${jwt(written).slice(0, -2)}, operations: [knowledge.search] }`);
  expect(found).toEqual([expect.stringContaining("exactly one of key and jwks is needed here")]);
});

test("an instance without credentials is an error that names them", async () => {
  const found = await findings(
    "  - { name: c, key: '${KEY}', operations: [knowledge.search, chat.newId] }",
    "\n  - { name: shop, created: 2018-06-01, credentials: { apiKey: k } }",
  );
  expect(found.filter((one) => one.startsWith("missing-key"))).toEqual([
    'missing-key 6:43 the instance "shop" lacks credentials.secret, credentials.chatApp, credentials.chatSecret, which these operations need',
  ]);
});

test("of two instances a caller must name one", async () => {
  const two = `${INSTANCES}\n  - { name: other, created: 2018-06-01 }`;
  const found = await findings("  - { name: c, key: '${KEY}', operations: [chat.newId] }", two);
  expect(found.join("\n")).toContain('the key "instance" is missing here');
});

test("check warns of what is open to everybody, of secrets in the file, and of callers that may do nothing", async () => {
  const found = await findings(`
  - { name: web, origins: [https://a.example], operations: [ticketing.createTicket, ticketing.tickets] }
  - { name: crm, key: a-key-in-the-file-itself }`);
  expect(found.toSorted()).toEqual([
    "open-operation 9:85 ticketing.tickets is open to everybody: a program that is no browser writes any Origin",
    "plain-secret 10:23 a secret stands in this file; anybody who may read it may use it",
    'unreachable 10:13 the caller "crm" may do nothing: it has no operations',
  ]);
});

test("the example of docs/callers.md is a configuration", async () => {
  const text = await readFile(join(findPackageRoot(), "docs", "callers.md"), "utf8");
  const example = /```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  const config = await load(
    {
      "afterword.yaml": `version: 1\nupstream: { auth: https://a.example, chat: https://c.example }\n${example}`,
    },
    {
      ...{ VENDOR_KEY: "k", VENDOR_SECRET: "s", CHAT_APP: "a", CHAT_SECRET: "s" },
      CRM_KEY: "0123456789abcdef",
    },
  );
  expect(config.callers.map(({ name }) => name)).toEqual(["website", "app", "crm"]);
  expect(config.warnings).toEqual([expect.stringContaining("created is not set")]);
});
