import { createHmac } from "node:crypto";
import {
  base64url,
  exportJWK,
  exportPKCS8,
  exportSPKI,
  generateKeyPair,
  importPKCS8,
  SignJWT,
} from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { CallerJwt } from "../../src/config/config.ts";
import type { ScriptedAnswer } from "../../src/testing/index.ts";
import {
  caller,
  type CallersBench,
  type CallersOptions,
  json,
  openCallers,
  type Runtime,
  runtimes,
} from "./callers-bench.ts";

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
const pairs = new Map<string, Pair>();
const shared = "a secret that is long enough for HS256";

beforeAll(async () => {
  for (const alg of ["RS256", "ES256", "EdDSA"]) {
    pairs.set(alg, await generateKeyPair(alg, { extractable: true }));
  }
  pairs.set("other", await generateKeyPair("RS256", { extractable: true }));
});

const pair = (name: string): Pair => pairs.get(name)!;
const pem = (name: string): Promise<string> => exportSPKI(pair(name).publicKey);

const jwt = (keys: CallerJwt["keys"], algorithms: readonly string[] = ["RS256"]): CallerJwt => ({
  issuer: "https://id.example.com",
  audience: "afterword",
  algorithms,
  keys,
});

interface Claims {
  readonly iss?: string;
  readonly aud?: string | string[];
  readonly exp?: number | null;
  readonly nbf?: number;
  readonly sub?: string;
}

const now = (): number => Math.floor(Date.now() / 1000);

function claims({ exp = now() + 600, ...more }: Claims): Record<string, unknown> {
  return { iss: "https://id.example.com", aud: "afterword", ...(exp !== null && { exp }), ...more };
}

function sign(
  key: CryptoKey | Uint8Array,
  alg: string,
  more: Claims = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  return new SignJWT(claims(more)).setProtectedHeader({ alg, ...header }).sign(key);
}

function unsigned(header: object, more: Claims = {}): string {
  const encode = (value: object): string => base64url.encode(JSON.stringify(value));
  return `${encode(header)}.${encode(claims(more))}`;
}

type Asking = (token: string, header?: string) => Promise<number>;

async function bench(
  runtime: Runtime,
  check: CallerJwt,
  options: CallersOptions = {},
): Promise<Asking> {
  return asking(await opened(runtime, check, options));
}

function opened(
  runtime: Runtime,
  check: CallerJwt,
  options: CallersOptions = {},
): Promise<CallersBench> {
  return openCallers(runtime, {
    callers: [caller(["chat.newId"], { keys: [], jwt: check })],
    ...options,
  });
}

function asking({ ask }: CallersBench): Asking {
  return async (token, header = `Bearer ${token}`) =>
    (await ask("/chat/v1/id", { headers: ["X-Afterword-Caller", header] })).status;
}

