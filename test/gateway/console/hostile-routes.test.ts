// Suite: long
import { request } from "node:http";
import { expect, test } from "vitest";
import { OPERATIONS } from "../../../src/gateway/console/operations.ts";
import type { ConsoleOperation } from "../../../src/gateway/console/operation.ts";
import { ADMIN, served, type Served } from "./console.ts";
import { servedOwnBot } from "./own-bot.ts";

/** Malicious path segments and parameters, as written in an address. */
const HOSTILE = [
  ...["%00", "%0d%0aX-Evil:1", "..%2f..%2fafterword", "1e309", "-1", "%ED%A0%80", "%"],
  ...["%F0%9F%98%80", "__proto__", "%E2%80%AE1", "a".repeat(10_000)],
];
/** The same for values in a body. */
const VALUES: readonly unknown[] = [
  ...["\u0000", "\ud800", "../../etc/passwd", "1e309", "\u{1f600}", "x".repeat(10_000)],
  ...["__proto__", "", -1, 1e300, null, true, [], {}, [[[[]]]], ["\udfff"], { __proto__: 1 }],
];
/** Every operation that the console's router has. */
const rows = OPERATIONS.map((operation) => ({
  operation,
  name: `${operation.method.toUpperCase()} ${operation.path}`,
}));

/** Operations on the whole installation, which take no instance. */
const OF_ALL: ReadonlySet<string> = new Set(["GET situations"]);

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** Sends an address unchanged: `fetch` would resolve the dots in it. */
function send(
  { running }: Served,
  { method }: ConsoleOperation,
  path: string,
  token: string,
  body?: unknown,
): Promise<Sent> {
  const { hostname, port } = new URL(running.url);
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const headers = {
    ...(token !== "" && { authorization: `Bearer ${token}` }),
    ...(bytes !== null && {
      "content-type": "application/json",
      // Node sends the body of a DELETE without its length.
      "content-length": bytes.length,
    }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const sent = request(
    { hostname, port, method, path: `/_afterword/api/${path}`, headers },
    (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => void pieces.push(piece));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
      );
    },
  );
  sent.on("error", reject);
  sent.end(bytes);
  return promise;
}

/** Describes a fault in an answer: an error of ours, or an error in another shape. */
function faultIn({ status, text }: Sent): string | null {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  if (status < 400) return null;
  const { errors = [] } = text.startsWith("{") ? JSON.parse(text) : {};
  return errors[0]?.code === status && typeof errors[0].message === "string"
    ? null
    : `${status} ${text.slice(0, 200)}`;
}

const fill = (path: string, value: string): string => path.replaceAll(/\{\w+\}/g, value);

test("no operation of the console is answered without a token, or with a wrong one", async () => {
  const house = await served({});
  const found: string[] = [];
  for (const { operation, name } of rows)
    for (const token of ["", `${ADMIN}x`, "null", "é"]) {
      const answer = await send(house, operation, fill(operation.path, "1"), token);
      const fault = faultIn(answer);
      if (![401, 429].includes(answer.status) || fault !== null)
        found.push(`${name} with "${token}": ${fault ?? answer.status}`);
    }
  expect(rows.length).toBeGreaterThan(30);
  expect(found).toEqual([]);
});

test("hostile names, parameters and fields are refused in one shape, or mean nothing", async () => {
  const house = await servedOwnBot();
  const found: string[] = [];
  // The doctor makes calls of its own for each of these.
  for (const { operation, name } of rows.filter(({ operation: one }) => one.path !== "doctor")) {
    const places = [
      ...(operation.path.includes("{") ? [(value: string) => fill(operation.path, value)] : []),
      ...Object.keys(operation.query ?? {}).map(
        (field) => (value: string) => `${fill(operation.path, "1")}?${field}=${value}`,
      ),
    ];
    const addresses = HOSTILE.flatMap((value) => places.map((place) => ({ value, place })));
    await Promise.all(
      addresses.map(async ({ value, place }) => {
        const fault = faultIn(
          await send(house, operation, place(value), ADMIN, bodyFor(operation)),
        );
        if (fault !== null) found.push(`${name}, ${value.slice(0, 20)}: ${fault}`);
      }),
    );
    for (const field of Object.keys(operation.body ?? {}))
      for (const value of VALUES) {
        const path = operation.path.replace("{language}", "en").replace("{locale}", "fr");
        const body = { ...bodyFor(operation), [field]: value };
        const sent = fill(path.replace("{key}", "no-results"), "1");
        const fault = faultIn(await send(house, operation, sent, ADMIN, body));
        const shown = (JSON.stringify(value) ?? "").slice(0, 20);
        if (fault !== null) found.push(`${name}, ${field} ${shown}: ${fault}`);
      }
  }
  expect(found).toEqual([]);
  expect(house.logs.filter(({ event }) => event === "bug")).toEqual([]);
}, 120_000);

function bodyFor({ method }: ConsoleOperation): object | undefined {
  return method === "get" ? undefined : {};
}

test("a token of another instance reads and changes nothing of the first one", async () => {
  const secret = "Amaranthine";
  const messages = { "messages/fr.yaml": `no-results: "${secret} {{query}}"\n` };
  const config = { "afterword.yaml": BOUND, "bank/fr.yaml": "no-results: Rien.\n" };
  const bob = "token-of-bob-1234567890";
  const env = { AFTERWORD_ADMIN_TOKEN: ADMIN, AFTERWORD_ADMIN_TOKENS: `bob@bank:publish:${bob}` };
  const house = await served({ ...messages, ...config }, env);
  const asAdmin = await send(house, of("GET texts"), "texts?instance=shop", ADMIN);
  expect(asAdmin.text).toContain(secret);
  const draft = `draft/fr/no-results?instance=shop`;
  await send(house, of("PUT draft/{locale}/{key}"), draft, ADMIN, {
    text: secret,
    instance: "shop",
  });
  const found: string[] = [];
  for (const { operation, name } of rows.filter((row) => !OF_ALL.has(row.name))) {
    const path = operation.path.replace("{locale}", "fr").replace("{key}", "no-results");
    for (const query of ["?instance=shop", "", "?instance=shop&draft=yes"]) {
      const body = operation.method === "get" ? undefined : { instance: "shop", text: "x" };
      const answer = await send(house, operation, fill(path, "1") + query, bob, body);
      const fault = faultIn(answer);
      if (fault !== null) found.push(`${name}${query}: ${fault}`);
      if (answer.text.includes(secret) || /"shop"/.test(answer.text))
        found.push(`${name}${query}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  }
  expect(found).toEqual([]);
  expect((await send(house, of("GET texts"), "texts?instance=shop", ADMIN)).text).toBe(
    asAdmin.text,
  );
});

function of(name: string): ConsoleOperation {
  return rows.find((row) => row.name === name)?.operation ?? expect.fail(`there is no ${name}`);
}

const BOUND = `version: 1
upstream: { auth: "\${UPSTREAM}", chat: "\${UPSTREAM}", apis: { chatbot: "\${UPSTREAM}" } }
instances:
  - { name: shop, match: { apiKey: shop-key }, language: en, created: 2018-01-01, messages: { dir: ./messages } }
  - { name: bank, match: {}, language: fr, created: 2019-01-01, messages: { dir: ./bank } }
`;
