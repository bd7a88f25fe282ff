import type { Config } from "../../src/config/config.ts";
import { createRewriter, type Rewriter } from "../../src/gateway/rewriter.ts";
import { contendersOf } from "../cpu-contenders.ts";
import { bodiesOf } from "../cpu-shapes.ts";

/** How often a contender shall do its work, and on what: a size and a body of bench/cpu-shapes.ts, by name. */
export interface Turn {
  readonly contender: string;
  readonly size: number;
  readonly body: string;
  readonly calls: number;
}

let rewriter: Rewriter | null = null;
const runs = new Map<string, () => unknown>();

/** What bench/worker/cpu.ts measures from outside: a worker's own clocks stand still while it computes. */
// oxlint-disable-next-line import/no-default-export -- workerd takes no other
export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/config") {
      rewriter = createRewriter({ config: (await request.json()) as Config });
    } else if (pathname === "/turn") {
      const turn = (await request.json()) as Turn;
      const run = runOf(turn);
      for (let call = 0; call < turn.calls; call++) run();
    }
    return new Response("done");
  },
};

function runOf({ contender, size, body }: Turn): () => unknown {
  const name = `${contender} ${size} ${body}`;
  const known = runs.get(name);
  if (known !== undefined) return known;
  const bytes = bodiesOf(size).find((one) => one.name === body)?.bytes;
  if (rewriter === null || bytes === undefined) throw new Error(`${name}: nothing to run`);
  const run = contendersOf(bytes, rewriter)[contender];
  if (run === undefined) throw new Error(`there is no ${contender}`);
  runs.set(name, run);
  return run;
}
