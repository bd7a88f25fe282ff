import { expect, onTestFinished } from "vitest";
import { type OpenBackendOptions, openBackend } from "../../../src/backend/node.ts";
import { readEvents } from "../../../src/api/call/server-sent.ts";
import type { Json } from "../client.ts";

export interface TicketBackend {
  /** Sends one request; a body that is not JSON is returned as text. */
  send(method: string, path: string, headers: object, body?: unknown): Promise<BackendAnswer>;
  /** Opens an event stream, and returns the function that reads this many of its next events. */
  listen(headers: object): Promise<(count: number) => Promise<readonly Json[]>>;
  /** Headers of the demo's app, and of its server. */
  readonly app: object;
  readonly server: object;
  /** Adds an agent of room 1 and logs in. The agent may view and edit all tickets, unless `more` differs. */
  agent(name: string, more?: object): Promise<TicketAgent>;
  /** Returns a function that makes ticketing calls of a demo project; each must succeed. */
  project(apiKey: string): Promise<(method: string, path: string, body?: unknown) => Promise<Json>>;
}

export interface TicketAgent {
  readonly id: string;
  /** Sends a request as this agent; `once` is the idempotency key, if any. */
  request(method: string, path: string, body?: unknown, once?: string): Promise<BackendAnswer>;
}

export interface BackendAnswer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

/** Opens a backend with the demo's app and both of its projects, and closes it after the test. */
export async function openTicketBackend(
  options: Pick<OpenBackendOptions, "database"> & Partial<OpenBackendOptions>,
): Promise<TicketBackend> {
  const backend = await openBackend({
    content: "config/backend",
    signingKeys: [new Uint8Array(32).fill(7)],
    demo: true,
    passwordRounds: 10,
    ...options,
  });
  onTestFinished(() => backend.close());
  const send: TicketBackend["send"] = async (method, path, headers, body) => {
    const response = await backend.app.request(path, {
      method,
      headers: { ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: Json = /^[[{]/.test(text) ? JSON.parse(text) : text;
    return { status: response.status, body: parsed, headers: response.headers };
  };
  const listen: TicketBackend["listen"] = async (headers) => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const response = await backend.app.request("/v1/events", {
      headers: { ...headers },
      signal: stop.signal,
    });
    expect(response.status).toBe(200);
    const events = response.body === null ? null : readEvents(response.body);
    return async (count) => {
      const read: Json[] = [];
      while (read.length < count) {
        const next = await events?.next();
        if (next === undefined || next.done === true) break;
        const { id, data } = next.value;
        if (data !== "") read.push({ id, ...JSON.parse(data) });
      }
      return read;
    };
  };
  const app = { "x-hyper-appId": "demo-app" };
  const server = { ...app, "x-hyper-secret": "demo-app-secret" };
  return {
    send,
    listen,
    app,
    server,
    async agent(name, more = {}) {
      const given = { login: name, password: "a long password" };
      const rights = { TICKET_VIEW: true, TICKET_EDIT: true };
      const body = { name, rooms: ["1"], rights, ...given, ...more };
      const { id } = (await send("POST", "/v1/agents", server, body)).body.agent;
      const { token } = (await send("POST", "/v1/agents/login", app, given)).body.session;
      const headers = { ...app, "x-hyper-token": token };
      return {
        id,
        request: (method, path, sent, once = "") =>
          send(
            method,
            `/v1/${path}`,
            { ...headers, ...(once !== "" && { "idempotency-key": once }) },
            sent,
          ),
      };
    },
    async project(apiKey) {
      const key = { "x-inbenta-key": apiKey };
      const login = await send("POST", "/v1/auth", key, { secret: "demo-secret" });
      const headers = { ...key, authorization: `Bearer ${login.body.accessToken}` };
      return async (method, path, body) => {
        const answer = await send(method, `/ticketing/v1/${path}`, headers, body);
        expect([path, answer.status, answer.body]).toEqual([path, 200, answer.body]);
        return answer.body;
      };
    },
  };
}
