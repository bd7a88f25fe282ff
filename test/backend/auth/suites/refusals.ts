import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { App, Clock, Json } from "../../client.ts";
import { clock, open, signingKey } from "../../client.ts";
import type { GatewayInFront } from "../../through-gateway.ts";
import { CALLS } from "../operations.ts";
import type { Call } from "../operations.ts";

interface Answered {
  readonly status: number;
  readonly body: Json;
}

/** A backend with two keys, and the failures that it reported. */
interface Service {
  readonly app: App;
  /** Ends the database. */
  readonly close: () => Promise<void>;
  readonly time: Clock;
  readonly reported: unknown[];
  login(key?: string): Promise<string>;
  send(call: Call, request: RequestInit & { readonly path?: string }): Promise<Answered>;
}

const key = { "x-vendor-key": "key" };
const limit = 20_000;
const tokenCalls = CALLS.filter(({ operation }) => operation.credentials === "token");
// A body beside a token that is to be renewed is not read.
const withBody = CALLS.filter(
  ({ operation }) => operation.body !== undefined && operation.id !== "auth.refresh",
);
const nameOf = ({ operation, path }: Call): string => `${operation.method} ${path}`;
const rows = (calls: readonly Call[]): (readonly [string, Call])[] =>
  calls.map((call) => [nameOf(call), call]);

