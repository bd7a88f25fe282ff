import type { MiddlewareHandler } from "hono";
import type { ByteBudget } from "../byte-budget.ts";
import { Refusal } from "./refusal.ts";

/** What bodies take of a budget from their first byte on is given back when their request has been answered, whatever came of it. */
export function holdsBodies(budget: ByteBudget): MiddlewareHandler {
  return async function holdsBodiesMiddleware({ req: { raw } }, next) {
    if (raw.method === "GET" || raw.method === "HEAD") return next();
    const body: HeldBody = { budget, bytes: 0 };
    bodies.set(raw, body);
    try {
      await next();
    } finally {
      bodies.delete(raw);
      budget.give(body.bytes);
    }
  };
}

/** Bytes of a request's body have arrived. Throws a {@link Refusal} of 503 when there is no room for them. */
export function hold(request: Request, bytes: number): void {
  const body = bodies.get(request);
  if (body === undefined) return;
  if (!body.budget.take(bytes)) {
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
  bytes: number;
}

const bodies = new WeakMap<Request, HeldBody>();
