import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve as listen } from "@hono/node-server";
import type { Hono } from "hono";
import { loadConfig } from "../../src/runtime/node/index.ts";
import { serve } from "../../src/runtime/node/serve.ts";

/** A gateway over real sockets, in front of any service. */
export interface GatewayInFront {
  readonly url: string;
  /** Sets the service behind it. */
  forwardTo(app: Hono): void;
  close(): Promise<void>;
}

export async function openGateway(): Promise<GatewayInFront> {
  let app: Hono | null = null;
  const behind = await new Promise<ReturnType<typeof listen>>((resolve) => {
    const server = listen(
      {
        port: 0,
        hostname: "127.0.0.1",
        fetch: (request, env) => app?.fetch(request, env) ?? new Response(null, { status: 503 }),
      },
      () => resolve(server),
    );
  });
  const address = behind.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const folder = await mkdtemp(join(tmpdir(), "afterword-gateway-"));
  const file = join(folder, "afterword.yaml");
  await writeFile(
    file,
    `version: 1
data: ${join(folder, "data")}
upstream: { auth: "http://127.0.0.1:${port}", allow: [127.0.0.1] }
instances: [{ name: all, match: {}, created: 2018-01-01 }]
`,
  );
  const config = await loadConfig(file, { env: {} });
  const gateway = await serve({ config, port: 0, env: { AFTERWORD_LOG: "silent" } });
  return {
    url: gateway.url,
    forwardTo(next) {
      app = next;
    },
    async close() {
      await gateway.close();
      await new Promise((closed) => behind.close(closed));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