/** Tests every operation with invalid requests. `address` creates a database for each call. */
export function refusals(
  title: string,
  address: () => Promise<string | null>,
  getGateway?: () => GatewayInFront,
): void {
  const service = async (): Promise<Service> => {
    const time = clock();
    const reported: unknown[] = [];
    const backend = await open({
      database: await address(),
      now: time.now,
      demo: false,
      bodyLimit: limit,
      report: (error, failed) => reported.push([String(error), failed]),
      credentials: [
        { apiKey: "key", secret: "secret", project: "shop" },
        { apiKey: "other-key", secret: "secret", project: "modern" },
      ],
    });
    const gateway = getGateway?.();
    gateway?.forwardTo(backend.app);
    const origin = gateway?.url ?? "http://service.test";
    const request = async (url: string, init: RequestInit): Promise<Response> =>
      gateway === undefined ? backend.app.request(url, init) : fetch(url, init);
    const authorize = async (apiKey: string): Promise<Json> => {
      const headers = { "x-vendor-key": apiKey };
      const init = { method: "POST", headers, body: '{"secret":"secret"}' };
      return (await request(`${origin}/v1/auth`, init)).json();
    };
    const { apis } = await authorize("key");
    return {
      app: backend.app,
      close: () => backend.close(),
      time,
      reported,
      login: async (apiKey = "key") => (await authorize(apiKey)).accessToken,
      async send({ operation, product, path, query }, { path: filled, ...init }) {
        const base = product === "auth" ? origin : apis[product];
        const at = (filled ?? path).replaceAll(/\{\w+\}/g, "1");
        const answer = await request(`${base}${at}${query}`, { method: operation.method, ...init });
        const text = await answer.text();
        const body: Json = text.startsWith("{") ? JSON.parse(text) : text;
        // 500 means a fault of the service and 503 an outage, neither of which a caller may cause.
        if (answer.status >= 300 && answer.status !== 500 && answer.status !== 503)
          expectDocumented(operation, answer.status, body, text);
        return { status: answer.status, body };
      },
    };
  };
  let opened: Promise<Service> | null = null;
  /** One for all tests that neither advance its clock nor close it. */
  const sharedService = async (): Promise<Service> => {
    const made = await (opened ??= service());
    getGateway?.().forwardTo(made.app);
    return made;
  };
  const bearer = (token: string): Record<string, string> => ({
    ...key,
    authorization: `Bearer ${token}`,
  });
  const bodyOf = ({ body }: Call): RequestInit =>
    body === undefined ? {} : { body: JSON.stringify(body) };

  describe(`refusals over ${title}`, () => {
    test("of missing, wrong, expired and forged credentials are 401 for every operation", async () => {
      const { send, login, time, reported } = await service();
      const good = await login();
      const [head = "", payload = "", signature = ""] = good.split(".");
      const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
      const claims = { project: "shop", address: "http://service.test" };
      const signedBy = (secret: Uint8Array, kid?: string): Promise<string> =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: "HS256", typ: "JWT", ...(kid !== undefined && { kid }) })
          .setIssuer("afterword")
          .setSubject(String(JSON.parse(Buffer.from(payload, "base64url").toString()).sub))
          .setIssuedAt(time.now() / 1000)
          .setExpirationTime(time.now() / 1000 + 600)
          .setJti("x")
          .sign(secret);
      const { kid } = JSON.parse(Buffer.from(head, "base64url").toString());
      const wrong: Record<string, Record<string, string>> = {
        nothing: {},
        "a key alone": key,
        "a token alone": { authorization: `Bearer ${good}` },
        "an unknown key": { ...bearer(good), "x-vendor-key": "nobody" },
        "a key of a prototype": { ...bearer(good), "x-vendor-key": "__proto__" },
        "a token without its scheme": { ...key, authorization: good },
        "another scheme": { ...key, authorization: `Basic ${good}` },
        "no token": bearer("x"),
        "an unsigned token": bearer(`${none}.${payload}.`),
        "a cut signature": bearer(`${head}.${payload}.${signature.slice(0, -2)}`),
        "another payload": bearer(`${head}.${payload.replace(/^..../, "eyJh")}.${signature}`),
        "another's signature": bearer(await signedBy(new Uint8Array(32).fill(9), String(kid))),
        // The secret itself signs nothing, because keys are derived from it.
        "the bare secret": bearer(await signedBy(signingKey, String(kid))),
        "no key id": bearer(await signedBy(signingKey)),
      };
      for (const call of tokenCalls) {
        for (const [what, headers] of Object.entries(wrong)) {
          const { status, body } = await send(call, { headers, ...bodyOf(call) });
          expect([nameOf(call), what, status, body.message]).toEqual([
            nameOf(call),
            what,
            401,
            "Unauthorized",
          ]);
        }
      }
      time.advance(1200);
      for (const call of tokenCalls) {
        const { status } = await send(call, { headers: bearer(good), ...bodyOf(call) });
        expect([nameOf(call), status]).toEqual([nameOf(call), 401]);
      }
      expect(reported).toEqual([]);
    });

    test("caused by the service itself are logged with the request's id and without a secret", async () => {
      const { send, login, reported, close } = await service();
      const token = await login();
      await close();
      const headers = { ...bearer(token), "x-request-id": "r-17" };
      const call = CALLS.find(({ operation }) => operation.id === "ticketing.createUser");
      if (call === undefined) throw new Error("unreachable: it is among the operations");
      const { status, body } = await send(
        { ...call, query: "?secret=hidden" },
        { headers, ...bodyOf(call) },
      );
      const unavailable = { code: 503, message: "The service is not available now." };
      expect([status, body.errors]).toEqual([503, [unavailable]]);
      const failed = { method: "POST", path: "/ticketing/v1/users", requestId: "r-17" };
      expect(reported).toEqual([[expect.stringMatching(/closed/), failed]]);
      for (const secret of [token, "secret", "hidden", "ana@example.test"]) {
        expect(JSON.stringify(reported)).not.toContain(secret);
      }
    });

    test("of a token that was issued to another key are 403 for every operation", async () => {
      const { send, login } = await sharedService();
      const headers = bearer(await login("other-key"));
      for (const call of tokenCalls) {
        const { status } = await send(call, { headers, ...bodyOf(call) });
        expect([nameOf(call), status]).toEqual([nameOf(call), 403]);
      }
    });

    test.each(rows(withBody))(
      "of a malformed body are errors of the client: %s",
      async (_name, call) => {
        const { send, login, reported } = await sharedService();
        const headers = { ...bearer(await login()), "content-type": "application/json" };
        const nested = `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`;
        const unreadable = [
          "{",
          "[1]",
          '"x"',
          "7",
          "true",
          Uint8Array.of(0x7b, 0xff, 0x7d),
          nested,
        ];
        for (const body of unreadable) {
          const { status } = await send(call, { headers, body });
          expect([body.slice(0, 20), status]).toEqual([body.slice(0, 20), refusedAs(call, 422)]);
        }
        const large = { ...call.body, padding: "x".repeat(limit) };
        const { status } = await send(call, { headers, body: JSON.stringify(large) });
        expect(status).toBe(413);
        expect(reported).toEqual([]);
      },
    );

    test.each(rows(withBody))(
      "of fields of a wrong type are errors of the client: %s",
      async (_name, call) => {
        const { send, login, reported } = await sharedService();
        const headers = bearer(await login());
        for (const field of neededBy(call)) {
          for (const value of othersThan(Reflect.get(call.body ?? {}, field))) {
            const body = JSON.stringify({ ...call.body, [field]: value });
            const { status, body: answer } = await send(call, { headers, body });
            const expected = call.operation.id === "auth.authorize" ? 401 : refusedAs(call, 422);
            expect([field, value, status]).toEqual([field, value, expected]);
            if (expected !== 401) expect(answer.message).toContain(field);
          }
        }
        expect(reported).toEqual([]);
      },
    );

    test("of parameters of a wrong type are 422 for every list", async () => {
      const { send, login } = await sharedService();
      const headers = bearer(await login());
      for (const call of CALLS) {
        const names = numbersOf(call);
        for (const name of names) {
          for (const value of ["x", "-2", "1.5", "1e99", "99999999999999999999", "0x10"]) {
            const query = `${call.query === "" ? "?" : `${call.query}&`}${name}=${value}`;
            const { status } = await send({ ...call, query }, { headers });
            expect([nameOf(call), query, status]).toEqual([nameOf(call), query, 422]);
          }
        }
      }
    });

    test("of unknown ids are 404 wherever a path has one", async () => {
      const { send, login, reported } = await sharedService();
      const headers = bearer(await login());
      const ids = [
        ...["999999", "-1", "1.0", "1e0", "99999999999999999999", "__proto__", "constructor"],
        ...[
          "00000000-0000-4000-8000-000000000000",
          "%00",
          "%F0%9F%98%80",
          "%ED%A0%80",
          "%ff",
          "null",
        ],
        ...["1;DROP%20TABLE%20tickets", "1'--", "1%20OR%201=1", "a".repeat(2_000)],
      ];
      for (const call of CALLS.filter(({ path }) => path.includes("{"))) {
        // A missing object of app data has no values, which is no error.
        if (call.operation.id === "knowledge.appData") continue;
        for (const id of ids) {
          const path = call.path.replace(/\{\w+\}/, id);
          const { status } = await send(call, { path, headers, ...bodyOf(call) });
          expect([nameOf(call), id.slice(0, 40), status]).toEqual([
            nameOf(call),
            id.slice(0, 40),
            404,
          ]);
        }
      }
      expect(reported).toEqual([]);
    });
  });
}

