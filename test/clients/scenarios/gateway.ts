import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "../../../src/runtime/node/index.ts";
import { serve } from "../../../src/runtime/node/serve.ts";

/**
 * Serves the shipped configuration on a free port, with gateway and engine in this process, state in
 * memory and the database in a temporary directory.
 */
export async function startDemoGateway(): Promise<{
  readonly url: string;
  close(): Promise<void>;
}> {
  const shipped = await loadConfig(
    fileURLToPath(new URL("../../../config/afterword.yaml", import.meta.url)),
  );
  const data = await mkdtemp(join(tmpdir(), "afterword-scenarios-"));
  const config = {
    ...shipped,
    data,
    // Memory has no delay. A turn waits 50 ms for a file, and a busy machine may need longer.
    state: { ...shipped.state, store: "memory" },
    backend: { ...shipped.backend, database: join(data, "backend.db") },
  };
  const running = await serve({ config, port: 0, env: { AFTERWORD_LOG: "error" } });
  return {
    url: running.url,
    async close() {
      await running.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}
