import type { Failure, HeldAnswer, HttpRequest, RawHeaders } from "../../../src/http/types.ts";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { Transport } from "../../../src/gateway/exchange/transport.ts";
import { onTestFinished, vi } from "vitest";

/** A real server on a free port, closed at the end of the test. Returns its origin. */
export async function upstream(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

/**
 * From now on time passes only in `vi.advanceTimersByTime`: a busy machine cannot exceed a limit.
 */
export function holdTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

export const noTimeouts = { connect: 0, headers: 0, total: 0, idle: 0 };

export function request(origin: string, given: Partial<HttpRequest> = {}): HttpRequest {
  return {
    origin,
    method: "GET",
    path: "/",
    headers: ["Host", new URL(origin).host],
    body: null,
    timeouts: noTimeouts,
    trusted: true,
    ...given,
  };
}

/** The calls of a receiver, in their order. */
export interface Received {
  readonly calls: string[];
  readonly status: number;
  readonly reason: string;
  readonly headers: RawHeaders;
  readonly body: Buffer;
  readonly error: Failure | null;
}

export interface Watch {
  onHead?(stream: HeldAnswer): void;
  onData?(chunk: Uint8Array, stream: HeldAnswer, cancel: () => void): void;
}

/** Sends a request and waits for `end` or `fail`. */
export function exchange(
  transport: Transport,
  sent: HttpRequest,
  watch: Watch = {},
): Promise<Received> {
  return new Promise((resolve) => {
    const calls: string[] = [];
    const chunks: Uint8Array[] = [];
    let head: { status: number; reason: string; headers: RawHeaders } = {
      status: 0,
      reason: "",
      headers: [],
    };
    let stream: HeldAnswer | null = null;
    const done = (error: Failure | null): void =>
      resolve({ calls, ...head, body: Buffer.concat(chunks), error });
    const cancel = transport.send(sent, {
      head(status, reason, headers, given) {
        calls.push("head");
        head = { status, reason, headers };
        stream = given;
        watch.onHead?.(given);
      },
      data(chunk) {
        if (calls.at(-1) !== "data") calls.push("data");
        chunks.push(chunk);
        if (stream !== null) watch.onData?.(chunk, stream, cancel);
      },
      end() {
        calls.push("end");
        done(null);
      },
      fail(error) {
        calls.push("fail");
        done(error);
      },
    });
  });
}
