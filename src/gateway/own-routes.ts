import { parseJson } from "../json/values.ts";
import type { Context, Hono } from "hono";
import { coverageOf } from "../config/check/coverage.ts";
import { type AdminRule, isAdmin, mayRead } from "./exchange/admin.ts";
import { parseBase } from "./upstream/base.ts";
import type { Core } from "./core.ts";
import type { GatewayRequest } from "./exchange/request.ts";
import { refuse, sendBody } from "./exchange/errors.ts";
import type { Exchange } from "./exchange/exchange.ts";
import { explain } from "./message/explain.ts";
import { forward, readAhead } from "./upstream/forward.ts";
import { fieldOf } from "./exchange/headers.ts";
import { findPageIgnoringCase } from "../pages/header.ts";

/** The facts about the process that the routes under /_afterword/ return. */
export interface AppInfo {
  /** Empty if it is unknown. */
  readonly version: string;
  readonly admin: AdminRule;
  readonly draining: () => boolean;
  /**
   * State of the upstream and of the last reload, shown in /ready; never changes its code.
   *
   * @param everything true if the client may read metrics
   */
  readonly details: (everything: boolean) => Readonly<Record<string, unknown>>;
  /** Further details of /version. */
  readonly versionDetails: () => Readonly<Record<string, unknown>>;
}

/** The values of `c.var` in a handler: the request as the gateway sees it, and its answer. */
export interface GatewayEnv {
  readonly Variables: {
    readonly request: GatewayRequest;
    readonly response: Response | Promise<Response>;
  };
}

/**
 * Adds Afterword's own pages and operations to the app. Each answers through its exchange, and
 * reads the caller's permissions from it.
 *
 * @param run starts work, and answers if it fails
 */
export function addOwnRoutes(
  app: Hono,
  core: Core,
  info: AppInfo,
  run: (core: Core, request: GatewayRequest, work: () => void | Promise<void>) => void,
): void {
  const route = (path: string, answer: (request: GatewayRequest) => void | Promise<void>): void => {
    app.all(path, (c: Context<GatewayEnv>) => {
      const { request, response } = c.var;
      // The answer may start long before the exchange is over: Hono waits for its start only.
      run(core, request, () => answer(request));
      return response;
    });
  };
  route("/_afterword/health", ({ exchange }) => sendJson(exchange, 200, { status: "ok" }));
  route("/_afterword/ready", ({ exchange }) => {
    const draining = info.draining();
    const details = info.details(mayRead(info.admin, exchange));
    const body = { status: draining ? "draining" : "ready", ...details };
    sendJson(exchange, draining ? 503 : 200, body);
  });
  route("/_afterword/version", ({ exchange, snapshot }) => {
    const { version, versionDetails } = info;
    const named = version === "" ? {} : { version };
    sendJson(exchange, 200, { ...named, snapshot: snapshot.config.hash, ...versionDetails() });
  });
  for (const [name, operation] of operations) {
    route(`/_afterword/${name}`, (request) => operate(core, request, operation));
  }
  route("/_afterword/*", async (request) => {
    const name = request.target.kind === "own" ? request.target.name : "";
    if (await core.console?.answer(request, name)) return;
    if ((await core.escalations?.answer(request, name)) !== true) answerNotFound(request.exchange);
  });
  for (const path of ["/", "/desk/*", "/docs/*"]) {
    route(path, (request) => answerPage(core, request));
  }
}

/** Callers without permission get the same answer as for an unknown operation. */
function operate(
  core: Core,
  request: GatewayRequest,
  { asks, methods, answer }: Operation,
): void | Promise<void> {
  const { exchange } = request;
  const presented = fieldOf(exchange.headers, "authorization");
  const allowed = asks === "admin" ? isAdmin(core.admin, presented) : mayRead(core.admin, exchange);
  if (!allowed) {
    if (presented !== null) core.refusedCredentials.note("admin-token", exchange.client.address);
    return answerNotFound(exchange);
  }
  if (methods.includes(exchange.method)) return answer(core, request);
  const message = `This route takes ${methods.join(" or ")}.`;
  return refuse(exchange, 405, message, ["Allow", methods.join(", ")]);
}

/** Nothing is served here, but a path such as `/Desk` means a page. */
export function answerNotFound(exchange: Exchange): void {
  const { method, target, headers, reply } = exchange;
  const path = target.replace(/\?.*$/s, "");
  const page = method === "GET" ? findPageIgnoringCase(path, fieldOf(headers, "accept")) : null;
  if (page !== null) {
    return reply.send(302, "Found", ["Location", page, "Content-Length", "0"], null);
  }
  refuse(exchange, 404, "There is nothing at this address.");
}

