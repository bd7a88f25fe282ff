// Suite: slow
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { AUTH_OPERATIONS } from "../../src/api/auth/schema.ts";
import { errorBodyOf } from "../../src/api/call/error-body.ts";
import { ROUTES, routeOf, type ServiceName } from "../../src/api/call/routes.ts";
import { CHATBOT_OPERATIONS } from "../../src/api/chatbot/operations.ts";
import { KNOWLEDGE_OPERATIONS } from "../../src/api/knowledge/operations.ts";
import { TICKETING_OPERATIONS } from "../../src/api/ticketing/operations.ts";
import { share } from "../fixtures/runs.ts";
import { type App, clock, type Clock, type Json, open, resume } from "./client.ts";

/** Hostile ids and values, as they are written in an address. */
const HOSTILE = [
  ...["%00", "%0d%0aX-Evil:1", "..%2f..%2f1", "%2e%2e", "1e309", "-1", "0", "9007199254740993"],
  ...["%ED%A0%80", "%F0%9F%98%80", "%", "1%20OR%201=1", "__proto__", "%E2%80%AE1", "NaN", "1.5"],
  "9".repeat(10_000),
  "a".repeat(10_000),
];
/** The same in a body. */
const VALUES: readonly unknown[] = [
  ...["\u0000", "\ud800", "../1", "1e309", "\u{1f600}", "x".repeat(10_000), "__proto__", ""],
  ...[-1, 1e300, 1.5, 0, null, true, [], {}, [[[[]]]], { __proto__: 1 }, ["\udfff"]],
];
/** Fields that operations read, each with hostile values in it. */
const FIELDS = [
  ...["name", "address", "message", "title", "creator", "solver", "queue", "source", "status"],
  ...["parent", "extra", "media", "classification", "external_id", "actor", "content", "query"],
  ...["data", "type", "pages", "weeks", "item", "url", "secret", "sourceType", "sourceId", "token"],
  ...["lang", "option", "directCall", "payload", "environment", "values", "code", "contentId"],
];

/** The operations that take no token. A new one fails a test until it stands here. */
const WITHOUT_TOKEN: ReadonlySet<string> = new Set(["auth.authorize"]);

interface Row {
  readonly product: ServiceName;
  readonly id: string;
  readonly method: string;
  /** With the prefix of its product. */
  readonly path: string;
  readonly query: readonly string[];
}

/** Every spelling of every operation. The live chat's have access-table.test.ts beside them. */
const rows: readonly Row[] = (["auth", "chatbot", "ticketing", "knowledge"] as const).flatMap(
  (product) =>
    Object.keys(ROUTES[product]).flatMap((name) => {
      const { id, method, path, aliases, query } = routeOf(product, name);
      return [path, ...aliases].map((one) => ({
        ...{ product, id, method, query },
        path: `/${product}${one.startsWith("/v1") ? one : `/v1${one}`}`,
      }));
    }),
);

/** The published shape of each operation's body, as text; "null" where it has none. */
const bodies: ReadonlyMap<string, string> = new Map(
  [AUTH_OPERATIONS, CHATBOT_OPERATIONS, TICKETING_OPERATIONS, KNOWLEDGE_OPERATIONS].flatMap(
    (operations) =>
      operations.map(({ id, body = null }) => [
        id,
        JSON.stringify(body && z.toJSONSchema(body, { io: "input", unrepresentable: "any" })),
      ]),
  ),
);

interface House {
  readonly app: App;
  readonly time: Clock;
  /** Of two projects. */
  readonly shop: Record<string, string>;
  readonly other: Record<string, string>;
  readonly failures: unknown[];
}

