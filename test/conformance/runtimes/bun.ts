import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentOf } from "../environment.ts";
import { startServer } from "../processes.ts";
import * as keeps from "../keeps.ts";
import type { Runtime } from "../runtime.ts";
import { createSocketClient } from "../socket-client.ts";
import { startUpstream } from "../upstream.ts";
import { root } from "../wrangler.ts";
import { writeConfiguration } from "../write-configuration.ts";

export const bun: Runtime = {
  name: "Bun",
  async start(setup) {
    const upstream = await startUpstream();
    const directory = await mkdtemp(join(tmpdir(), "afterword-conformance-"));
    const configuration = await writeConfiguration(directory, upstream.port, setup);
    const server = await startServer(
      join(root, "node_modules/.bin/bun"),
      [join(root, "src/runtime/bun/serve.ts")],
      {
        cwd: directory,
        env: {
          ...process.env,
          ...environmentOf(setup),
          AFTERWORD_CONFIG: configuration,
          PORT: "0",
        },
        ready: /listens on \S+\n/,
      },
    );
    return {
      client: createSocketClient(Number(/:(\d+)\n/.exec(server.printed())?.[1])),
      upstream,
      async stop() {
        await Promise.all([server.stop(), upstream.close()]);
        await rm(directory, { recursive: true });
      },
    };
  },
  keeps: keeps.bun,
};
