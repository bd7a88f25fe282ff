import { randomBytes } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { REFUSAL_REASONS } from "../../../src/api/chat/reasons.ts";
import type { Hono } from "hono";
import { registerApp } from "../../../src/backend/chat/agents/apps.ts";
import { doChatChores, sweepChat } from "../../../src/backend/chat/chores.ts";
import { chatOutbox } from "../../../src/backend/chat/emit.ts";
import { deliverEvents } from "../../../src/backend/webhooks/deliveries.ts";
import type { ChatFeed } from "../../../src/backend/chat/events/feed.ts";
import type { ChatOptions } from "../../../src/backend/chat/options.ts";
import { createChatRoutes, feedFor } from "../../../src/backend/chat/routes.ts";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import type { HookAnswer, HookRequest } from "../../../src/backend/webhooks/hook-transport.ts";
import { createChatClient } from "../../../src/api/chat/client.ts";
import type { ChatClient } from "../../../src/api/chat/client-types.ts";
import { CHAT_OPERATIONS } from "../../../src/api/chat/operations.ts";
import { sendCall } from "../../../src/api/call/http-call.ts";
import { clock } from "../client.ts";
import type { Clock, Json } from "../client.ts";

export interface Answered {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

/** The live chat over a database, as its callers see it. */
export interface Service {
  readonly routes: Hono;
  readonly options: ChatOptions & { readonly feed: ChatFeed };
  readonly time: Clock;
  readonly appId: string;
  readonly secret: string;
  readonly client: ChatClient;
  /** Calls to registered addresses, and the answers to them. */
  readonly hooks: {
    readonly calls: HookRequest[];
    answer: (call: HookRequest) => HookAnswer | Promise<HookAnswer>;
  };
  /**
   * Sends one request with the app's secret. Successful answers are checked against the published
   * shapes.
   */
  ask(method: string, path: string, body?: unknown, headers?: object): Promise<Answered>;
  /** As `ask`, for another app. */
  askOther(method: string, path: string, body?: unknown): Promise<Answered>;
  /** As `ask`, with a token in place of the secret. */
  askAs(token: string, method: string, path: string, body?: unknown): Promise<Answered>;
  chores(): Promise<void>;
  sweep(): Promise<void>;
  deliver(): Promise<void>;
  /** Creates a user, and returns the id. */
  user(more?: object): Promise<string>;
  /** Creates an agent (online, in room 1, with one slot), and returns the id. */
  agent(more?: object): Promise<string>;
  /** Creates a chat of a new user. */
  chat(more?: object): Promise<Json>;
  /** Lists the names of a chat's events so far, except those about writing. */
  eventsOf(chat: string): Promise<string[]>;
}

export async function service(
  address: string | null,
  more: Partial<ChatOptions> = {},
): Promise<Service> {
  const time = clock();
  // Not shared with other tests: what a chat began may still run as its test ends.
  const database = await openDatabase(address);
  onTestFinished(() => database.close());
  const hooks: Service["hooks"] = { calls: [], answer: echo };
  const options: ChatOptions = {
    database,
    now: time.now,
    random: (length) => Uint8Array.from(randomBytes(length)),
    bodyLimit: 10_485_760,
    wire: "deployed",
    hooks: async (request) => {
      hooks.calls.push(request);
      return hooks.answer(request);
    },
    demo: false,
    report: (error) => {
      throw error;
    },
    passwordRounds: 10,
    ...more,
  };
  const failures: unknown[] = [];
  const report = (error: unknown): void => void failures.push(error);
  const feed = feedFor({ ...options, report });
  onTestFinished(() => feed.close());
  const routes = createChatRoutes({ ...options, feed, report });
  onTestFinished(() => expect(failures).toEqual([]));
  const mine = await registerApp(options, "Mine");
  const other = await registerApp(options, "Other");

  const askWith = async (
    credentials: object,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answered> => {
    const response = await routes.request(path.startsWith("/") ? path : `/v1/${path}`, {
      method,
      headers: { ...credentials },
      ...(body !== undefined && { body: encoded(body) }),
    });
    const text = await response.text();
    const parsed: Json = /^[[{]/.test(text) ? JSON.parse(text) : text;
    if (response.ok) holdAgainstShape(method, path, parsed);
    else expectError(response.status, parsed);
    return { status: response.status, body: parsed, headers: response.headers };
  };
  const secretOf = ({ appId, secret }: typeof mine): object => ({
    "x-hyper-appId": appId,
    "x-hyper-secret": secret,
  });
  const ask: Service["ask"] = (method, path, body, headers = {}) =>
    askWith({ ...secretOf(mine), ...headers }, method, path, body);
  await ask("POST", "rooms", { id: 1, name: "Help" });
  const user: Service["user"] = async (about = {}) =>
    (await ask("POST", "users", { name: "Ana", ...about })).body.user.id;
  let logins = 0;
  return {
    routes,
    options: { ...options, feed },
    time,
    appId: mine.appId,
    secret: mine.secret,
    hooks,
    ask,
    askOther: (...asked) => askWith(secretOf(other), ...asked),
    askAs: (token, ...asked) =>
      askWith({ "x-hyper-appId": mine.appId, "x-hyper-token": token }, ...asked),
    chores: () => doChatChores(options),
    sweep: () => sweepChat(options),
    deliver: () =>
      deliverEvents(chatOutbox, {
        ...options,
        hooks: options.hooks ?? (() => Promise.reject(new Error("no hooks"))),
        report: () => undefined,
      }),
    user,
    async agent(about = {}) {
      logins += 1;
      const agent = { name: "Sam", login: `sam-${logins}`, password: "a long password" };
      const usual = { rooms: ["1"], slots: 1, online: true };
      const made = await ask("POST", "agents", { ...agent, ...usual, ...about });
      expect(made.status).toBe(200);
      return made.body.agent.id;
    },
    async chat(about = {}) {
      const made = await ask("POST", "chats", { room: 1, creator: await user(), ...about });
      expect([made.status, made.body.error]).toEqual([200, undefined]);
      return made.body.chat;
    },
    async eventsOf(chat) {
      const { body } = await ask("GET", `chats/${chat}/history`);
      return body.history.map((event: Json) => event.trigger);
    },
    client: createChatClient({
      url: "http://chat.test",
      appId: mine.appId,
      secret: mine.secret,
      wire: options.wire,
      send: (call) =>
        sendCall(call, {
          fetch: async (url, init) => routes.request(url, init),
          timeout: 5_000,
          now: time.now,
          secrets: () => [mine.secret],
        }),
    }),
  };
}

/**
 * Answers like a well-behaved address: it returns the handshake's secret, and accepts everything
 * else.
 */
export function echo({ headers }: HookRequest): HookAnswer {
  const secret = headers["x-hook-secret"];
  const back = new Map(secret === undefined ? [] : [["x-hook-secret", secret]]);
  return { ok: true, status: 200, text: "", headers: back };
}

function encoded(body: unknown): string | FormData {
  return typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body);
}

const rows = CHAT_OPERATIONS.flatMap((operation) =>
  [operation.path, ...(operation.aliases ?? [])].map((path) => ({
    operation,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    named: path.includes("{"),
  })),
).toSorted((a, b) => Number(a.named) - Number(b.named));

/** Every answer of the service has the shape that is published for its operation. */
function holdAgainstShape(method: string, path: string, body: Json): void {
  const whole = path.startsWith("/") ? path : `/v1/${path}`;
  const bare = (whole.split("?")[0] ?? "").replace(/\/$/, "");
  const row = rows.find(
    ({ operation, pattern }) => operation.method === method && pattern.test(bare),
  );
  if (row === undefined) throw new Error(`${method} ${path} is not among the operations`);
  const { answer } = row.operation;
  if (answer === null || typeof body === "string") return;
  expect(answer.safeParse(body).error?.issues ?? []).toEqual([]);
}

/** Bytes of a small picture. */
export const png: Uint8Array = Uint8Array.from([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4,
]);

/** Every error has its status and a message; some have a reason that the desk says. */
function expectError(status: number, body: Json): void {
  const { reason, params, ...error } = body.error;
  expect({ ...body, error }).toEqual({ error: { code: status, message: expect.any(String) } });
  const known = [undefined, ...REFUSAL_REASONS];
  expect(known).toContain(reason);
  expect(typeof params).toBe(reason === undefined ? "undefined" : "object");
}