async function house(): Promise<House> {
  const time = clock();
  const failures: unknown[] = [];
  const { app } = await open({
    now: time.now,
    demo: false,
    limits: null,
    report: (error) => failures.push(error),
    credentials: [
      { apiKey: "key", secret: "secret", project: "shop" },
      { apiKey: "other-key", secret: "secret", project: "modern" },
    ],
  });
  const login = async (apiKey: string): Promise<Record<string, string>> => {
    const headers = { "x-inbenta-key": apiKey };
    const answer = await app.request("/v1/auth", {
      ...{ method: "POST", headers, body: '{"secret":"secret"}' },
    });
    const { accessToken }: Json = await answer.json();
    const caller = { ...headers, authorization: `Bearer ${accessToken}` };
    const started = await app.request("/v1/conversation", { method: "POST", headers: caller });
    const { sessionToken }: Json = await started.json();
    return { ...caller, "x-inbenta-session": `Bearer ${sessionToken}` };
  };
  return { app, time, shop: await login("key"), other: await login("other-key"), failures };
}

/**
 * Describes the fault of an answer; null for none. A fault of the service is 5xx, or has another
 * shape.
 */
async function faultOf(
  { app }: House,
  { product, method }: Row,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<{ readonly status: number; readonly text: string; readonly fault: string | null }> {
  const answer = await app.request(`http://service.test${path}`, {
    method,
    headers,
    ...(method !== "GET" && method !== "DELETE" && { body: JSON.stringify(body ?? {}) }),
  });
  const { status } = answer;
  const text = await answer.text();
  const where = `${method} ${path.slice(0, 90)} ${(JSON.stringify(body) ?? "").slice(0, 90)}`;
  const found = (why: string) => ({ status, text, fault: `${where}: ${status} ${why}` });
  if (status >= 500) return found(text);
  if (status < 400) return { status, text, fault: null };
  const wanted = Object.keys(errorBodyOf(product, status, "x")).toSorted();
  const read: Json = text.startsWith("{") ? JSON.parse(text) : null;
  const keys = new Set(Object.keys(read ?? {}));
  if (!wanted.every((key) => keys.has(key))) return found(text.slice(0, 90));
  const { code, message } = read.errors?.[0] ?? read.error;
  if (code !== status || typeof message !== "string") return found(text.slice(0, 90));
  return { status, text, fault: null };
}

const fill = (path: string, id: string): string => path.replaceAll(/\{\w+\}/g, id);

test("every route of the backend's router is a row of this table", async () => {
  const { app } = await house();
  const served = app.routes
    .filter(({ method }) => method !== "ALL" && method !== "OPTIONS")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+(\{[^}]*\})?/g, "{}")}`)
    .map((one) =>
      one.replace(
        / \/(?:chatbot\/)?(?:v1\/)?(?=conversation|tracking|app|surveys)/,
        " /chatbot/v1/",
      ),
    )
    .map((one) => one.replace(" /v1/", " /auth/v1/"));
  const known = new Set(rows.map(({ method, path }) => `${method} ${fill(path, "{}")}`));
  const pages = / \/(?:page\/?)?(?:docs.*|desk.*|\{\}.*)?$/;
  expect([...new Set(served)].filter((one) => !known.has(one) && !pages.test(one))).toEqual([]);
  expect(
    rows.filter(({ method, path }) => !served.includes(`${method} ${fill(path, "{}")}`)),
  ).toEqual([]);
});

test("every operation is refused without credentials, with expired ones, and with another project's key", async () => {
  const made = await house();
  const { shop, other, time } = made;
  const mixed = { ...shop, "x-inbenta-key": "other-key" };
  const nobody: readonly (readonly [string, Record<string, string>])[] = [
    ["nothing", {}],
    ["a key alone", { "x-inbenta-key": "key" }],
    ["a foreign key", mixed],
    ["a foreign token", { ...other, "x-inbenta-key": "key" }],
  ];
  const found: string[] = [];
  const askAll = async (who: string, headers: Record<string, string>): Promise<void> => {
    for (const row of rows.filter(({ id }) => !WITHOUT_TOKEN.has(id))) {
      const { status, fault } = await faultOf(made, row, fill(row.path, "1"), headers);
      if (fault !== null || ![401, 403].includes(status))
        found.push(`${who}: ${row.method} ${row.path}: ${fault ?? status}`);
    }
  };
  for (const [who, headers] of nobody) await askAll(who, headers);
  time.advance(86_400);
  await askAll("an expired token", shop);
  expect(found).toEqual([]);
  expect(made.failures).toEqual([]);
});

describe("hostile", () => {
  test("ids and parameters are refused in the product's shape, or ignored", async () => {
    const made = await house();
    const found: string[] = [];
    for (const row of rows) {
      const places = [
        ...(row.path.includes("{") ? [(value: string) => fill(row.path, value)] : []),
        ...row.query.map((name) => (value: string) => `${fill(row.path, "1")}?${name}=${value}`),
      ];
      for (const value of HOSTILE)
        for (const place of places) {
          const { fault } = await faultOf(made, row, place(value), made.shop);
          if (fault !== null) found.push(fault);
        }
    }
    expect(found).toEqual([]);
    expect(made.failures).toEqual([]);
  });

  test("fields of a body are refused in the product's shape, or kept", async () => {
    const made = await house();
    const found: string[] = [];
    for (const row of rows.filter(({ method }) => method === "POST" || method === "PUT"))
      for (const [index, field] of FIELDS.entries()) {
        // An operation should ignore the fields of others.
        const own = bodies.get(row.id)?.includes(`"${field}"`) === true;
        for (const value of own ? VALUES : share(VALUES, index)) {
          const body = { name: "x", message: "x", query: "x", type: "x", [field]: value };
          const { fault } = await faultOf(made, row, fill(row.path, "1"), made.shop, body);
          if (fault !== null) found.push(fault);
        }
      }
    expect(found).toEqual([]);
    expect(made.failures).toEqual([]);
  });
});

test("what one project has is unknown to another in every operation", async () => {
  const made = await house();
  const { app, shop, other } = made;
  const asShop = resume(app, shop);
  const secret = "Amaranthine";
  const person = await asShop.post("/ticketing/v1/users", {
    ...{ name: secret, address: "amaranthine@example.test" },
  });
  const { body: ticket } = await asShop.post("/ticketing/v1/tickets", {
    ...{ title: secret, message: secret, creator: person.body.uuid, external_id: secret },
  });
  const content = Buffer.from(`\x89PNG\r\n\x1a\n${secret}`, "latin1").toString("base64");
  const media = await asShop.post("/ticketing/v1/media", { name: `${secret}.png`, content });
  const survey = await asShop.post("/ticketing/v1/surveys", { name: secret, pages: [] });
  await asShop.post("/chatbot/v1/conversation/message", { message: secret });
  const own = [person.body, ticket, media.body, survey.body];
  const ids = own.flatMap(({ uuid, hash_uuid: hash }: Json) => [uuid, hash]);
  const known = [...new Set(ids.filter((id) => id !== undefined).map(String))];
  // The numbers of all begin at 1, and three of the four have a hash.
  expect(known).toHaveLength(4);
  const found: string[] = [];
  for (const row of rows) {
    const queries = row.query.flatMap((name) =>
      [secret, "amaranthine@example.test", ...known].map((value) => `?${name}=${value}`),
    );
    for (const id of row.path.includes("{") ? known : [""])
      for (const query of ["", ...queries]) {
        const body = { message: "x", creator: person.body.uuid, name: "x" };
        const asked = await faultOf(made, row, fill(row.path, id) + query, other, body);
        if (asked.fault !== null) found.push(asked.fault);
        if (asked.text.replaceAll(query.slice(1), "").toLowerCase().includes(secret.toLowerCase()))
          found.push(`${row.method} ${row.path}${query}: ${asked.text.slice(0, 200)}`);
      }
  }
  expect(found).toEqual([]);
  const read = await asShop.get(`/ticketing/v1/tickets/${ticket.hash_uuid}`);
  expect([read.status, JSON.stringify(read.body)]).toEqual([200, expect.stringContaining(secret)]);
});
