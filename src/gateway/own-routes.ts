import { coverageOf } from "../config/coverage.ts";
import type { AdminRule } from "./admin.ts";
import { isAdmin, mayRead } from "./admin.ts";
import type { Arrival, Core } from "./core.ts";
import { refuse } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { explain } from "./explain.ts";
import { fieldOf } from "./headers.ts";
import { readAhead } from "./errand.ts";

/** What the routes under /_afterword/ tell about the process. */
export interface Standing {
  readonly version: string;
  readonly admin: AdminRule;
  readonly draining: () => boolean;
  /**
   * State of the upstream and of the last reload, shown in /ready; never changes its code.
   *
   * @param everything the asker may read metrics
   */
  readonly details: (everything: boolean) => Readonly<Record<string, unknown>>;
  /** What /version tells besides. */
  readonly versionDetails: () => Readonly<Record<string, unknown>>;
}

/** GET /_afterword/health: the process answers. */
export function health(arrival: Arrival): void {
  sendJson(arrival.exchange, 200, { status: "ok" });
}

/** GET /_afterword/ready: a snapshot is loaded and nobody is draining. */
export function ready(arrival: Arrival, standing: Standing): void {
  const draining = standing.draining();
  const { exchange } = arrival;
  const details = standing.details(mayRead(standing.admin, exchange));
  const body = { status: draining ? "draining" : "ready", ...details };
  sendJson(exchange, draining ? 503 : 200, body);
}

/** GET /_afterword/version: what runs, and with which configuration. */
export function version(arrival: Arrival, standing: Standing): void {
  sendJson(arrival.exchange, 200, {
    version: standing.version,
    snapshot: arrival.snapshot.config.hash,
    ...standing.versionDetails(),
  });
}

/** The admin routes; to everybody else they do not exist. */
export async function admin(
  core: Core,
  arrival: Arrival,
  standing: Standing,
  name: string,
): Promise<void> {
  const { exchange } = arrival;
  const route = adminRoutes.get(name);
  if (route === undefined) return notFound(exchange);
  const allowed =
    route.asks === "admin"
      ? isAdmin(standing.admin, fieldOf(exchange.headers, "authorization"))
      : mayRead(standing.admin, exchange);
  if (!allowed) return notFound(exchange);
  if (!route.methods.includes(exchange.method)) {
    return refuse(exchange, 405, `This route takes ${route.methods.join(" or ")}.`, [
      "Allow",
      route.methods.join(", "),
    ]);
  }
  return route.answer(core, arrival);
}

/** There is nothing here, for anybody. */
export function notFound(exchange: Exchange): void {
  refuse(exchange, 404, "There is nothing at this address.");
}

interface AdminRoute {
  /** What writes, or shows readers' words, is for admins alone. */
  readonly asks: "admin" | "reader";
  readonly methods: readonly string[];
  readonly answer: (core: Core, arrival: Arrival) => void | Promise<void>;
}

const adminRoutes: ReadonlyMap<string, AdminRoute> = new Map([
  [
    "escalations",
    {
      asks: "admin",
      methods: ["GET", "HEAD", "POST"],
      async answer(core, { exchange }) {
        if (exchange.method === "POST") return settle(core, exchange);
        const open = await core.escalations?.open(mostListed);
        sendJson(exchange, 200, open ?? { escalations: [] });
      },
    },
  ],
  [
    "metrics",
    {
      asks: "reader",
      methods: ["GET", "HEAD"],
      async answer(core, { exchange }) {
        send(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", await core.metricsText());
      },
    },
  ],
  [
    "coverage",
    {
      asks: "reader",
      methods: ["GET", "HEAD"],
      answer(_core, { exchange, snapshot }) {
        sendJson(exchange, 200, coverageOf(snapshot.config));
      },
    },
  ],
  [
    "explain",
    {
      asks: "admin",
      methods: ["POST"],
      async answer(_core, { exchange, snapshot, target }) {
        const body = await wholeBody(exchange, snapshot.config.limits.transformBytes);
        if (body === null) {
          refuse(exchange, 413, "The body is larger than limits.transformBytes.");
          return;
        }
        const query = target.kind === "own" ? target.query : "";
        sendJson(exchange, 200, explain(snapshot, new URLSearchParams(query), body));
      },
    },
  ],
] satisfies [string, AdminRoute][]);

/** POST /_afterword/escalations: an operator decides about a call whose outcome nobody can tell. */
async function settle({ escalations }: Core, exchange: Exchange): Promise<void> {
  const body = await wholeBody(exchange, readAhead);
  const settled = await escalations?.settle(body === null ? null : orderIn(body));
  if (settled === undefined) return notFound(exchange);
  if (settled.kind === "done") return sendJson(exchange, 200, settled.escalation);
  const status = settled.kind === "absent" ? 404 : settled.kind === "malformed" ? 422 : 409;
  refuse(exchange, status, settled.why);
}

function orderIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

/** Conversations in /_afterword/escalations, the latest. */
const mostListed = 500;

async function wholeBody(exchange: Exchange, limit: number): Promise<Uint8Array | null> {
  if (exchange.body === null) return new Uint8Array(0);
  const { bytes, rest } = await exchange.body.peek(Math.max(limit, readAhead));
  return rest === null ? bytes : null;
}

function sendJson(exchange: Exchange, status: 200 | 503, value: unknown): void {
  send(exchange, status, "application/json", JSON.stringify(value));
}

/** A whole answer of our own. */
export function send(exchange: Exchange, status: 200 | 503, type: string, text: string): void {
  const body = new TextEncoder().encode(text);
  const headers = [
    "Content-Type",
    type,
    "Content-Length",
    String(body.length),
    "Cache-Control",
    "no-store",
  ];
  const reason = status === 200 ? "OK" : "Service Unavailable";
  exchange.reply.send(status, reason, headers, exchange.method === "HEAD" ? null : body);
}
