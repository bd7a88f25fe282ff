import type { LookupFunction } from "node:net";
import { isPublicHost } from "../../api/call/public-host.ts";
import { createHttpClient } from "../../http/client.ts";
import { failureOf } from "../../http/connect.ts";
import type { AnswerReceiver, Failure, RawHeaders } from "../../http/types.ts";
import { joinChunks } from "../../json/bytes.ts";
import type { SubmissionFailure } from "../forms/types.ts";

/** Carries one call to a webhook. Never rejects. */
export interface WebhookTransport {
  send(request: WebhookRequest): Promise<WebhookReply>;
  /** Breaks off what is under way. */
  close(): void;
}

export interface WebhookRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for a request without one. */
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** Milliseconds for the whole call, from looking up the name to the response's last byte. */
  readonly timeout: number;
  /** False if only public addresses may be connected to, checked after the name was looked up. */
  readonly trusted: boolean;
  /** Largest response, in bytes. */
  readonly limit: number;
}

export type WebhookReply =
  | {
      readonly kind: "response";
      readonly status: number;
      /** Header fields by lower-case name, of those that occur once. */
      readonly headers: ReadonlyMap<string, string>;
      /** Empty for a status other than 2xx, because nobody reads it. */
      readonly body: Uint8Array;
    }
  | {
      readonly kind: "failure";
      readonly reason: Extract<
        SubmissionFailure,
        "refused" | "unreachable" | "broken" | "timeout" | "too-large"
      >;
      readonly detail: string;
    };

export interface WebhookTransportOptions {
  /** Looks up names. Default: the system's resolver. */
  readonly lookup?: LookupFunction;
  /** PEM certificate authorities instead of Node's own (which NODE_EXTRA_CA_CERTS extends). */
  readonly ca?: string;
}

/**
 * Calls webhooks over TCP and TLS: see src/http. Each call has a connection of its own, so that
 * none can break under a later call. No proxy of the environment is used: it would look up names
 * itself, and their addresses could not be checked.
 */
export function createWebhookTransport(options: WebhookTransportOptions = {}): WebhookTransport {
  const client = createHttpClient({
    ...options,
    proxyFor: () => null,
    isPublic: isPublicHost,
    keepAlive: 0,
    toUploadFailure: (error) => failureOf(error, true),
  });
  return {
    send({ method, url, headers, body, timeout, trusted, limit }) {
      const { origin, pathname, search } = new URL(url);
      const { promise, resolve } = Promise.withResolvers<WebhookReply>();
      const request = {
        origin,
        method,
        path: pathname + search,
        headers: Object.entries(headers).flat(),
        body,
        timeouts: { connect: maxConnectTime, headers: 0, idle: 0, total: timeout },
        trusted,
      };
      const cancel = client.send(request, createReceiver(limit, timeout, settle));
      return promise;

      function settle(reply: WebhookReply, whole: boolean): void {
        if (!whole) cancel();
        resolve(reply);
      }
    },
    close: () => client.close(),
  };
}

/** Milliseconds; no call takes longer, so the socket of an abandoned call does not linger. */
const maxConnectTime = 20_000;

/** @param settle called with the reply, and whether the exchange is over */
function createReceiver(
  limit: number,
  timeout: number,
  settle: (reply: WebhookReply, whole: boolean) => void,
): AnswerReceiver {
  const chunks: Uint8Array[] = [];
  let answer = { status: 0, headers: new Map<string, string>() };
  let length = 0;
  return {
    head(status, _reason, headers) {
      answer = { status, headers: listSingleFields(headers) };
      if (status >= 200 && status < 300) return;
      settle({ kind: "response", ...answer, body: new Uint8Array() }, false);
    },
    data(bytes) {
      length += bytes.length;
      chunks.push(bytes);
      if (length <= limit) return;
      const detail = `more than ${limit} bytes`;
      settle({ kind: "failure", reason: "too-large", detail }, false);
    },
    end: () => settle({ kind: "response", ...answer, body: joinChunks(chunks, length) }, true),
    fail: (failure) => settle(toFailedReply(failure, timeout), true),
  };
}

function listSingleFields(headers: RawHeaders): Map<string, string> {
  const single = new Map<string, string>();
  const repeated = new Set<string>();
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = (headers[at] ?? "").toLowerCase();
    if (single.has(name)) repeated.add(name);
    single.set(name, headers[at + 1] ?? "");
  }
  for (const name of repeated) single.delete(name);
  return single;
}

function toFailedReply({ kind, detail }: Failure, timeout: number): WebhookReply {
  switch (kind) {
    case "refused":
    case "unreachable":
      return { kind: "failure", reason: kind, detail };
    case "timeout":
      return { kind: "failure", reason: kind, detail: `no complete response in ${timeout} ms` };
    default:
      return { kind: "failure", reason: "broken", detail };
  }
}