interface Operation {
  /** Routes that write, or show readers' words, are for admins alone. */
  readonly asks: "admin" | "reader";
  readonly methods: readonly string[];
  readonly answer: (core: Core, request: GatewayRequest) => void | Promise<void>;
}

const operations: ReadonlyMap<string, Operation> = new Map([
  [
    "escalations",
    {
      asks: "admin",
      methods: ["GET", "HEAD", "POST"],
      async answer(core, { exchange }) {
        if (exchange.method === "POST") return settle(core, exchange);
        const open = await core.escalations?.listOpen(maxListed);
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
        const body = await readWholeBody(exchange, snapshot.config.limits.transformBytes);
        if (body === null) {
          refuse(exchange, 413, "The body is larger than limits.transformBytes.");
          return;
        }
        const query = target.kind === "own" ? target.query : "";
        sendJson(exchange, 200, explain(snapshot, new URLSearchParams(query), body));
      },
    },
  ],
] satisfies [string, Operation][]);

/** POST /_afterword/escalations: an operator decides about a call with an unknown outcome. */
async function settle({ escalations }: Core, exchange: Exchange): Promise<void> {
  const body = await readWholeBody(exchange, readAhead);
  const order = body === null ? null : parseJson(new TextDecoder().decode(body));
  const settled = await escalations?.settle(order);
  if (settled === undefined) return answerNotFound(exchange);
  if (settled.kind === "done") return sendJson(exchange, 200, settled.escalation);
  const status = settled.kind === "absent" ? 404 : settled.kind === "malformed" ? 422 : 409;
  refuse(exchange, status, settled.why);
}

/** The most conversations in /_afterword/escalations; the latest are listed. */
const maxListed = 500;

async function readWholeBody(exchange: Exchange, limit: number): Promise<Uint8Array | null> {
  if (exchange.body === null) return new Uint8Array(0);
  const { bytes, rest } = await exchange.body.peek(Math.max(limit, readAhead));
  return rest === null ? bytes : null;
}

function sendJson(exchange: Exchange, status: 200 | 503, value: unknown): void {
  send(exchange, status, "application/json", JSON.stringify(value));
}

/** Sends a whole answer of Afterword's own. */
function send(exchange: Exchange, status: 200 | 503, type: string, text: string): void {
  sendBody(exchange, status, type, new TextEncoder().encode(text));
}

/** GET /, /desk, /docs: the embedded backend's pages; else the reference, and the start page. */
function answerPage(core: Core, request: GatewayRequest): void | Promise<void> {
  const { exchange, target } = request;
  const base = parseBase("embedded:page");
  const embedded = request.snapshot.config.upstream.auth.startsWith("embedded:");
  if (target.kind !== "home" || base === null) return answerNotFound(exchange);
  if (!embedded) {
    if (core.console !== null && /^\/docs(?:[/?]|$)/.test(target.rest)) {
      return core.console.docs(request);
    }
    const isStart = /^\/(?:\?|$)/.test(target.rest) && ["GET", "HEAD"].includes(exchange.method);
    return isStart && mayRead(core.admin, exchange)
      ? sendStart(core, request)
      : answerNotFound(exchange);
  }
  const to = { product: "page", base, trusted: true, rest: target.rest, route: () => "" };
  const route = { name: "home", to, reserved: false, bounded: true, transform: null };
  return forward(core, request, route);
}

/** For browsers a page with links, for programs a note. */
function sendStart(core: Core, request: GatewayRequest): void | Promise<void> {
  const { exchange } = request;
  const start = core.console?.start;
  if (start && /\btext\/html\b/i.test(fieldOf(exchange.headers, "accept") ?? "")) {
    return start(request);
  }
  const links = [...(core.console === null ? [] : CONSOLE_LINKS), ...LINKS];
  const lines = links.map(([path, about]) => `${path.padEnd(20)} ${about}\n`);
  send(exchange, 200, "text/plain; charset=utf-8", `${START}\n\n${lines.join("")}`);
}

/** The words of the start page. */
export const START =
  "Afterword is running. Clients of the chatbot's API use this address in place of the vendor's.";

/** The pages of a gateway with a console. */
export const CONSOLE_LINKS = [
  ["/_afterword/console", "what the bot says, in every language (asks for the token)"],
  ["/docs", "the interfaces, for those who write clients"],
] as const;

/** The links for programs. */
export const LINKS = [
  ["/_afterword/health", "whether it answers"],
  ["/_afterword/ready", "whether it is ready, and how the vendor's API does"],
  ["/_afterword/version", "what runs"],
  ["/_afterword/metrics", "counts and times, for Prometheus"],
  ["/_afterword/coverage", "which lines speak which languages"],
] as const;
