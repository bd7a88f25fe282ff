import type { Config } from "../../src/config/config.ts";
import { createRewriter, type Rewriter } from "../../src/gateway/message/rewriter.ts";
import { contenders } from "./contenders.ts";
import { bodiesOf } from "./shapes.ts";

/**
 * How often a contender shall do its work, and on what: a size and a body of bench/cpu/shapes.ts,
 * by name.
 */
export interface Turn {
  readonly contender: string;
  readonly size: number;
  readonly body: string;
  readonly calls: number;
}

let rewriter: Rewriter | null = null;
const bodies = new Map<string, Uint8Array>();

/**
 * What bench/cpu/workerd.ts measures from outside: a worker's own clocks stand still while it
 * computes.
 */
// oxlint-disable-next-line import/no-default-export -- workerd takes no other
export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/config") {
      rewriter = createRewriter({ config: (await request.json()) as Config });
    } else if (pathname === "/turn") {
      const { contender, size, body, calls } = (await request.json()) as Turn;
      const run = contenders[contender];
      if (run === undefined || rewriter === null) throw new Error(`${contender}: nothing to run`);
      const bytes = bytesOf(size, body);
      for (let call = 0; call < calls; call++) run(bytes, rewriter);
    }
    return new Response("done");
  },
};

function bytesOf(size: number, body: string): Uint8Array {
  const name = `${size} ${body}`;
  const known = bodies.get(name);
  if (known !== undefined) return known;
  const bytes = bodiesOf(size).find((one) => one.name === body)?.bytes;
  if (bytes === undefined) throw new Error(`there is no body ${name}`);
  bodies.set(name, bytes);
  return bytes;
}
