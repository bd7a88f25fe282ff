import { SELF } from "cloudflare:test";
import { inject } from "vitest";
import type { ReceivedRequest, Upstream } from "../../../clients/conformance/exchange.ts";
import { createFetchClient } from "../../../clients/conformance/fetch-client.ts";
import * as keeps from "../../../clients/conformance/keeps.ts";
import type { Runtime } from "../../../clients/conformance/runtime.ts";

/**
 * The worker within workerd, called without a socket. Each setup is a project of vitest.config.ts,
 * which compiles it.
 */
export const workerd: Runtime = {
  name: "workerd",
  start: async () => ({
    client: createFetchClient("https://gateway.example", (request) => SELF.fetch(request)),
    upstream: remoteUpstream(),
    stop: async () => {},
  }),
  keeps: keeps.workerd,
  // Requests that wait for others can't run here: they continue when the others end, but the plugin
  // sets no_handle_cross_request_promise_resolution, which prevents that and which no deployed
  // worker has. They are run with `wrangler dev`.
  lacks: {
    "on exchanges says so at once, and keeps places for logins and health": "two requests wait",
    "on exchanges lets in whoever waited for a place": "two requests wait",
  },
};

/** The upstream of setup.ts, which runs on Node. */
function remoteUpstream(): Upstream {
  const origin = inject("upstreamControl");
  const tell = async (path: string, given: unknown): Promise<unknown> => {
    const response = await fetch(origin + path, { method: "POST", body: JSON.stringify(given) });
    return response.json();
  };
  return {
    port: inject("upstreamPort"),
    script: async (answers) => void (await tell("/script", answers)),
    release: async (hold) => void (await tell("/release", hold)),
    received: async () => (await tell("/received", null)) as readonly ReceivedRequest[],
  };
}
