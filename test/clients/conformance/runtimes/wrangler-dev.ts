import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentOf } from "../environment.ts";
import * as keeps from "../keeps.ts";
import type { Runtime } from "../runtime.ts";
import { createSocketClient } from "../socket-client.ts";
import { startUpstream } from "../upstream.ts";
import { startWranglerDev } from "../wrangler.ts";
import { writeConfiguration } from "../write-configuration.ts";

export const wranglerDev: Runtime = {
  name: "wrangler dev",
  async start(setup) {
    const upstream = await startUpstream();
    const directory = await mkdtemp(join(tmpdir(), "afterword-conformance-"));
    const worker = await startWranglerDev(
      directory,
      await writeConfiguration(directory, upstream.port, setup),
      environmentOf(setup),
    );
    return {
      client: createSocketClient(worker.port),
      upstream,
      async stop() {
        await Promise.all([worker.stop(), upstream.close()]);
        await rm(directory, { recursive: true });
      },
    };
  },
  keeps: keeps.wranglerDev,
  lacks: {
    "on requests refuses a body that turns out to be too long":
      "The proxy of wrangler dev answers 500 when the Worker refuses before its upload ends. It runs in workerd without that proxy.",
  },
};