describe.each(runtimes)("a signed token on %s", (runtime) => {
  it.each(["RS256", "ES256", "EdDSA"])("is checked with a public key (%s)", async (alg) => {
    const ask = await bench(runtime, jwt({ kind: "public", pem: await pem(alg) }, [alg]));
    expect(await ask(await sign(pair(alg).privateKey, alg))).toBe(200);
    const forged = await generateKeyPair(alg);
    expect(await ask(await sign(forged.privateKey, alg))).toBe(401);
  });

  it("is checked with a shared secret", async () => {
    const ask = await bench(runtime, jwt({ kind: "secret", secret: shared }, ["HS256"]));
    const bytes = new TextEncoder().encode(shared);
    expect(await ask(await sign(bytes, "HS256"))).toBe(200);
    expect(await ask(await sign(bytes, "HS512"))).toBe(401);
    expect(await ask(await sign(new TextEncoder().encode(`${shared}.`), "HS256"))).toBe(401);
  });

  it("is not believed for the algorithm it names", async () => {
    const text = await pem("RS256");
    const ask = await bench(runtime, jwt({ kind: "public", pem: text }));
    // The public key, which anybody can have, used as a shared secret.
    for (const spelling of [text, text.trim(), text.replaceAll("\n", "\r\n")]) {
      const head = unsigned({ alg: "HS256" });
      expect(
        await ask(`${head}.${createHmac("sha256", spelling).update(head).digest("base64url")}`),
      ).toBe(401);
    }
    expect(await ask(`${unsigned({ alg: "none" })}.`)).toBe(401);
    expect(await ask(`${unsigned({ alg: "none" })}.e30`)).toBe(401);
    expect(await ask(`${unsigned({ alg: "nOnE" })}.e30`)).toBe(401);
    expect(await ask(await sign(pair("ES256").privateKey, "ES256"))).toBe(401);
    const rs512 = await importPKCS8(await exportPKCS8(pair("RS256").privateKey), "RS512");
    expect(await ask(await sign(rs512, "RS512"))).toBe(401);
  });

  it("brings no key of its own", async () => {
    const ask = await bench(runtime, jwt({ kind: "public", pem: await pem("RS256") }));
    const { privateKey, publicKey } = pair("other");
    const jwk = await exportJWK(publicKey);
    expect(await ask(await sign(privateKey, "RS256", {}, { jwk }))).toBe(401);
    expect(await ask(await sign(privateKey, "RS256", {}, { jku: "http://127.0.0.1:1/" }))).toBe(
      401,
    );
    expect(
      await ask(
        await sign(pair("RS256").privateKey, "RS256", {}, { crit: ["x"], x: 1 }).catch(
          () => "a.b.c",
        ),
      ),
    ).toBe(401);
  });

  // Made when the test runs, not earlier, because the tolerance is 30 seconds.
  it.each([
    ["has ended", 401, () => ({ exp: now() - 31 })],
    ["ended within the tolerance", 200, () => ({ exp: now() - 2 })],
    ["never ends", 401, () => ({ exp: null })],
    ["is not good yet", 401, () => ({ nbf: now() + 600 })],
    ["is good within the tolerance", 200, () => ({ nbf: now() + 20 })],
    ["is for somebody else", 401, () => ({ aud: "another" })],
    ["is for us among others", 200, () => ({ aud: ["another", "afterword"] })],
    ["is of another issuer", 401, () => ({ iss: "https://id.example.com.evil.example" })],
  ] as const)("that %s is answered %i", async (_, status, claims) => {
    const ask = await bench(runtime, jwt({ kind: "public", pem: await pem("RS256") }));
    const more = claims();
    const payload = "aud" in more ? { aud: [more.aud].flat() } : more;
    expect(await ask(await sign(pair("RS256").privateKey, "RS256", payload))).toBe(status);
  });

  it.each([
    "Bearer",
    "Bearer ",
    "Basic a.b.c",
    "a.b.c",
    "Bearer a.b",
    "Bearer a.b.c.d",
    "Bearer ...",
  ])("that is none (%s) is refused", async (header) => {
    const ask = await bench(runtime, jwt({ kind: "public", pem: await pem("RS256") }));
    expect(await ask("", header)).toBe(401);
  });

  it("of endless length is refused before anybody looks at it", async () => {
    const ask = await bench(runtime, jwt({ kind: "public", pem: await pem("RS256") }));
    const long = await sign(pair("RS256").privateKey, "RS256", { sub: "x".repeat(7000) });
    expect(await ask(long)).toBe(401);
  });

  it("is checked with the keys of an address, which are fetched once, whatever keys are asked for", async () => {
    const published = [{ ...(await exportJWK(pair("RS256").publicKey)), kid: "one" }];
    let fetched = 0;
    const answer = ({ target }: { target: string }): ScriptedAnswer | null => {
      if (target !== "/keys?a=b") return null;
      fetched++;
      return { headers: json, body: JSON.stringify({ keys: published }) };
    };
    const url = await keyServer(answer);
    const ask = await bench(runtime, jwt({ kind: "jwks", url: `${url}/keys?a=b` }));
    const token = await sign(pair("RS256").privateKey, "RS256", {}, { kid: "one" });
    expect(await ask(token)).toBe(200);
    expect(await ask(token)).toBe(200);
    expect(await ask(await sign(pair("other").privateKey, "RS256", {}, { kid: "two" }))).toBe(401);
    expect(fetched).toBe(1);
  });

  it.each([
    ["cannot be reached", null],
    ["fail", { status: 500, body: "" }],
    ["are no keys", { body: "<html>" }],
    ["are another thing", { headers: json, body: '{"keys":7}' }],
    ["are elsewhere", { status: 302, headers: ["Location", "http://127.0.0.1:1/"], body: "" }],
  ] as const)("is refused with 503 while its keys %s", async (_, answer) => {
    const url = answer === null ? "http://127.0.0.1:9" : await keyServer(() => answer);
    const started = await opened(runtime, jwt({ kind: "jwks", url: `${url}/keys` }));
    const token = await sign(pair("RS256").privateKey, "RS256", {}, { kid: "one" });
    expect(await asking(started)(token)).toBe(503);
    expect(started.products()).toEqual([]);
    expect(started.logs.some(({ fields }) => JSON.stringify(fields).includes(token))).toBe(false);
  });

  it("has a rate for each of its subjects", async () => {
    const check = jwt({ kind: "public", pem: await pem("RS256") });
    const rate = { calls: 1, milliseconds: 60_000 };
    const ask = await bench(runtime, check, {
      callers: [caller(["chat.newId"], { keys: [], jwt: check, perClient: rate })],
    });
    const of = (sub: string) => sign(pair("RS256").privateKey, "RS256", { sub });
    expect(await ask(await of("ada"))).toBe(200);
    expect(await ask(await of("ada"))).toBe(429);
    expect(await ask(await of("bob"))).toBe(200);
  });
});

/** Another upstream that publishes keys. */
async function keyServer(
  handler: (request: { target: string }) => ScriptedAnswer | null,
): Promise<string> {
  const started = await openCallers("web", { answer: handler });
  return started.upstream.origin;
}
