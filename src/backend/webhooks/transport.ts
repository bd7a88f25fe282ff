import type { SubmissionFailure } from "../forms/types.ts";

/** Carries one call to a webhook. Never rejects. */
export interface WebhookTransport {
  send(request: WebhookRequest): Promise<WebhookReply>;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

export interface WebhookRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for a request without one. */
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** Milliseconds for the whole call, from looking up the name to the response's last byte. */
  readonly timeout: number;
  /** False: only public addresses may be connected to, checked after the name was looked up. */
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
      /** Empty for a status that is not 2xx: nobody reads it. */
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
