import { createInterface } from "node:readline";
import type { UpstreamStream } from "../../../src/gateway/transport.ts";
import { createBunTransport } from "../../../src/runtime/bun/transport.ts";

// Runs on Bun: carries what comes as a line of JSON, and writes what happens as lines of JSON.

interface Order {
  readonly id: number;
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string | null;
  readonly timeouts: { connect: number; headers: number; total: number; idle: number };
  readonly trusted: boolean;
  /** Milliseconds after which it is cancelled. */
  readonly cancelAfter?: number;
  /** Milliseconds for which the answer is not read, once its head is here. */
  readonly pauseFor?: number;
}

const transport = createBunTransport(process.env);

for await (const line of createInterface(process.stdin)) {
  const order: Order = JSON.parse(line);
  const tell = (event: object): void => {
    process.stdout.write(`${JSON.stringify({ id: order.id, ...event })}\n`);
  };
  const body = order.body === null ? null : Buffer.from(order.body, "latin1");
  const cancel = transport.send(
    { ...order, body },
    {
      head(status, reason, headers, stream: UpstreamStream) {
        tell({ head: { status, reason, headers } });
        if (order.pauseFor === undefined) return;
        stream.pause();
        setTimeout(() => stream.resume(), order.pauseFor);
      },
      data: (bytes) => tell({ data: Buffer.from(bytes).toString("latin1") }),
      end: (trailers) => tell({ end: trailers }),
      fail: (error) => tell({ fail: error }),
    },
  );
  if (order.cancelAfter !== undefined) setTimeout(cancel, order.cancelAfter);
}
