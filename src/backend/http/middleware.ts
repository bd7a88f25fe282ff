import type { Context, Hono, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { findLimitedNetwork } from "../../http/client-address.ts";
import type { ByteBudget } from "../../http/shares.ts";
import { createErrorAnswer, Refusal, describeTooLarge } from "./refusal.ts";

/**
 * Lets chat widgets on other sites call. Their origin is echoed, but without the browser's
 * credentials. Keys and tokens travel in headers, which only a page that knows them can send. A
 * preflight may ask for any further `x-` header.
 */
export function allowWidgetOrigins(): MiddlewareHandler {
  const usual = createCors(usualFields);
  return async function widgetCorsMiddleware(c, next) {
    const further = listFurtherFields(c.req.header("access-control-request-headers") ?? "");
    return further.length === 0
      ? usual(c, next)
      : createCors([...usualFields, ...further])(c, next);
  };
}

const usualFields = [
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
// A chat app's secret has no business in a browser (seed.md 7.1).
const neverFurther = new Set(["x-hyper-secret", ...usualFields.map((name) => name.toLowerCase())]);

function createCors(allowHeaders: string[]): MiddlewareHandler {
  const allowMethods = ["GET", "POST", "PUT", "DELETE", "OPTIONS"];
  return cors({ origin: (origin) => origin, allowMethods, allowHeaders, maxAge: 600 });
}

function listFurtherFields(requested: string): readonly string[] {
  return requested
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => /^x-[\w-]{1,60}$/.test(name) && !neverFurther.has(name))
    .slice(0, 20);
}

/**
 * Routes chat requests on plain paths to the chat, as a gateway does. Other products have the same
 * paths, so the credentials decide: an `x-hyper-*` header, the query `appId`, or a preflight that
 * asks for such a header.
 */
export function routeToChat(chat: Hono): MiddlewareHandler {
  return async function routeToChatMiddleware(c, next) {
    const isChat = chatPaths.test(c.req.path) && hasChatCredentials(c.req.raw);
    return isChat ? chat.fetch(c.req.raw, c.env) : next();
  };
}

const chatPaths = /^\/(?:v1|media|settings|surveys)(?:\/|$)/;

function hasChatCredentials({ method, url, headers }: Request): boolean {
  if ([...headers.keys()].some((name) => name.startsWith("x-hyper-"))) return true;
  if (/[?&]appId=/.test(url)) return true;
  const asked = headers.get("access-control-request-headers") ?? "";
  return method === "OPTIONS" && /(?:^|[,\s])x-hyper-/i.test(asked);
}

/** Refuses a body that says that it is longer than `limit` bytes. */
export function limitLength(limit: number): MiddlewareHandler {
  return async function limitLengthMiddleware({ req }, next) {
    const isTooLong = Number(req.header("content-length") ?? 0) > limit;
    return isTooLong ? createErrorAnswer(req.path, 413, describeTooLarge(limit)) : next();
  };
}

/**
 * Returns the bytes of a request's body to the budget when the request has been answered, or has
 * failed.
 */
export function limitHeldBodies(
  budget: ByteBudget,
  peer: (c: Context) => string | null = () => null,
): MiddlewareHandler {
  return async function limitHeldBodiesMiddleware(c, next) {
    const { raw } = c.req;
    if (raw.method === "GET" || raw.method === "HEAD") return next();
    const body: HeldBody = { budget, client: findLimitedNetwork(peer(c) ?? ""), bytes: 0 };
    bodies.set(raw, body);
    try {
      await next();
    } finally {
      bodies.delete(raw);
      budget.give(body.bytes, body.client);
    }
  };
}

/**
 * Takes bytes of a request's body from the budget. Throws a {@link Refusal} of 503 when it has none
 * left.
 */
export function holdBytes(request: Request, bytes: number): void {
  const body = bodies.get(request);
  if (body === undefined) return;
  if (!body.budget.take(bytes, body.client)) {
    throw new Refusal(
      503,
      "Too much is being sent. Try again in a second.",
      {},
      { "retry-after": "1" },
    );
  }
  body.bytes += bytes;
}

interface HeldBody {
  readonly budget: ByteBudget;
  readonly client: string | null;
  bytes: number;
}

const bodies = new WeakMap<Request, HeldBody>();

/** Requests that are being answered. */
export interface InFlight {
  readonly count: number;
  /** Counts each request until it has been answered. */
  readonly middleware: MiddlewareHandler;
  /** Resolves when none is left, or after `most` milliseconds. */
  idle(most: number): Promise<void>;
}

/**
 * Counts requests that are being answered. A client may be gone long before that, so a server that
 * waited only for connections would close the database too early.
 */
export function countInFlight(): InFlight {
  let count = 0;
  let rest: (() => void) | null = null;
  return {
    get count() {
      return count;
    },
    async middleware(_c, next) {
      count += 1;
      try {
        await next();
      } finally {
        count -= 1;
        if (count === 0) rest?.();
      }
    },
    async idle(most) {
      if (count === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, most);
        rest = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
