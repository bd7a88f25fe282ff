import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../../../src/config/load/load.ts";
import { serve } from "../../../../src/runtime/node/serve.ts";
import { environmentOf } from "../environment.ts";
import * as keeps from "../keeps.ts";
import type { Runtime } from "../runtime.ts";
import { createSocketClient } from "../socket-client.ts";
import { startUpstream } from "../upstream.ts";
import { writeConfiguration } from "../write-configuration.ts";

export const node: Runtime = {
  name: "Node",
  async start(setup) {
    const upstream = await startUpstream();
    const directory = await mkdtemp(join(tmpdir(), "afterword-conformance-"));
    const env = environmentOf(setup);
    const config = await loadConfig(await writeConfiguration(directory, upstream.port, setup), {
      env,
    });
    const running = await serve({ config, port: 0, env, log: () => {} });
    return {
      client: createSocketClient(running.port),
      upstream,
      async stop() {
        await Promise.all([running.close(), upstream.close()]);
        await rm(directory, { recursive: true });
      },
    };
  },
  keeps: keeps.node,
};
