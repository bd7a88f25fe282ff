import type { Timeouts } from "../config/config.ts";
import type { Gate } from "../direct-answers/types.ts";
import { AfterwordError } from "../errors.ts";
import { joinPath } from "./base.ts";
import type { Arrival, Core, Destination } from "./core.ts";
import { refuse } from "./errors.ts";
import type { RawHeaders } from "./exchange.ts";
import { type Interest, forward, retrySoon } from "./forward.ts";
import { fieldOf, joinedFieldOf, membersOf } from "./headers.ts";
import { upstreamHeaders } from "./hop-by-hop.ts";
import { routedLocations } from "./location.ts";

/** How one route forwards. */
export interface Manner {
  /** Name of the route in metrics and logs. */
  readonly route: string;
  /** May take the places that are reserved for authentication. */
  readonly reserved: boolean;
  /** Ends the exchange after `timeouts.total`; else only silence (`idle`) does. */
  readonly bounded: boolean;
  /** What of the answer is looked at; gets the first bytes of the request. */
  readonly interest: ((request: Uint8Array) => Interest) | null;
}

/** How much of a request body is kept for reading on routes that look into it, in bytes. */
export const readAhead: number = 64 * 1024;

/** Forwards one request as its route wants it. Resolves when the exchange is over; never rejects. */
export async function proxy(
  core: Core,
  arrival: Arrival,
  to: Destination,
  manner: Manner,
): Promise<void> {
  const { exchange, snapshot } = arrival;
  const limit = snapshot.config.limits.requestBytes;
  if ((exchange.body?.length ?? 0) > limit) {
    refuse(exchange, 413, `The request body is larger than ${limit} bytes.`, [
      "Connection",
      "close",
    ]);
    return account(core, arrival, manner, 413);
  }
  const entering = core.admission.enter(manner.reserved);
  const ticket = entering instanceof Promise ? await entering : entering;
  if (ticket === null) {
    core.metrics.count("afterword_overload_total");
    refuse(exchange, 503, "Too much is under way. Try again in a second.", retrySoon);
    return account(core, arrival, manner, 503);
  }
  try {
    await forwardAdmitted();
  } finally {
    ticket.leave();
  }

  async function forwardAdmitted(): Promise<void> {
    if (ticket === null) return;
    const upload = createUpload(limit);
    let body: Uint8Array | AsyncIterable<Uint8Array> | null = null;
    let interest: Interest | null = null;
    try {
      if (manner.interest !== null) {
        const read = await (exchange.body?.peek(readAhead) ?? emptyBody);
        interest = manner.interest(read.bytes);
        body = read.rest === null ? read.bytes : upload.limited(chained(read.bytes, read.rest));
      } else if (exchange.body !== null) {
        const stream = exchange.body.stream();
        body = exchange.body.length === null ? upload.limited(stream) : stream;
      }
    } catch {
      // The client went away while it was still sending.
      exchange.reply.abort();
      return account(core, arrival, manner, 499);
    }
    const sent = core.platform.clock();
    const outcome = await forward(core.platform.transport, {
      exchange,
      request: {
        origin: to.base.origin,
        method: exchange.method,
        path: joinPath(to.base, to.rest),
        headers: requestHeaders(core, arrival, to, interest !== null),
        body,
        timeouts: timeoutsOf(arrival, manner),
        trusted: to.trusted,
      },
      ticket,
      interest,
      fields: (headers) => routedLocations(headers, to.base, to.route),
      uploadTooLarge: () => upload.exceeded,
      gated: (gate) => countGate(core, manner.route, gate),
      failed: (error) => reportFault(core, manner.route, error),
      clock: () => core.platform.clock(),
    });
    if (outcome.upstreamTime !== null) {
      core.metrics.overhead(core.platform.clock() - arrival.started - outcome.upstreamTime);
    }
    if (outcome.failure === null) core.upstreamState.noteAnswer();
    else {
      core.upstreamState.noteFailure(outcome.failure.kind);
      core.metrics.count("afterword_upstream_failures_total", { kind: outcome.failure.kind });
      if (outcome.failure.kind !== "cancelled") {
        const { kind, detail } = outcome.failure;
        const after = Math.round(core.platform.clock() - sent);
        core.platform.log("warn", "upstream-failed", {
          route: manner.route,
          kind,
          detail,
          after,
          ...ids(arrival),
        });
      }
    }
    account(core, arrival, manner, outcome.status);
  }
}

