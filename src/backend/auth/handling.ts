import type { Context, Hono } from "hono";
import type { z } from "zod";
import type { Operation } from "../../api/call/operation.ts";
import type { ServiceName } from "../../api/call/routes.ts";
import type { ExplainedReason } from "../../api/chat/reasons.ts";
import type { Access } from "./access.ts";
import type { Credential } from "./credentials.ts";
import { describeMistake } from "../http/describe-mistake.ts";
import { Refusal, createRefusalAnswer } from "../http/refusal.ts";
import {
  type Answer,
  createOperationRoutes,
  type Handlers,
  toResponse,
} from "../http/operation-routes.ts";
import { type Fields, readBody } from "../http/request-body.ts";

/** A request whose credentials allow it. */
export interface ApiRequest {
  readonly c: Context;
  /** The parameter in the path; empty for a path without one. */
  readonly id: string;
  readonly query: Fields;
  readonly project: string;
  readonly caller: Credential;
  /** Id of the domain key that the token was issued for; null for one issued with the secret. */
  readonly domainKey: string | null;
  /** The largest body, in bytes. */
  readonly bodyLimit: number;
}

export type ApiHandler = (asked: ApiRequest) => Promise<Answer> | Answer;

/** The handlers of a product's operations, each called once the credentials are checked. */
export type ApiHandlers<P extends ServiceName> = Handlers<P, ApiHandler>;

/** Routes a product's operations to handlers whose {@link Refusal} becomes an answer. */
export function createApiRoutes<P extends ServiceName>(
  { access, bodyLimit }: { readonly access: Access; readonly bodyLimit: number },
  operations: readonly Operation[],
  handlers: ApiHandlers<P>,
): Hono {
  return createOperationRoutes<ApiHandler>(operations, handlers, ({ id: operation }, work) =>
    access.guard(operation, async (c, caller, { domainKey }) => {
      const [id = ""] = Object.values(c.req.param());
      const { project } = caller;
      const query = c.req.query();
      try {
        return toResponse(await work({ c, id, query, project, caller, domainKey, bodyLimit }));
      } catch (error) {
        if (error instanceof Refusal) return createRefusalAnswer(c.req.path, error);
        throw error;
      }
    }),
  );
}

/** Validates the body. Throws a {@link Refusal} that names the field and its mistake. */
export async function parseBody<T>(schema: z.ZodType<T>, asked: ApiRequest): Promise<T> {
  return parseBy(schema, await bodyOf(asked));
}

/** Reads the body as an object. Throws a {@link Refusal} for one that cannot be read. */
export async function bodyOf({ c, bodyLimit }: ApiRequest): Promise<Fields> {
  const body = await readBody(c.req.raw, bodyLimit);
  if (body.ok) return body.fields;
  throw new Refusal(body.status, body.message);
}

export function parseQuery<T>(schema: z.ZodType<T>, { query }: { readonly query: Fields }): T {
  return parseBy(schema, query);
}

/** The reasons that pages show for fields with a mistake, by the field's name. */
export type FieldReasons = Readonly<Record<string, ExplainedReason>>;

/** Validates a value. Throws a {@link Refusal} of 422 that names the field and its mistake. */
export function parseBy<T>(schema: z.ZodType<T>, value: unknown, reasons: FieldReasons = {}): T {
  const parsed = schema.safeParse(value, { error: describeMistake });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String) ?? [];
  const [field = "The request"] = path;
  const message = `${path.join(".") || field}: ${issue?.message ?? "is not valid"}`;
  const why = Object.hasOwn(reasons, field) ? (reasons[field] ?? null) : null;
  throw new Refusal(422, message, {}, {}, why);
}
