import type { Config } from "../../config/config.ts";
import type { ConversationStore } from "../../conversation/memory.ts";
import { AfterwordError } from "../../errors.ts";
import { readAdminToken } from "../../gateway/exchange/admin.ts";
import { createGatewayApp, type Gateway, type GatewayParts } from "../../gateway/gateway.ts";
import type { Platform } from "../../gateway/exchange/platform.ts";
import { createWebPlatform } from "./web-platform.ts";
import { type Client, unknownClient } from "../../http/client-address.ts";
import {
  createClientGoneError,
  type Exchange,
  type RequestBody,
} from "../../gateway/exchange/exchange.ts";
import { fieldOf } from "../../gateway/exchange/headers.ts";
import { rawHeadersOf } from "./field-lists.ts";
import { createWebReply } from "./web-reply.ts";
import { joinChunks } from "../../json/bytes.ts";

export interface GatewayOptions {
  /** From loadConfig, or compiled at build time. */
  readonly config: Config;
  /**
   * Texts of at least 16 characters: the first signs the routes put into `apis`, all verify. Keep
   * them over restarts and the same on every node, because clients keep `apis` for long.
   */
  readonly routeKeys: readonly string[];
  /** At least 16 characters. Default: no admin routes, because no socket identifies the client. */
  readonly adminToken?: string;
  /** The kill switch: no text is edited; routes keep working. */
  readonly disabled?: boolean;
  /** The store of conversations. Default: in this process. */
  readonly store?: ConversationStore;
  /** Replacements for parts of the Fetch API: transport, clock, log and so on. */
  readonly platform?: Partial<Platform>;
  /** Shown at /_afterword/version. Default: not shown, because a bundle has no package.json. */
  readonly version?: string;
  /** Further details of /_afterword/version. */
  readonly versionDetails?: () => Readonly<Record<string, unknown>>;
}

/** The additions of runtimes with more than the Fetch API. */
export interface WebGatewayParts extends Pick<
  GatewayParts,
  "callers" | "escalations" | "insights" | "console" | "details"
> {
  /** Finds the sender of a request. Default: unknown. */
  readonly clientOf?: (request: Request) => Client;
}

/**
 * The gateway over `Request` and `Response` with its parts, for runtimes that swap configurations.
 *
 * @param parts without `callers` or `escalations` these settings have no effect, and nothing of
 *   theirs is loaded
 * @throws AfterwordError `route-keys-missing`; `argument-invalid` for a short `adminToken`
 */
export function createWebGateway(
  options: GatewayOptions,
  { clientOf, ...parts }: WebGatewayParts = {},
): Gateway {
  // Untyped callers may leave them out.
  const given: readonly string[] | undefined = options.routeKeys;
  const keys = (given ?? []).map((key) => new TextEncoder().encode(key));
  if (keys.length === 0 || keys.some((key) => key.length < 16)) {
    throw new AfterwordError(
      "route-keys-missing",
      "createGateway: routeKeys needs at least one text of 16 characters or more",
    );
  }
  return createGatewayApp({
    config: options.config,
    platform: createWebPlatform(options.platform),
    routeKeys: keys,
    version: options.version ?? "",
    admin: { token: readAdminToken(options.adminToken), opensLoopback: false },
    exchangeOf: (request) => createWebExchange(request, clientOf?.(request)),
    ...parts,
    ...(options.store === undefined ? {} : { store: options.store }),
    ...(options.disabled === undefined ? {} : { disabled: options.disabled }),
    ...(options.versionDetails && { versionDetails: options.versionDetails }),
  });
}

interface WebExchange {
  readonly exchange: Exchange;
  /**
   * The response that was written to `exchange.reply`. Resolves with the head, always; never
   * rejects.
   */
  readonly response: Promise<Response>;
}

/**
 * A Fetch API request as the gateway wants it, and the response that comes of it. Hono apps and
 * Workers meet the gateway here.
 *
 * What a `Request` has lost stays lost: header names come in lower case, sorted and joined
 * (`Set-Cookie` apart), dot segments of the path are resolved. Trailers are dropped.
 *
 * `response` is 502 when the reply was aborted before its head, and 499 when the client went away
 * before (nobody reads it; it keeps a handler from waiting for ever). A body that breaks off later
 * is an errored stream.
 *
 * @example
 * const request = new Request("http://gateway.example/v1/apis?a=1");
 * const { exchange, response } = createWebExchange(request);
 * exchange.target; // "/v1/apis?a=1"
 * exchange.reply.send(204, "No Content", [], null);
 * (await response).status; // 204
 */
