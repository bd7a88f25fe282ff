import type { Hono } from "hono";
import { expect } from "vitest";
import type { z } from "zod";
import type { Operation } from "../../src/api/call/operation.ts";
import type { Json } from "./client.ts";
import type { GatewayInFront } from "./through-gateway.ts";

export interface Answered {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

/** A caller of one product, who logs in and discovers its address before every call. */
export interface Asking {
  /** The address of the authentication service. */
  readonly origin: string;
  readonly request: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Successful answers are checked against the published shapes, and others against the published
   * errors.
   */
  askAs(
    apiKey: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: object,
  ): Promise<Answered>;
}

export interface AskingOptions {
  readonly app: Hono;
  readonly product: "ticketing" | "knowledge";
  readonly operations: readonly Operation[];
  /**
   * A gateway in front of it, over real sockets. Without one, requests are answered in this
   * process.
   */
  readonly getGateway?: (() => GatewayInFront) | undefined;
}

export function asking({ app, product, operations, getGateway }: AskingOptions): Asking {
  const gateway = getGateway?.();
  gateway?.forwardTo(app);
  const origin = gateway?.url ?? "http://service.test";
  const request: Asking["request"] = async (url, init) =>
    gateway === undefined ? app.request(url, init) : fetch(url, { redirect: "manual", ...init });
  const held = holding(operations);
  return {
    origin,
    request,
    async askAs(apiKey, method, path, body, headers = {}) {
      const login = await request(`${origin}/v1/auth`, {
        method: "POST",
        headers: { "x-vendor-key": apiKey },
        body: '{"secret":"secret"}',
      });
      const { accessToken, apis }: Json = await login.json();
      const response = await request(`${apis[product]}/v1${path}`, {
        method,
        headers: { "x-vendor-key": apiKey, authorization: `Bearer ${accessToken}`, ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const parsed: Json = text.startsWith("{") ? JSON.parse(text) : text;
      if (method === "HEAD") expect([response.status, text]).toEqual([200, ""]);
      else if (response.ok) held(method, path, parsed);
      else if (response.status !== 401) expect(parsed).toMatchObject(errorShape(response.status));
      return { status: response.status, body: parsed, headers: response.headers };
    },
  };
}

function errorShape(code: number): object {
  return { message: expect.any(String), error: { code }, errors: [{ code }] };
}

function holding(
  operations: readonly Operation[],
): (method: string, path: string, body: Json) => void {
  const rows = operations
    .flatMap((operation) =>
      [operation.path, ...(operation.aliases ?? [])].map((path) => ({
        ...operation,
        pattern: new RegExp(`^${path.replace(/^\/v1/, "").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
        // A word that is a path of its own is not an id.
        names: (path.match(/\{/g) ?? []).length,
      })),
    )
    .toSorted((a, b) => a.names - b.names);
  return (method, path, body) => {
    const bare = (path.split("?")[0] ?? "").replace(/\/$/, "");
    const row = rows.find((one) => one.method === method && one.pattern.test(bare));
    if (row === undefined) throw new Error(`${method} ${path} is not among the operations`);
    const schema: z.ZodType | null = row.answer;
    if (schema !== null) expect(schema.safeParse(body).error?.issues ?? []).toEqual([]);
  };
}
