import { launch } from "./launch.ts";
import { findTool } from "./tools.ts";
import { type AnswerKind, answerOf } from "./traffic.ts";

export interface Upstream {
  readonly origin: string;
  /** The answer to every message. */
  readonly body: string;
}

export type Upstreams = Readonly<Record<AnswerKind, Upstream>> & {
  /** The program that answers, in words. */
  readonly program: string;
  stop(): Promise<void>;
};

/**
 * Starts one upstream per kind of answer, on the load's core: nginx where there is one, because it
 * is the fastest.
 */
export async function startUpstreams(size: number, core: number): Promise<Upstreams> {
  const nginx = findTool("nginx") !== null;
  const file = nginx ? "upstream/nginx-static.ts" : "upstream/node-static.ts";
  const start = async (kind: AnswerKind) => {
    const body = answerOf(kind, size);
    const { port, stop } = await launch(file, core, { BENCH_KIND: kind, BENCH_SIZE: String(size) });
    return { origin: `http://127.0.0.1:${port}`, body, stop };
  };
  const flagged = await start("flagged");
  const closed = await start("closed");
  return {
    flagged,
    closed,
    program: nginx
      ? "nginx, a static file"
      : "node:http, which is slower than some contestants (apt-get install -y nginx)",
    async stop() {
      await Promise.all([flagged.stop(), closed.stop()]);
    },
  };
}
