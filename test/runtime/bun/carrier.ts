import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { generous } from "../node/support.ts";

export interface Order {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: readonly string[];
  readonly body?: string | null;
  /** Instead of `body`, in these pieces. */
  readonly pieces?: readonly string[];
  readonly timeouts?: Partial<Record<keyof typeof generous, number>>;
  readonly trusted?: boolean;
  readonly cancelAfter?: number;
  /** Called when the head is here; the answer's body is not read before it has come to its end. */
  readonly beforeBody?: () => Promise<unknown>;
}

export interface Outcome {
  head: { status: number; reason: string; headers: string[] } | null;
  body: string;
  trailers: string[] | null;
  failure: { kind: string; detail: string; sent: boolean } | null;
  cancelled?: true;
}

type Event = { readonly id: number } & Partial<{
  head: NonNullable<Outcome["head"]>;
  data: string;
  end: string[];
  fail: NonNullable<Outcome["failure"]>;
  cancelled: true;
}>;

export interface Carrier {
  carry(origin: string, order?: Order): Promise<Outcome>;
  stop(): void;
}

/** The transport on Bun, in a process of its own. */
export function startCarrier(env: Readonly<Record<string, string>> = {}): Carrier {
  const root = join(import.meta.dirname, "../../..");
  const program = join(import.meta.dirname, "carry.ts");
  const child = spawn(join(root, "node_modules/.bin/bun"), [program], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], ...env },
  });
  const waiting = new Map<number, (event: Event) => void>();
  createInterface(child.stdout).on("line", (line) => {
    const event: Event = JSON.parse(line);
    waiting.get(event.id)?.(event);
  });
  const write = (line: object): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
  let orders = 0;
  return {
    carry: (origin, { timeouts, beforeBody, ...order } = {}) =>
      new Promise((resolve) => {
        const id = orders++;
        const outcome: Outcome = { head: null, body: "", trailers: null, failure: null };
        waiting.set(id, ({ head, data, end, fail, cancelled }) => {
          if (head !== undefined) {
            outcome.head = head;
            void beforeBody?.().then(() => write({ id, resume: true }));
          }
          if (data !== undefined) outcome.body += data;
          if (end !== undefined) outcome.trailers = end;
          if (fail !== undefined) outcome.failure = fail;
          if (cancelled) outcome.cancelled = true;
          if (end !== undefined || fail !== undefined || cancelled) resolve(outcome);
        });
        const whole = {
          id,
          origin,
          method: "POST",
          path: "/v1/conversation/message",
          headers: ["Host", "upstream.example", "X-A", "1"],
          body: "{}",
          trusted: true,
          timeouts: { ...generous, ...timeouts },
          paused: beforeBody !== undefined,
          ...order,
        };
        write(whole);
      }),
    stop: () => void child.kill(),
  };
}
