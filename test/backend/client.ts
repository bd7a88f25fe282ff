import { openBackend } from "../../src/backend/node.ts";
import type { OpenBackend, OpenBackendOptions } from "../../src/backend/node.ts";
import { closeAfterFile } from "../fixtures/opened.ts";
import { holdAgainstDocumentation } from "./docs/held.ts";

export const contentDirectory: string = new URL("../../config/backend", import.meta.url).pathname;

/** A clock that a test moves by hand. It starts at a whole second. */
export interface Clock {
  now: () => number;
  advance(seconds: number): void;
}

export function clock(): Clock {
  let time = Date.UTC(2026, 0, 1);
  return {
    now: () => time,
    advance(seconds) {
      time += seconds * 1000;
    },
  };
}

export const signingKey: Uint8Array = new Uint8Array(32).fill(7);

/** A backend that is closed after the test file at the latest. */
export async function open(options: Partial<OpenBackendOptions> = {}): Promise<OpenBackend> {
  const backend = await openBackend({
    content: contentDirectory,
    database: null,
    signingKeys: [signingKey],
    demo: true,
    passwordRounds: 10,
    ...options,
  });
  closeAfterFile(backend.close);
  return backend;
}

// Tests assert on everything that they read of an answer, so its type would only repeat the
// assertions.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export type App = OpenBackend["app"];

export interface Reply {
  readonly status: number;
  readonly body: Json;
}

/**
 * Sends one request in this process, and compares its answer with the published documentation. A
 * body that is not a string is sent as JSON.
 */
export async function ask(
  app: App,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Reply> {
  const response = await app.request(path, {
    method,
    headers,
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const read: Json = text === "" ? null : JSON.parse(text);
  holdAgainstDocumentation(method, path, response.status, read);
  return { status: response.status, body: read };
}

/** Headers of a client that has logged in. */
export async function login(app: App, key = "demo-key"): Promise<Record<string, string>> {
  const { body } = await ask(
    app,
    "POST",
    "/v1/auth",
    { "x-inbenta-key": key },
    { secret: "demo-secret" },
  );
  return { "x-inbenta-key": key, authorization: `Bearer ${body.accessToken}` };
}

/** A conversation: its headers, and the values to continue it. */
export interface Talk {
  readonly headers: Record<string, string>;
  readonly say: (message: unknown) => Promise<Json>;
  readonly send: (body: unknown) => Promise<Reply>;
  readonly get: (path: string) => Promise<Reply>;
  readonly post: (path: string, body: unknown) => Promise<Reply>;
}

export async function talk(
  app: App,
  start: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Talk> {
  const caller = { ...(await login(app, start.key)), ...start.headers };
  const { body } = await ask(app, "POST", "/v1/conversation", caller, start.body);
  return resume(app, { ...caller, "x-inbenta-session": `Bearer ${body.sessionToken}` });
}

export function resume(app: App, headers: Record<string, string>): Talk {
  const post = (path: string, body: unknown): Promise<Reply> =>
    ask(app, "POST", path, headers, body);
  const send = (body: unknown): Promise<Reply> => post("/v1/conversation/message", body);
  return {
    headers,
    send,
    post,
    get: (path) => ask(app, "GET", path, headers),
    async say(message) {
      const { body } = await send({ message });
      return body.answers[0];
    },
  };
}
