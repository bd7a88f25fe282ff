import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import type { Upstream } from "../../clients/conformance/exchange.ts";
import type { Setup } from "../../clients/conformance/runtime.ts";
import { startUpstream } from "../../clients/conformance/upstream.ts";
import { root } from "../../clients/conformance/wrangler.ts";
import { writeConfiguration } from "../../clients/conformance/write-configuration.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The route at which the test sets the upstream's answers. */
    upstreamControl: string;
    upstreamPort: number;
  }
}

/**
 * Starts the upstream, which can't run within workerd, and compiles the worker in front of it.
 *
 * @param name of the file in dist/ that vitest.config.ts takes the project's configuration from
 */
export async function compileInFrontOfUpstream(
  project: TestProject,
  setup: Setup,
  name: string,
): Promise<() => Promise<void>> {
  const upstream = await startUpstream();
  const control = await startControl(upstream);
  const directory = await mkdtemp(join(tmpdir(), "afterword-workerd-"));
  await promisify(execFile)(process.execPath, [join(root, "src/runtime/worker/compile.ts")], {
    env: {
      ...process.env,
      AFTERWORD_CONFIG: await writeConfiguration(directory, upstream.port, setup),
      AFTERWORD_WORKER_OUT: join(root, `dist/${name}.json`),
    },
  });
  project.provide("upstreamPort", upstream.port);
  project.provide("upstreamControl", `http://127.0.0.1:${(control.address() as AddressInfo).port}`);
  return async () => {
    control.close();
    await upstream.close();
    await rm(directory, { recursive: true });
  };
}

async function startControl(upstream: Upstream): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(upstream, request).then((body) => response.end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function answer(upstream: Upstream, request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const given = chunks.length === 0 ? null : JSON.parse(Buffer.concat(chunks).toString("utf8"));
  if (request.url === "/script") await upstream.script(given);
  else if (request.url === "/release") await upstream.release(given);
  else return upstream.received();
  return null;
}
