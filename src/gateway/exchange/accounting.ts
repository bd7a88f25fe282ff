import { LRUCache } from "lru-cache";
import { isAfterwordError, isOutage } from "../../errors.ts";
import type { Gate, Trace } from "../../direct-answers/types.ts";
import type { FailureKind } from "../../http/types.ts";
import { refuse, retrySoon } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { fieldOf, joinedFieldOf } from "./headers.ts";
import type { Metrics } from "./metrics.ts";
import type { Platform } from "./platform.ts";
import type { GatewayRequest } from "./request.ts";

/** The parts that counting, logging and refusing an exchange need. */
export interface ExchangeCore {
  readonly platform: Platform;
  readonly metrics: Metrics;
  /** False when debug logging is off. */
  readonly logsRequests: boolean;
  /** The pseudonym in Afterword's Via, `afterword-<id>`. */
  readonly pseudonym: string;
  readonly upstreamState: UpstreamState;
  readonly recent: Recent;
}

/** Counts a body on a rewriting route that was not rewritten. */
export function countGate(core: ExchangeCore, route: string, gate: Gate | "no-instance"): void {
  core.metrics.count("afterword_gates_total", route, gate);
}

/** Answers after an internal fault, without its details. A client that leaves is no fault. */
export function answerFault(
  core: ExchangeCore,
  exchange: Exchange,
  route: string,
  error: unknown,
): void {
  if (isAfterwordError(error) && bodyCodes.has(error.code))
    return void refuseLostBody(core, exchange, route, error);
  reportFault(core, route, error);
  if (exchange.reply.started) exchange.reply.abort();
  else refuse(exchange, 502, "The gateway could not handle this request.", [], route);
}

/** Counts and logs an internal fault or an unreachable store, without showing it to the client. */
export function reportFault(core: ExchangeCore, route: string, error: unknown): void {
  if (isOutage(error)) {
    core.metrics.count("afterword_store_failures_total", route);
    return core.platform.log("warn", "store-unavailable", { route, detail: error.message });
  }
  core.metrics.count("afterword_internal_errors_total");
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  core.platform.log("error", "internal-error", { route, detail });
}

/** Ends an exchange whose client left or whose body found no room. Returns the status to count. */
export function refuseLostBody(
  core: ExchangeCore,
  exchange: Exchange,
  route: string,
  error: unknown,
): 499 | 503 {
  if (isAfterwordError(error) && error.code === "overloaded") {
    refuseOverload(core, exchange, route);
    return 503;
  }
  exchange.reply.abort();
  return 499;
}

const bodyCodes: ReadonlySet<string> = new Set(["client-gone", "overloaded"]);

/** Refuses a request at once, because no place is free, and a waiting request would need one. */
export function refuseOverload(core: ExchangeCore, exchange: Exchange, route: string): void {
  core.metrics.count("afterword_overload_total");
  refuse(exchange, 503, overloaded, retrySoon, route);
}

/** Refuses a request that has passed this gateway before: the upstream points back here. */
export function refuseLoop(
  { metrics, pseudonym }: Pick<ExchangeCore, "metrics" | "pseudonym">,
  exchange: Exchange,
  product = "",
): boolean {
  if (joinedFieldOf(exchange.headers, "via")?.includes(pseudonym) !== true) return false;
  metrics.count("afterword_loops_total");
  const message = "This request has already passed this gateway: the upstream points back here.";
  refuse(exchange, 502, message, [], product);
  return true;
}

export const overloaded = "Too much is under way. Try again in a second.";

/**
 * Records how a request was answered.
 *
 * @param decided the gate that kept its answer from being rewritten, or the decisions about its texts
 */
export function account(
  core: ExchangeCore,
  request: GatewayRequest,
  route: string,
  status: number,
  upstreamTime: number | null = null,
  decided: Gate | Trace | null = null,
): void {
  core.recent.note(request, route, status, upstreamTime, decided);
  const statusClass = statusClasses[Math.floor(status / 100)] ?? "other";
  core.metrics.count("afterword_requests_total", route, statusClass);
  if (!core.logsRequests) return;
  const { started, instance } = request;
  core.platform.log("debug", "request", {
    route,
    method: request.exchange.method,
    status,
    instance: instance?.name ?? null,
    milliseconds: Math.round((core.platform.clock() - started) * 1000) / 1000,
    ...readIds(request),
  });
}

