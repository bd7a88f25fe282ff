import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

/**
 * Lets pages on other sites sign users up and act with a user's or agent's own token. `x-hyper-secret` is not among the
 * headers, on purpose: a secret has no business in a browser (seed.md 7.1), and so no browser can send it from a page.
 */
export function chatCors(): MiddlewareHandler {
  return cors({
    origin: (origin) => origin,
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
