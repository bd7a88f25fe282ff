import type {
  AnswerReceiver,
  Failure,
  HeldAnswer,
  HttpRequest,
  Timeouts,
} from "../../../src/http/types.ts";
import { onTestFinished, vi } from "vitest";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Transport } from "../../../src/gateway/exchange/transport.ts";
import type { Exchange } from "../../../src/gateway/exchange/exchange.ts";
import { NodeExchange } from "../../../src/runtime/node/server/exchange.ts";
import {
  createListener,
  type Listener,
  type ListenerOptions,
} from "../../../src/runtime/node/server/listener.ts";
import type { HttpClient } from "../../../src/http/client.ts";
import {
  createNodeTransport,
  type NodeTransportOptions,
} from "../../../src/runtime/node/transport.ts";
import {
  startScriptedUpstream,
  type ScriptedUpstream,
  type ScriptedUpstreamOptions,
} from "../../../src/testing/index.ts";
import { streamBody } from "../../fixtures/request-body.ts";

export async function upstream(options: ScriptedUpstreamOptions = {}): Promise<ScriptedUpstream> {
  const started = await startScriptedUpstream(options);
  onTestFinished(() => started.close());
  return started;
}

export function transport(options: NodeTransportOptions = {}): HttpClient {
  const made = createNodeTransport(options);
  onTestFinished(() => made.close());
  return made;
}

/**
 * So long that none of them passes on a busy machine: a test that hangs is ended by its own limit.
 */
export const generous = { connect: 60_000, headers: 60_000, total: 60_000, idle: 60_000 } as const;

/**
 * From now on time passes only in `vi.advanceTimersByTime`: a busy machine cannot exceed a limit.
 */
export function holdTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

export function request(
  to: string | ScriptedUpstream,
  overrides: Partial<HttpRequest> = {},
): HttpRequest {
  return {
    origin: typeof to === "string" ? to : to.origin,
    method: "GET",
    path: "/",
    headers: ["Host", "upstream.example"],
    body: null,
    timeouts: generous,
    trusted: true,
    ...overrides,
  };
}

export interface Received {
  readonly status: number | null;
  readonly reason: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly trailers: readonly string[];
  readonly failure: Failure | null;
}

/** Sends a request and waits for its end, good or bad. */
export function receive(
  over: Transport,
  sent: HttpRequest,
  watch: { head?(stream: HeldAnswer): void; data?(chunk: Uint8Array): void } = {},
): Promise<Received> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = [];
    let head: Pick<Received, "status" | "reason" | "headers"> = {
      status: null,
      reason: "",
      headers: [],
    };
    const done = (trailers: readonly string[], failure: Failure | null): void => {
      resolve({ ...head, body: Buffer.concat(parts), trailers, failure });
    };
    over.send(sent, {
      head(status, reason, headers, stream) {
        head = { status, reason, headers };
        watch.head?.(stream);
      },
      data(chunk) {
        parts.push(chunk);
        watch.data?.(chunk);
      },
      end: (trailers) => done(trailers, null),
      fail: (failure) => done([], failure),
    });
  });
}

/** Receivers that ignore everything, for tests that cancel or break exchanges. */
export function silentReceiver(overrides: Partial<AnswerReceiver> = {}): AnswerReceiver {
  return {
    head: () => undefined,
    data: () => undefined,
    end: () => undefined,
    fail: () => undefined,
    ...overrides,
  };
}

export interface Serving {
  readonly listener: Listener;
  readonly port: number;
}

/** Listens on a free port and passes every request on as an exchange. */
export async function serveExchanges(
  handle: (exchange: Exchange, incoming: IncomingMessage, outgoing: ServerResponse) => unknown,
  options: ListenerOptions = {},
): Promise<Serving> {
  const listener = createListener((incoming, outgoing) => {
    void handle(new NodeExchange(incoming, outgoing), incoming, outgoing);
  }, options);
  const { port } = await listener.listen(0, "127.0.0.1");
  onTestFinished(async () => {
    await listener.drain(0);
  });
  return { listener, port };
}

/** The smallest gateway: passes all requests on to the upstream, and all answers back. */
export async function serveRelay(
  to: ScriptedUpstream,
  over: Transport,
  timeouts: Timeouts = generous,
): Promise<Serving> {
  return await serveExchanges((exchange) => relay(exchange, to, over, timeouts));
}

async function relay(
  exchange: Exchange,
  to: ScriptedUpstream,
  over: Transport,
  timeouts: Timeouts,
): Promise<void> {
  const { reply } = exchange;
  let stream: HeldAnswer | null = null;
  const cancel = over.send(
    request(to, {
      method: exchange.method,
      path: exchange.target,
      headers: exchange.headers,
      body: exchange.body && streamBody(exchange.body),
      timeouts,
    }),
    {
      head(status, reason, headers, upstreamStream) {
        stream = upstreamStream;
        const framing = new Set(["connection", "transfer-encoding", "keep-alive"]);
        reply.head(
          status,
          reason,
          headers.filter((_, i) => !framing.has((headers[i - (i % 2)] ?? "").toLowerCase())),
        );
      },
      data(chunk) {
        if (!reply.write(chunk)) stream?.pause();
      },
      end: (trailers) => reply.end(trailers),
      fail: (error) =>
        reply.started ? reply.abort() : reply.send(502, error.kind, ["content-length", "0"], null),
    },
  );
  reply.onDrain(() => stream?.resume());
  reply.onGone(cancel);
}

/** A connection is free for the next request one turn of the event loop after an answer's end. */
export async function freeAgain(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A promise with its resolver. */
export function gate<T = void>(): { readonly opened: Promise<T>; open(value: T): void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { opened: promise, open: resolve };
}

export function ascii(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}
