import type { MiddlewareHandler } from "hono";

/**
 * Browsers take an answer for what its type says and for nothing else, and nobody keeps what people
 * wrote or a token.
 */
export function safeAnswers(): MiddlewareHandler {
  return async function safeAnswersMiddleware(c, next) {
    await next();
    c.res.headers.set("x-content-type-options", "nosniff");
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  };
}