export function createWebExchange(request: Request, client: Client = unknownClient): WebExchange {
  const { method, signal } = request;
  const { scheme, authority, target } = splitAddress(request.url);
  const fields = rawHeadersOf(request.headers);
  // A Request made in the process has no Host; its URL says what it would have been.
  const hosted = authority === "" || fieldOf(fields, "host") !== null;
  const headers = hosted ? fields : ["host", authority, ...fields];
  const length = lengthOf(fieldOf(fields, "content-length"));
  // By the length if it is known, because requesting the stream creates one, which costs more than
  // short bodies.
  const declared = length !== null && length > 0 && method !== "GET" && method !== "HEAD";
  const hasBody = declared || request.body !== null;
  const { reply, response } = createWebReply(method, signal);
  return {
    exchange: {
      method,
      target,
      headers,
      body: hasBody ? createWebRequestBody(request, length, signal) : null,
      peer: null,
      client,
      scheme,
      reply,
    },
    response,
  };
}

/** Cut, not parsed: `URL` would lose an empty query (`/path?`). The fragment is never sent. */
function splitAddress(url: string) {
  const parts = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)([^#]*)/i.exec(url);
  const target = parts?.[3] ?? "";
  return {
    scheme: parts?.[1]?.toLowerCase() === "https" ? ("https" as const) : ("http" as const),
    authority: (parts?.[2] ?? "").replace(/^[^@]*@/, ""),
    target: target.startsWith("/") ? target : `/${target}`,
  };
}

function lengthOf(value: string | null): number | null {
  if (value === null || !/^\d+$/.test(value)) return null;
  const length = Number(value);
  return Number.isSafeInteger(length) ? length : null;
}

/**
 * The body of a `Request`. Reading ends with `client-gone` when `signal` is aborted, and stops the
 * stream when the reader stops early.
 *
 * @param length declared Content-Length in bytes, or null
 */
function createWebRequestBody(
  request: Pick<Request, "arrayBuffer" | "body">,
  length: number | null,
  signal: AbortSignal,
): RequestBody {
  return {
    length,
    async peek(limit) {
      if (length !== null && length <= limit) {
        // In one piece, which costs a runtime less than its stream.
        const buffer = await request.arrayBuffer().catch((error: unknown) => {
          throw signal.aborted ? createClientGoneError() : error;
        });
        return { bytes: new Uint8Array(buffer), rest: null };
      }
      const chunks = chunksOf(request, signal);
      const held: Uint8Array[] = [];
      let size = 0;
      // One byte more than requested, which distinguishes exactly `limit` bytes from a longer body.
      while (size <= limit) {
        const next = await chunks.next();
        if (next.done === true) return { bytes: joinChunks(held, size), rest: null };
        held.push(next.value);
        size += next.value.length;
      }
      const read = joinChunks(held, size);
      return { bytes: read.subarray(0, limit), rest: prependChunk(read.subarray(limit), chunks) };
    },
  };
}

async function* chunksOf(
  { body }: Pick<Request, "body">,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  if (body === null) return;
  const reader = body.getReader();
  const stop = (): void => {
    // Settles a waiting read, which the signal does not do for a stream made in the process.
    reader.cancel(signal.reason).catch(ignore);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      if (signal.aborted) throw createClientGoneError();
      const next = await reader.read();
      if (signal.aborted) throw createClientGoneError();
      if (next.done) return;
      // Only convention keeps strings out of a stream that other code created.
      if (!(next.value instanceof Uint8Array))
        throw new TypeError("a request body is made of bytes");
      if (next.value.length > 0) yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

async function* prependChunk(
  first: Uint8Array,
  chunks: AsyncGenerator<Uint8Array, void, void>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield first;
    yield* chunks;
  } finally {
    await chunks.return();
  }
}

function ignore(): void {}
