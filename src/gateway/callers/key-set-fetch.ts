import { AfterwordError } from "../../errors.ts";
import { parseBase } from "../base.ts";
import type { Platform } from "../platform.ts";
import { wholeCall } from "./whole-call.ts";

/** After a failure the address is left alone for so long, in milliseconds. */
const PAUSE = 5000;

/**
 * Fetches key sets through the gateway's own transport: its proxies, its certificates, its limits.
 */
export function createKeySetFetch(platform: Platform): (url: string) => Promise<Response> {
  let failed = Number.NEGATIVE_INFINITY;
  return async (url) => {
    if (platform.clock() - failed < PAUSE) throw unavailable();
    const { pathname, search, origin } = new URL(url);
    const base = parseBase(origin);
    const answer =
      base === null
        ? null
        : await wholeCall(platform, base, {
            method: "GET",
            path: pathname + search,
            headers: ["Accept", "application/json, application/jwk-set+json"],
            body: null,
            timeouts: { connect: 3000, headers: 5000, total: 5000, idle: 0 },
          });
    if (answer?.kind === "whole" && answer.status === 200) {
      return new Response(Uint8Array.from(answer.body));
    }
    failed = platform.clock();
    platform.log("warn", "key-set-unavailable", {
      host: base?.host ?? null,
      status: answer?.kind === "whole" ? answer.status : null,
    });
    throw unavailable();
  };
}

function unavailable(): AfterwordError {
  return new AfterwordError("upstream-unreachable", "the key set of a caller cannot be fetched");
}
