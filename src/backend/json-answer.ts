import type { Context, MiddlewareHandler } from "hono";
import { alreadySent } from "./already-sent.ts";

/**
 * Writes a whole answer where the platform lets it be written at once; false leaves it to be sent
 * as any other.
 */
export type AnswerWriter = (env: unknown, head: Response, text: string) => boolean;

/**
 * An answer of JSON. Behind {@link jsonAnswers} its text is kept beside it until it is sent: a
 * `Response` with a body is a stream, and every middleware that copies the answer and the listener
 * that reads it would pay for that.
 */
export function jsonAnswer(c: Context, value: unknown): Response {
  if (c.get(KEPT) === undefined) return Response.json(value);
  c.set(KEPT, JSON.stringify(value));
  return new Response(null, { headers: { "content-type": "application/json" } });
}

/**
 * Must stand before all middleware that changes an answer: it sends what {@link jsonAnswer} kept.
 */
export function jsonAnswers(write?: AnswerWriter): MiddlewareHandler {
  return async function jsonAnswersMiddleware(c, next) {
    c.set(KEPT, null);
    await next();
    const text: unknown = c.get(KEPT);
    if (typeof text !== "string") return;
    const { res } = c;
    // Whatever took the place of the answer, such as an error's, has a body of its own.
    if (res.body !== null || res.status !== 200) return;
    const written = write?.(c.env, res, text) ?? false;
    // Hono copies the fields of the answer before, unless there is none.
    c.res = undefined;
    c.res = written ? alreadySent() : new Response(text, res);
  };
}

/** Name of the variable of a context that holds the text; null where none is kept yet. */
const KEPT = "backend.json-text";
