import type { Config } from "../../config/config.ts";
import { isAfterwordError } from "../../errors.ts";
import type { CreateCallers } from "../../gateway/callers/port.ts";
import { errorBody } from "../../gateway/errors.ts";
import type { EdgeEscalations } from "./escalation/edge-escalations.ts";
import { openWorker, type OpenedWorker, type WorkerBindings } from "./open-worker.ts";
import type { ExecutionContext } from "./platform.ts";

export type { WorkerBindings } from "./open-worker.ts";

export interface Worker {
  fetch(request: Request, bindings: WorkerBindings, context: ExecutionContext): Promise<Response>;
}

/**
 * The gateway as a Cloudflare Worker. A request before the secrets are set is answered 503, with
 * what is missing.
 *
 * @param config without its secrets
 * @param version of Afterword
 * @param callers who may use credentials of ours
 * @param escalations who hands conversations over
 */
export function createWorker(
  config: Config,
  version: string,
  callers?: CreateCallers,
  escalations?: EdgeEscalations,
): Worker {
  let opened: OpenedWorker | string | null = null;
  return {
    async fetch(request, bindings, context) {
      // Bindings are the same for every request of an isolate, but they are known only with the
      // first.
      opened ??= open(bindings);
      return typeof opened === "string"
        ? unusable(opened)
        : opened.answer(request, bindings, context);
    },
  };

  /**
   * The worker, or why there is none. A text, because a response belongs to the request that made
   * it.
   */
  function open(bindings: WorkerBindings): OpenedWorker | string {
    try {
      return openWorker(config, version, bindings, callers, escalations);
    } catch (error) {
      if (!isAfterwordError(error)) throw error;
      // oxlint-disable-next-line no-console -- a worker has no other output
      console.error(JSON.stringify({ level: "error", event: error.code, detail: error.message }));
      return error.message;
    }
  }
}

function unusable(message: string): Response {
  return new Response(new Uint8Array(errorBody(503, `Afterword cannot start: ${message}`)), {
    status: 503,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}
