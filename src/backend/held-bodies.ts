import type { Context, MiddlewareHandler } from "hono";
import type { ByteBudget } from "../shares.ts";
import { limitedNetwork } from "../client-address.ts";
import { Refusal } from "./refusal.ts";

/** Returns the body's share of the budget when its request is answered or has failed. */
export function holdsBodies(
  budget: ByteBudget,
  peer: (c: Context) => string | null = () => null,
): MiddlewareHandler {
  return async function holdsBodiesMiddleware(c, next) {
    const { raw } = c.req;
    if (raw.method === "GET" || raw.method === "HEAD") return next();
    const body: HeldBody = { budget, client: limitedNetwork(peer(c) ?? ""), bytes: 0 };
    bodies.set(raw, body);
    try {
      await next();
    } finally {
      bodies.delete(raw);
      budget.give(body.bytes, body.client);
    }
  };
}

/** Takes room for a body's bytes. Throws a {@link Refusal} of 503 when there is none. */
export function hold(request: Request, bytes: number): void {
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
