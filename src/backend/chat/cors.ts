import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { credentialsOf } from "./access.ts";

/**
 * Lets pages on other sites sign users up and act with a user's or agent's own token. A secret has
 * no business in a browser (seed.md 7.1): `x-hyper-secret` is not among the headers, and what
 * carries a secret otherwise is refused and told to no page.
 */
export function chatCors(): MiddlewareHandler {
  return cors({
    origin: (origin, c) => (credentialsOf(c).secret === null ? origin : null),
    allowMethods: ["GET", "POST", "PUT", "DELETE", "OPTIONS"],
    allowHeaders: [
      "Accept",
      "Content-Type",
      "Idempotency-Key",
      "Last-Event-ID",
      "X-Requested-With",
      "x-hyper-appId",
      "x-hyper-key",
      "x-hyper-token",
      "X-Inbenta-Hyperchat-Client-Lib",
    ],
    maxAge: 600,
  });
}
