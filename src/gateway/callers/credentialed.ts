import type { AnswerReceiver, RawHeaders } from "../../http/types.ts";
import { encodeErrorBody } from "../exchange/errors.ts";
import type { Transport, UpstreamRequest } from "../exchange/transport.ts";

/** The fields of our credentials on the wire. */
export interface CredentialFields {
  /** Fields to add. */
  readonly fields: RawHeaders;
  /** Values that must not come back. */
  readonly secrets: readonly string[];
}

export interface CredentialedParts {
  readonly transport: Transport;
  readonly body: Uint8Array | null;
  readonly presented: CredentialFields;
  /** New credentials after a refusal, or null. Called at most once; never rejects. */
  readonly renew: () => Promise<CredentialFields | null>;
  /** The upstream turned our credentials away for good. */
  readonly refused: () => void;
  /** True: a 401 is about what the caller sent, and is the caller's to see. */
  readonly relays401: boolean;
}

/**
 * A transport for one request that adds credentials, and tries once more with new ones when the
 * upstream refuses them: it turned the request away before it did anything. A second refusal is
 * answered 502, because a client would take a 401 for its own.
 */
export function createCredentialedTransport(parts: CredentialedParts): Transport {
  return {
    send(request, receiver) {
      const attempt = new Attempt(parts, request, receiver);
      attempt.begin(parts.presented, true);
      return () => attempt.cancel();
    },
  };
}

class Attempt {
  readonly #parts: CredentialedParts;
  readonly #request: UpstreamRequest;
  readonly #receiver: AnswerReceiver;
  #cancel: () => void = () => {};
  #cancelled = false;

  constructor(parts: CredentialedParts, request: UpstreamRequest, receiver: AnswerReceiver) {
    this.#parts = parts;
    this.#request = request;
    this.#receiver = receiver;
  }

  begin(presented: CredentialFields, mayRenew: boolean): void {
    const { transport, body, relays401 } = this.#parts;
    const receiver = this.#receiver;
    let given = false;
    const framing =
      body === null && bodiless.has(this.#request.method)
        ? []
        : ["Content-Length", String(body?.length ?? 0)];
    const headers = [...this.#request.headers, ...presented.fields, ...framing];
    this.#cancel = transport.send(
      { ...this.#request, headers, body },
      {
        head: (status, reason, fields, stream) => {
          if (given) return;
          if (status !== 401 || relays401) {
            receiver.head(
              status,
              tells(reason, presented.secrets) ? "" : reason,
              withoutSecrets(fields, presented.secrets),
              stream,
            );
            return;
          }
          given = true;
          this.#cancel();
          if (mayRenew) void this.#again();
          else this.#refuse();
        },
        data: (chunk) => {
          if (!given) receiver.data(chunk);
        },
        end: (trailers) => {
          if (!given) receiver.end(withoutSecrets(trailers, presented.secrets));
        },
        fail: (error) => {
          if (!given) receiver.fail(error);
        },
      },
    );
    // The answer may have been there before the way to cancel it was.
    if (given) this.#cancel();
  }

  cancel(): void {
    this.#cancelled = true;
    this.#cancel();
  }

  async #again(): Promise<void> {
    const presented = await this.#parts.renew();
    if (this.#cancelled) return;
    if (presented === null) this.#refuse();
    else this.begin(presented, false);
  }

  #refuse(): void {
    this.#parts.refused();
    const body = encodeErrorBody(502, refusedMessage);
    const headers = ["Content-Type", "application/json", "Content-Length", String(body.length)];
    headers.push("Cache-Control", "no-store");
    this.#receiver.head(502, "Bad Gateway", headers, { pause() {}, resume() {} });
    if (this.#request.method !== "HEAD") this.#receiver.data(body);
    this.#receiver.end([]);
  }
}

export const refusedMessage =
  "The service behind this gateway refused the gateway's credentials. The gateway's log says more.";

const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE"]);

function withoutSecrets(headers: RawHeaders, secrets: readonly string[]): RawHeaders {
  if (!headers.some((text) => tells(text, secrets))) return headers;
  return headers.filter((_, index) => !tells(headers[index - (index % 2) + 1] ?? "", secrets));
}

/** A few letters stand everywhere, and are no secret. */
function tells(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => secret.length >= 8 && text.includes(secret));
}