export function countGate(core: Core, route: string, gate: Gate | "no-instance"): void {
  core.metrics.count("afterword_gates_total", { route, reason: gate });
}

/** A fault of our own: counted and logged, never shown. */
export function reportFault(core: Core, route: string, error: unknown): void {
  core.metrics.count("afterword_internal_errors_total");
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  core.platform.log("error", "internal-error", { route, detail });
}

function account(core: Core, arrival: Arrival, manner: Manner, status: number): void {
  core.metrics.count("afterword_requests_total", {
    route: manner.route,
    status: `${Math.floor(status / 100)}xx`,
  });
  const { started, instance } = arrival;
  core.platform.log("debug", "request", {
    route: manner.route,
    method: arrival.exchange.method,
    status,
    instance: instance?.name ?? null,
    milliseconds: Math.round((core.platform.clock() - started) * 1000) / 1000,
    ...ids(arrival),
  });
}

/** Ids that the client sent and that an operator searches for; only when they look like ids. */
function ids(arrival: Arrival): { requestId: string | null; traceparent: string | null } {
  const { headers } = arrival.exchange;
  const id = fieldOf(headers, "x-request-id");
  const trace = fieldOf(headers, "traceparent");
  return {
    requestId: id !== null && /^[\w.:-]{1,128}$/.test(id) ? id : null,
    traceparent: trace !== null && /^[\da-f-]{55}$/.test(trace) ? trace : null,
  };
}

function requestHeaders(
  core: Core,
  arrival: Arrival,
  to: Destination,
  interested: boolean,
): RawHeaders {
  const headers = upstreamHeaders(arrival.exchange.headers, to.base.host, `1.1 ${core.pseudonym}`);
  return interested ? readableCodings(headers) : headers;
}

const decodable: ReadonlySet<string> = new Set([
  "gzip",
  "x-gzip",
  "deflate",
  "br",
  "identity",
  "*",
]);

/** On routes where the answer is read, the upstream is not offered codings that we cannot read. */
function readableCodings(headers: readonly string[]): RawHeaders {
  const offered = joinedFieldOf(headers, "accept-encoding");
  if (offered === null) return headers;
  const members = membersOf(offered);
  const kept = members.filter((member) =>
    decodable.has(member.split(";", 1)[0]?.trim().toLowerCase() ?? ""),
  );
  if (kept.length === members.length) return headers;
  const out: string[] = [];
  let written = false;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (name.toLowerCase() !== "accept-encoding") out.push(name, headers[i + 1] ?? "");
    else if (!written) {
      written = true;
      out.push(name, kept.length === 0 ? "identity" : kept.join(", "));
    }
  }
  return out;
}

function timeoutsOf(arrival: Arrival, manner: Manner): Timeouts {
  const { timeouts } = arrival.upstream;
  if (manner.bounded) return timeouts;
  const events = /\btext\/event-stream\b/i.test(fieldOf(arrival.exchange.headers, "accept") ?? "");
  // Between two events there may be silence of any length; TCP keep-alive notices a dead peer.
  return events ? { ...timeouts, headers: 0, total: 0, idle: 0 } : { ...timeouts, total: 0 };
}

const emptyBody = { bytes: new Uint8Array(0), rest: null } as const;

interface Upload {
  limited(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  readonly exceeded: boolean;
}

/** Ends a chunked upload at the limit, before it is buffered anywhere. */
function createUpload(limit: number): Upload {
  let exceeded = false;
  return {
    async *limited(chunks) {
      let size = 0;
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > limit) {
          exceeded = true;
          throw new AfterwordError(
            "body-too-large",
            "the request body is larger than limits.requestBytes",
          );
        }
        yield chunk;
      }
    },
    get exceeded() {
      return exceeded;
    },
  };
}

async function* chained(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
