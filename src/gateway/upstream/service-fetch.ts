import type { Timeouts } from "../../http/types.ts";
import type { UpstreamConfig } from "../../config/config.ts";
import {
  type Fetch,
  FetchFailure,
  type HttpAnswer,
  type HttpCall,
  sendCall,
} from "../../api/call/http-call.ts";
import { type Base, joinPath, parseBase, permissionOf } from "./base.ts";
import { readPlainBody } from "./gates.ts";
import { fieldOf } from "../exchange/headers.ts";
import type { Platform } from "../exchange/platform.ts";
import { readWholeAnswer } from "./whole-answer.ts";

export interface ServiceFetchOptions {
  readonly platform: Platform;
  /** Value of Via, which detects calls that come back to this gateway; null if no Via is sent. */
  readonly via: string | null;
  /**
   * The upstream whose services are called. It decides which addresses are allowed, private ones
   * too. Null if every address is trusted, because it comes from the configuration.
   */
  readonly upstream: UpstreamConfig | null;
  readonly timeouts: Timeouts;
  /** The largest answer in bytes. */
  readonly largest: number;
}

/**
 * `fetch` over the gateway's transport, for Afterword's own calls: reads answers whole, keeps their
 * `Retry-After`, follows no redirect, sends nothing twice. Rejects with a {@link FetchFailure}.
 */
export function createServiceFetch(options: ServiceFetchOptions): Fetch {
  const { platform, upstream, timeouts, largest } = options;
  return async (url, init) => {
    const address = splitAddress(url);
    if (address === null) throw createUnsentFailure("the address cannot be called");
    const { base, rest } = address;
    const permission = upstream === null ? "named" : permissionOf(base, upstream);
    if (permission === "refused") {
      throw createUnsentFailure("upstream.allow does not name the address");
    }
    const method = init.method ?? "GET";
    // A credential that no header can carry makes it null.
    const message = await messageOf(init).catch(() => null);
    if (message === null) throw createUnsentFailure("the request cannot be sent");
    const { body, headers } = message;
    const via = options.via === null ? [] : ["Via", options.via];
    const framed = body !== null || method === "POST" || method === "PUT";
    const length = framed ? ["Content-Length", String(body?.length ?? 0)] : [];
    const answer = await readWholeAnswer(
      platform.transport,
      {
        origin: base.origin,
        method,
        path: joinPath(base, rest),
        headers: ["Host", base.host, ...headers, ...coding, ...via, ...length],
        body,
        timeouts,
        trusted: permission === "named",
      },
      largest,
    ).catch(() => null);
    if (answer === null) throw createUnsentFailure("the request cannot be sent");
    if (answer.kind === "failed") {
      throw new FetchFailure(answer.problem, { sent: answer.sent, late: answer.status === 504 });
    }
    const { status, headers: fields } = answer;
    const plain = await readPlainBody(platform, fields, answer.body, largest);
    if (plain === null) throw createUnreadableFailure("the answer's coding cannot be read");
    if (status < 200 || status > 599)
      throw createUnreadableFailure("the answer's status is not known");
    const later = fieldOf(fields, "retry-after");
    return new Response(bodiless.has(status) ? null : Uint8Array.from(plain), {
      status,
      ...(later !== null && { headers: { "retry-after": later } }),
    });
  };
}

/** Limit of answers with tokens, addresses and keys, in bytes. */
export const maxSmallAnswerBytes: number = 256 * 1024;

/** Limit of services' answers in bytes. The largest have messages with pictures. */
const maxServiceAnswerBytes: number = 8 * 1024 * 1024;

/** Sends a call once, within this many milliseconds, to a service of this upstream. */
export function createServiceSend(
  options: Omit<ServiceFetchOptions, "timeouts" | "largest">,
): (call: HttpCall, deadline: number) => Promise<HttpAnswer> {
  return (call, deadline) => {
    const timeouts = { connect: deadline, headers: deadline, total: deadline, idle: 0 };
    const fetch = createServiceFetch({ ...options, timeouts, largest: maxServiceAnswerBytes });
    const now = (): number => options.platform.now();
    return sendCall(call, { fetch, timeout: deadline, now, secrets: () => [] });
  };
}

const coding = ["Accept-Encoding", "identity"];
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

function createUnsentFailure(problem: string): FetchFailure {
  return new FetchFailure(problem, { sent: false });
}

function createUnreadableFailure(problem: string): FetchFailure {
  return new FetchFailure(problem, { sent: true });
}

function splitAddress(url: string): { readonly base: Base; readonly rest: string } | null {
  const [, embedded, path = ""] = /^(embedded:[^/]*)(\/.*)$/.exec(url) ?? [];
  const parsed = embedded === undefined ? URL.parse(url) : null;
  const base = parseBase(embedded ?? parsed?.origin ?? "");
  if (base === null || (parsed !== null && parsed.username + parsed.password !== "")) return null;
  return { base, rest: parsed === null ? path : parsed.pathname + parsed.search };
}

async function messageOf(
  init: RequestInit,
): Promise<{ readonly headers: readonly string[]; readonly body: Uint8Array | null }> {
  const headers = new Headers(init.headers);
  const { body = null } = init;
  if (!headers.has("accept")) headers.set("accept", "application/json");
  if (body === null) return { headers: [...headers].flat(), body };
  // A form brings its content type itself.
  const whole = new Response(body);
  const type = whole.headers.get("content-type");
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  return { headers: [...headers].flat(), body: new Uint8Array(await whole.arrayBuffer()) };
}
