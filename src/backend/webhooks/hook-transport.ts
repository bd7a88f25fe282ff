import { readWebhookPermission } from "./allowed.ts";
import { encodeUtf8 } from "../../json/bytes.ts";
import type { WebhookTransport } from "./transport.ts";

// A challenge has to come back unchanged. Any other answer is not read.
const limit = 4_096;

/** Why an address is not called, with the setting to change. */
export const HOST_NOT_LISTED = "its host is not listed in backend.webhooks of the configuration";

/** Calls registered addresses where `allow` permits it: see `webhookPermission`. */
export function createHookTransport(
  allow: readonly string[],
  transport: WebhookTransport,
): HookTransport {
  return async ({ method, url, headers, body, timeout }) => {
    const permission = readWebhookPermission(url, allow);
    if (permission === "refused") {
      return { ok: false, reason: HOST_NOT_LISTED };
    }
    const reply = await transport.send({
      method,
      url,
      headers: { ...headers, "accept-encoding": "identity", "user-agent": "Afterword" },
      body: body === null ? null : encodeUtf8(body),
      timeout,
      trusted: permission === "named",
      limit,
    });
    return reply.kind === "failure"
      ? { ok: false, reason: reply.detail }
      : {
          ok: true,
          status: reply.status,
          text: new TextDecoder().decode(reply.body),
          headers: reply.headers,
        };
  };
}

/** A call of an address that a customer named. */
export interface HookRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds for the whole call. */
  readonly timeout: number;
}

export type HookAnswer =
  | {
      readonly ok: true;
      readonly status: number;
      readonly text: string;
      /** Header fields by lower-case name, of those that occur once. */
      readonly headers?: ReadonlyMap<string, string>;
    }
  /** The address is not allowed or did not answer; `reason` is for people. */
  | { readonly ok: false; readonly reason: string };

/** Calls customers' addresses, if the configuration allows them. No redirects; never throws. */
export type HookTransport = (request: HookRequest) => Promise<HookAnswer>;
