import type { Context } from "hono";
import type { z } from "zod";
import { networkOf } from "../../client-address.ts";
import { parseBy } from "../handling.ts";
import { Refusal } from "../refusal.ts";
import type { Fields } from "../request-body.ts";
import { credentialsOf } from "./access.ts";
import type { Caller, ShownCredentials } from "./access.ts";
import type { ChatOptions } from "./options.ts";
import type { Sent } from "./read-sent.ts";

/** A request of somebody who may make it. */
export interface Asked {
  readonly options: ChatOptions;
  readonly caller: Caller;
  readonly app: string;
  /** The `{id}` of the path. */
  readonly id: string;
  readonly sent: Sent;
  readonly query: Fields;
  readonly idempotencyKey: string | null;
  readonly lastEventId: string | null;
  readonly headers: Headers;
  /** For whoever has to look at them again later. */
  readonly shown: ShownCredentials;
  readonly signal: AbortSignal;
  /** The client's address as limits count it; empty where it is unknown. */
  readonly network: string;
  /** Breaks the connection off, where this is a Node server's; else null. */
  readonly breakOff: (() => void) | null;
}

/** An object is answered as JSON. */
export type Answer = Response | object;

export type ChatHandler = (asked: Asked) => Promise<Answer>;

export function askedBy(c: Context, caller: Caller, sent: Sent, options: ChatOptions): Asked {
  const { appId: _, secret: _secret, token: _token, ...query } = c.req.query();
  return {
    options,
    caller,
    app: caller.app,
    id: c.req.param("id") ?? "",
    sent,
    query,
    idempotencyKey: c.req.header("idempotency-key") ?? null,
    lastEventId: c.req.header("last-event-id") ?? null,
    headers: c.req.raw.headers,
    shown: credentialsOf(c),
    signal: c.req.raw.signal,
    network: networkOf(options.peer?.(c) ?? ""),
    breakOff: breakOffOf(c.env),
  };
}

function breakOffOf(env: unknown): Asked["breakOff"] {
  const outgoing: unknown =
    typeof env === "object" && env !== null ? Reflect.get(env, "outgoing") : null;
  if (typeof outgoing !== "object" || outgoing === null || !("destroy" in outgoing)) return null;
  const { destroy } = outgoing;
  return typeof destroy === "function" ? () => void Reflect.apply(destroy, outgoing, []) : null;
}

/** The body by its schema. Throws 422 with the field's name. */
export function bodyBy<T>(schema: z.ZodType<T>, { sent }: Asked): T {
  // PHP sends an empty list for an empty object (row 11 of the spellings).
  if (sent.list !== null && sent.list.length > 0)
    throw new Refusal(422, "The body must be an object, not a list.");
  return parseBy(schema, sent.fields);
}

export function queryBy<T>(schema: z.ZodType<T>, { query }: Asked): T {
  return parseBy(schema, query);
}

/** Fields that may stand in the body or in the query (row 5 of the spellings); the body wins. */
export function givenBy<T>(schema: z.ZodType<T>, { query, sent }: Asked): T {
  return parseBy(schema, { ...query, ...sent.fields });
}

/**
 * Who does it: the person of the token, who can't do it for anybody else; or the one whom the app's
 * server names.
 *
 * @throws Refusal 403 for another's id, 422 when nobody is named
 */
export function actorOf({ caller }: Asked, named: string | undefined, field: string): string {
  if (caller.person !== null) {
    if (named !== undefined && named !== caller.person.id) {
      throw new Refusal(403, `${field}: this token is another person's.`);
    }
    return caller.person.id;
  }
  if (named === undefined) throw new Refusal(422, `${field}: is missing`);
  return named;
}
