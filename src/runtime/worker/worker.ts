import type { Hono } from "hono";
import type { Config } from "../../config/config.ts";
import { createGateway } from "../web/gateway.ts";

/** Secrets and switches of a deployed worker. */
export interface WorkerBindings {
  /** As in the environment of the Node gateway; required here: `wrangler secret put AFTERWORD_ROUTE_KEYS`. */
  readonly AFTERWORD_ROUTE_KEYS?: string;
  readonly AFTERWORD_ADMIN_TOKEN?: string;
  readonly AFTERWORD_DISABLE?: string;
}

export interface Worker {
  fetch(request: Request, env: WorkerBindings): Response | Promise<Response>;
}

/**
 * The gateway as a Cloudflare Worker. Conversations are remembered per isolate: a turn that meets another isolate is
 * answered in the instance's language.
 *
 * @param config compiled at build time, without credentials and callers
 */
export function createWorker(config: Config, version: string): Worker {
  let app: Hono | null = null;
  return {
    fetch(request, env) {
      // Bindings are the same for every request of an isolate, but they are known only with the first.
      app ??= createGateway({
        config,
        version,
        routeKeys: (env.AFTERWORD_ROUTE_KEYS ?? "")
          .split(",")
          .map((key) => key.trim())
          .filter(Boolean),
        disabled: env.AFTERWORD_DISABLE === "1",
        ...(env.AFTERWORD_ADMIN_TOKEN ? { adminToken: env.AFTERWORD_ADMIN_TOKEN } : {}),
      });
      return app.fetch(request, env);
    },
  };
}
