import { createInterface } from "node:readline";
import type { UpstreamStream } from "../../../src/gateway/upstream/transport.ts";
import { createBunTransport } from "../../../src/runtime/bun/serve.ts";

// Runs on Bun: carries what comes as a line of JSON, and writes what happens as lines of JSON.

interface Order {
  readonly id: number;
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string | null;
  /** Instead of `body`, in these pieces. */
  readonly pieces?: readonly string[];
  readonly timeouts: { connect: number; headers: number; total: number; idle: number };
  readonly trusted: boolean;
  /** Milliseconds after which it is cancelled. */
  readonly cancelAfter?: number;
  /** The answer is not read, once its head is here, until a line says `{ id, resume: true }`. */
  readonly paused?: boolean;
}

const held = new Map<number, () => void>();

const transport = createBunTransport();

for await (const line of createInterface(process.stdin)) {
  const order: Order & { readonly resume?: true } = JSON.parse(line);
  if (order.resume === true) {
    held.get(order.id)?.();
    continue;
  }
  const tell = (event: object): void => {
    process.stdout.write(`${JSON.stringify({ id: order.id, ...event })}\n`);
  };
  const whole = order.body === null ? null : Buffer.from(order.body, "latin1");
  const body = order.pieces === undefined ? whole : streamed(order.pieces);
  const cancel = transport.send(
    { ...order, body },
    {
      head(status, reason, headers, stream: UpstreamStream) {
        if (order.paused === true) {
          stream.pause();
          held.set(order.id, () => stream.resume());
        }
        tell({ head: { status, reason, headers } });
      },
      data: (bytes) => tell({ data: Buffer.from(bytes).toString("latin1") }),
      end: (trailers) => tell({ end: trailers }),
      fail: (error) => tell({ fail: error }),
    },
  );
  const { cancelAfter } = order;
  if (cancelAfter === undefined) continue;
  setTimeout(() => {
    cancel();
    // By then a failure would have been told.
    setTimeout(tell, 20, { cancelled: true });
  }, cancelAfter);
}

async function* streamed(pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    yield Buffer.from(piece, "latin1");
  }
}
