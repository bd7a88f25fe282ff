import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

const always = [
  "Origin",
  "X-Requested-With",
  "Content-Type",
  "Accept",
  "Authorization",
  "X-Inbenta-Key",
  "X-Vendor-Key",
  "X-Inbenta-Session",
  "X-Inbenta-Env",
  "X-Inbenta-User-Type",
  "X-Inbenta-Source",
  "Idempotency-Key",
];

/**
 * Lets chat widgets on other sites call. Their origin is echoed and never combined with credentials
 * of the browser: keys and tokens travel in headers that only a page which knows them can send. A
 * preflight may ask for any further `x-` header.
 */
export function widgetCors(): MiddlewareHandler {
  const usual = withNames(always);
  return async function widgetCorsMiddleware(c, next) {
    const asked = c.req.header("access-control-request-headers");
    if (asked === undefined) return usual(c, next);
    const further = extraNames(asked);
    return further.length === 0 ? usual(c, next) : withNames([...always, ...further])(c, next);
  };
}

function withNames(names: readonly string[]): MiddlewareHandler {
  return cors({
    origin: (origin) => origin,
    allowMethods: ["GET", "POST", "PUT", "DELETE", "OPTIONS"],
    allowHeaders: [...names],
    maxAge: 600,
  });
}

function extraNames(requested: string): readonly string[] {
  const known = new Set(always.map((name) => name.toLowerCase()));
  return (
    requested
      .split(",")
      .map((name) => name.trim().toLowerCase())
      // A chat app's secret has no business in a browser (seed.md 7.1).
      .filter(
        (name) => /^x-[\w-]{1,60}$/.test(name) && !known.has(name) && name !== "x-hyper-secret",
      )
      .slice(0, 20)
  );
}
