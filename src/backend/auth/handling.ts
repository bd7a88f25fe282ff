import type { Context } from "hono";
import type { z } from "zod";
import type { Operation } from "../../api/call/operation.ts";
import type { ExplainedReason } from "../../api/chat/reasons.ts";
import type { Access } from "./access.ts";
import type { Credential } from "./credentials.ts";
import { Refusal, createRefusalAnswer } from "../http/refusal.ts";
import { readBody } from "../http/request-body.ts";
import type { Fields } from "../http/request-body.ts";

/** A request whose credentials allow it. */
export interface ApiRequest {
  readonly c: Context;
  readonly query: Fields;
  readonly project: string;
  readonly caller: Credential;
  /** Id of the domain key whose token this is, or null for a token of the secret. */
  readonly domainKey: string | null;
}

/** Checks credentials before a handler, and turns its {@link Refusal} into an answer. */
export function createHandler(
  { access }: { readonly access: Access },
  operation: Operation["id"],
  work: (asked: ApiRequest) => Promise<Response>,
): (c: Context) => Promise<Response> {
  return access.guarded(operation, async (c, caller, { domainKey }) => {
    try {
      return await work({ c, query: c.req.query(), project: caller.project, caller, domainKey });
    } catch (error) {
      if (error instanceof Refusal) return createRefusalAnswer(c.req.path, error);
      throw error;
    }
  });
}

/** Validates the body. Throws a {@link Refusal} that names the field and its mistake. */
export async function bodyBy<T>(
  schema: z.ZodType<T>,
  asked: ApiRequest,
  limits: { readonly bodyLimit: number },
): Promise<T> {
  return parseBy(schema, await bodyOf(asked, limits));
}

/** The body as an object. Throws a {@link Refusal} for one that cannot be read. */
export async function bodyOf(
  { c }: ApiRequest,
  { bodyLimit }: { readonly bodyLimit: number },
): Promise<Fields> {
  const body = await readBody(c.req.raw, bodyLimit);
  if (body.ok) return body.fields;
  throw new Refusal(body.status, body.message);
}

export function parseQuery<T>(schema: z.ZodType<T>, { query }: { readonly query: Fields }): T {
  return parseBy(schema, query);
}

/** The reasons that a page says for fields with a mistake, by the field's name. */
export type FieldReasons = Readonly<Record<string, ExplainedReason>>;

/** Throws a {@link Refusal} of 422 that names the field. */
export function parseBy<T>(schema: z.ZodType<T>, value: unknown, reasons: FieldReasons = {}): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String) ?? [];
  const [field = "The request"] = path;
  const message = `${path.join(".") || field}: ${issue?.message ?? "is not valid"}`;
  const why = Object.hasOwn(reasons, field) ? (reasons[field] ?? null) : null;
  throw new Refusal(422, message, {}, {}, why);
}
