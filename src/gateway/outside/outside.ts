import type { UpstreamConfig } from "../../config/config.ts";
import type { Outside, OutsideAnswer, OutsideCall } from "../../escalation/doors/call.ts";
import { type Base, joinPath, parseBase, permissionOf } from "../base.ts";
import { fieldOf } from "../headers.ts";
import type { RawHeaders } from "../exchange.ts";
import { joined } from "../joined.ts";
import { plainBody } from "../plain-body.ts";
import type { Platform } from "../platform.ts";
import type { TransportError } from "../transport.ts";

export interface OutsideOptions {
  readonly platform: Platform;
  /** Whose services are called: says which addresses may be dialled, and which of them may be private. */
  readonly upstream: UpstreamConfig;
  /** Value of Via, so that calls that come back to us are noticed. */
  readonly via: string;
}

/** Messages of a chat may hold pictures. Nothing that escalation reads is larger, in bytes. */
export const largestOutsideAnswer: number = 8 * 1024 * 1024;

/**
 * Makes escalation's own calls over the gateway's transport. Where it may connect is decided as for discovery: addresses
 * of the configuration, and those that it allows.
 */
export function createOutside({ platform, upstream, via }: OutsideOptions): Outside {
  const configured = new Set([upstream.auth, upstream.chat, ...Object.values(upstream.apis)]);

  return (call) => {
    const base = parseBase(call.base);
    if (base === null) return Promise.resolve(unsent("the address is none that can be called"));
    const permission = configured.has(call.base) ? "named" : permissionOf(base, upstream);
    if (permission === "refused") {
      return Promise.resolve(unsent("the address is not among those that upstream.allow names"));
    }
    return carry(platform, base, call, via, permission === "named");
  };
}

function unsent(problem: string): OutsideAnswer {
  return { kind: "failed", sent: false, problem };
}

function carry(
  platform: Platform,
  base: Base,
  call: OutsideCall,
  via: string,
  trusted: boolean,
): Promise<OutsideAnswer> {
  const { signal, deadline, body } = call;
  if (signal?.aborted === true) return Promise.resolve(unsent("cancelled"));
  return new Promise((resolve) => {
    let status = 0;
    let headers: RawHeaders = [];
    let size = 0;
    let over = false;
    const chunks: Uint8Array[] = [];
    // Whether something has left is not known then.
    const onAbort = (): void => giveUp("cancelled");
    signal?.addEventListener("abort", onAbort, { once: true });
    // The transport keeps the time itself; this is for one that does not.
    const timer = setTimeout(() => giveUp("timeout"), deadline + 1000);
    const cancel = sending();

    function sending(): () => void {
      const length = body === null ? [] : ["Content-Length", String(body.length)];
      try {
        return platform.transport.send(
          {
            origin: base.origin,
            method: call.method,
            path: joinPath(base, call.path),
            headers: ["Host", base.host, ...call.headers, ...coding, "Via", via, ...length],
            body,
            timeouts: { connect: deadline, headers: deadline, total: deadline, idle: 0 },
            trusted,
          },
          {
            head(answered, _reason, fields) {
              status = answered;
              headers = fields;
            },
            data(chunk) {
              size += chunk.length;
              if (size > largestOutsideAnswer) giveUp("the answer is too large");
              else chunks.push(chunk);
            },
            end: () => void read(),
            fail: (error) => settle(failureOf(error, status !== 0)),
          },
        );
      } catch {
        // A credential that no header can carry.
        queueMicrotask(() => settle(unsent("the request cannot be sent")));
        return () => undefined;
      }
    }

    async function read(): Promise<void> {
      const whole = await plainBody(platform, headers, joined(chunks, size), largestOutsideAnswer);
      const retryAfter = fieldOf(headers, "retry-after") !== null;
      if (whole === null) giveUp("the answer's coding cannot be read");
      else settle({ kind: "answer", status, retryAfter, body: whole });
    }

    function giveUp(problem: string): void {
      settle({ kind: "failed", sent: true, problem });
      // Later: the transport may still be inside the call that began it.
      queueMicrotask(() => cancel());
    }

    function settle(answer: OutsideAnswer): void {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(answer);
    }
  });
}

const coding = ["Accept-Encoding", "identity"];

/** The kind alone: a detail may name an address. An answer that has begun is one to a request that has arrived. */
function failureOf({ kind, sent }: TransportError, answered: boolean): OutsideAnswer {
  return { kind: "failed", sent: sent || answered, problem: kind };
}