/** Parts of a ticket answer 302 where others answer 422. */
function refusedAs({ operation }: Call, status: number): number {
  return operation.id === "ticketing.createSubticket" && status === 422 ? 302 : status;
}

function expectDocumented(
  operation: Call["operation"],
  status: number,
  body: Json,
  text: string,
): void {
  const documented = operation.errors.map((error) => error.status);
  expect([operation.id, documented]).toEqual([operation.id, expect.arrayContaining([status])]);
  expect(body.errors).toEqual([{ code: status, message: expect.stringMatching(/./) }]);
  // Neither the sent data nor stored data is repeated at length, nor internals of the service.
  expect(text.length).toBeLessThan(1_000);
  expect(text).not.toMatch(/secret"?:"secret|node_modules|\bat \w+ \(|SELECT |SQLITE|eyJ/);
}

const shape = z.object({
  required: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.unknown()).default({}),
});

/** Values that a field cannot have. Forms may leave out an empty list. */
function othersThan(right: unknown): readonly unknown[] {
  if (Array.isArray(right)) return [7, undefined];
  const object = { a: { b: 1 } };
  return typeof right === "object" ? [[[1]], 7, undefined] : [object, [[1]], null, undefined];
}

/** Names of the required fields. */
function neededBy({ operation, body = {} }: Call): readonly string[] {
  if (operation.body === undefined) return [];
  const written = z.toJSONSchema(operation.body, { io: "input", unrepresentable: "any" });
  const { required } = shape.parse(written);
  return required.filter((field) => Object.hasOwn(body, field));
}

/** Names of the parameters that are whole numbers. */
function numbersOf({ operation }: Call): readonly string[] {
  if (operation.query === undefined) return [];
  const written = z.toJSONSchema(operation.query, { io: "input", unrepresentable: "any" });
  const { properties } = shape.parse(written);
  return ["length", "offset", "queue", "status", "source", "classification"].filter((name) =>
    Object.hasOwn(properties, name),
  );
}