const statusClasses = ["0xx", "1xx", "2xx", "3xx", "4xx", "5xx"];

/** Reads ids that operators search for. Values that do not look like ids are dropped. */
export function readIds(request: GatewayRequest): {
  requestId: string | null;
  traceparent: string | null;
} {
  const { headers } = request.exchange;
  const id = fieldOf(headers, "x-request-id");
  const trace = fieldOf(headers, "traceparent");
  return {
    requestId: id !== null && /^[\w.:-]{1,128}$/.test(id) ? id : null,
    traceparent: trace !== null && /^[\da-f-]{55}$/.test(trace) ? trace : null,
  };
}

/** The latest 200 exchanges of each instance: failures, and at most 200 others a second. */
export interface Recent {
  note(
    request: Pick<GatewayRequest, "instance" | "started"> & {
      readonly exchange: Pick<Exchange, "method">;
    },
    route: string,
    status: number,
    upstreamTime: number | null,
    decided: Gate | Trace | null,
  ): void;
  /** The latest first. */
  read(): readonly RecentExchange[];
}

/** A finished exchange, without target, fields and bodies. */
export interface RecentExchange {
  /** The name for metrics and logs. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly instance: string | null;
  /** Monotonic milliseconds. */
  readonly started: number;
  readonly ended: number;
  /** Milliseconds of a collected answer, else null. */
  readonly upstreamTime: number | null;
  readonly decided: Gate | Trace | null;
}

/**
 * Each instance has its own list, so that a busy instance does not displace the exchanges of others.
 * A list that was filled within a second takes only failures until that second is over: nobody could
 * read a list that changes faster, and each entry costs memory and time.
 *
 * @param clock monotonic milliseconds
 */
export function createRecent(clock: () => number): Recent {
  const lists = new LRUCache<string, RecentList>({ max: maxLists });
  let count = 0;
  return {
    note({ exchange, instance, started }, route, status, upstreamTime, decided) {
      // A page's files are neither messages nor calls.
      if (route === "home" && status < 400) return;
      const name = instance?.name ?? "";
      const ended = clock();
      const list = lists.get(name) ?? { kept: [], next: 0, second: -Infinity, inSecond: 0 };
      lists.set(name, list);
      if (ended - list.second >= 1000) {
        list.second = ended;
        list.inSecond = 0;
      }
      if (++list.inSecond > maxRecent && status < 400) return;
      list.kept[list.next] = {
        number: count++,
        route,
        method: exchange.method,
        status,
        instance: instance?.name ?? null,
        started,
        ended,
        upstreamTime,
        decided: decided === null || typeof decided === "string" ? decided : withoutTexts(decided),
      };
      list.next = (list.next + 1) % maxRecent;
    },
    read: () =>
      [...lists.values()]
        .flatMap(({ kept }) => kept)
        .toSorted((one, other) => other.number - one.number),
  };
}

interface RecentList {
  readonly kept: (RecentExchange & { readonly number: number })[];
  next: number;
  second: number;
  inSecond: number;
}

/** The number of instances with a list; the least recently used one loses its list. */
const maxLists = 20;
const maxRecent = 200;

/** Copies a trace without texts, which must not be stored. */
function withoutTexts(trace: Trace): Trace {
  const steps = trace.steps.map(({ at, flag, reason, twin, unexpected, source }) => {
    return { at, flag, reason, twin, unexpected, source };
  });
  return { ...trace, steps };
}

/** The result of the last exchange with an upstream, for /_afterword/ready. */
export interface UpstreamState {
  noteAnswer(): void;
  noteFailure(kind: FailureKind): void;
  /** `unused` before the first exchange. Times are ISO 8601. */
  read(): {
    readonly state: "unused" | "answering" | "failing";
    readonly since: string | null;
    readonly failure: string | null;
  };
}

/** @param now milliseconds since the epoch */
export function createUpstreamState(now: () => number): UpstreamState {
  let state: "unused" | "answering" | "failing" = "unused";
  let since: number | null = null;
  let failure: string | null = null;
  return {
    noteAnswer() {
      if (state === "answering") return;
      state = "answering";
      since = now();
      failure = null;
    },
    noteFailure(kind) {
      if (kind === "cancelled" || kind === "too-large") return;
      if (state !== "failing") since = now();
      state = "failing";
      failure = kind;
    },
    read: () => ({ state, since: since === null ? null : new Date(since).toISOString(), failure }),
  };
}
