import type { UpstreamConfig } from "../../config/config.ts";
import type { Outside, OutsideAnswer, OutsideCall } from "../../escalation/doors/call.ts";
import { type Base, joinPath, parseBase, permissionOf } from "../base.ts";
import { fieldOf } from "../headers.ts";
import { plainBody } from "../plain-body.ts";
import type { Platform } from "../platform.ts";
import { wholeAnswer } from "../whole-answer.ts";

export interface OutsideOptions {
  readonly platform: Platform;
  /**
   * Whose services are called: says which addresses may be dialled, and which of them may be
   * private.
   */
  readonly upstream: UpstreamConfig;
  /** Value of Via, so that calls that come back to us are noticed. */
  readonly via: string;
}

/** Messages of a chat may hold pictures. Nothing that escalation reads is larger, in bytes. */
export const largestOutsideAnswer: number = 8 * 1024 * 1024;

/**
 * Makes escalation's own calls over the gateway's transport. Where it may connect is decided as for
 * discovery: addresses of the configuration, and those that it allows.
 */
export function createOutside({ platform, upstream, via }: OutsideOptions): Outside {
  const configured = new Set([upstream.auth, upstream.chat, ...Object.values(upstream.apis)]);

  return async (call) => {
    const base = parseBase(call.base);
    if (base === null) return unsent("the address is none that can be called");
    const permission = configured.has(call.base) ? "named" : permissionOf(base, upstream);
    if (permission === "refused") {
      return unsent("the address is not among those that upstream.allow names");
    }
    return carried(platform, base, call, via, permission === "named");
  };
}

function unsent(problem: string): OutsideAnswer {
  return { kind: "failed", sent: false, problem };
}

async function carried(
  platform: Platform,
  base: Base,
  { method, path, headers, body, deadline }: OutsideCall,
  via: string,
  trusted: boolean,
): Promise<OutsideAnswer> {
  const length = body === null ? [] : ["Content-Length", String(body.length)];
  const answer = await wholeAnswer(
    platform.transport,
    {
      origin: base.origin,
      method,
      path: joinPath(base, path),
      headers: ["Host", base.host, ...headers, ...coding, "Via", via, ...length],
      body,
      timeouts: { connect: deadline, headers: deadline, total: deadline, idle: 0 },
      trusted,
    },
    largestOutsideAnswer,
  ).catch(() => null);
  // A credential that no header can carry.
  if (answer === null) return unsent("the request cannot be sent");
  if (answer.kind === "failed") return answer;
  const { status, headers: fields } = answer.head;
  const plain = await plainBody(platform, fields, answer.body, largestOutsideAnswer);
  return plain === null
    ? { kind: "failed", sent: true, problem: "the answer's coding cannot be read" }
    : { kind: "answer", status, retryAfter: fieldOf(fields, "retry-after") !== null, body: plain };
}

const coding = ["Accept-Encoding", "identity"];
