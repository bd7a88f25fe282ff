import type { AnswerReceiver, HttpRequest, RawHeaders } from "../../http/types.ts";
import { encodeErrorBody } from "../exchange/errors.ts";
import type { Transport } from "../exchange/transport.ts";

/** The header fields of the gateway's credentials. */
export interface CredentialFields {
  /** Fields to add. */
  readonly fields: RawHeaders;
  /** Values that must not appear in answers. */
  readonly secrets: readonly string[];
}

export interface CredentialedParts {
  readonly transport: Transport;
  readonly body: Uint8Array | null;
  readonly presented: CredentialFields;
  /** New credentials after a refusal, or null. Called at most once; never rejects. */
  readonly renew: () => Promise<CredentialFields | null>;
  /** Called if the upstream refused renewed credentials too. */
  readonly refused: () => void;
  /** True if a 401 concerns the caller's own credentials, so the caller gets it. */
  readonly relays401: boolean;
}

/**
 * Creates a transport for one request that adds credentials. If the upstream refuses them, it has
 * not processed the request, so the transport tries once more with new ones. A second refusal is
 * answered with 502, because a client would take a 401 for a refusal of its own credentials.
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
  readonly #request: HttpRequest;
  readonly #receiver: AnswerReceiver;
  #cancel: () => void = () => {};
  #cancelled = false;

  constructor(parts: CredentialedParts, request: HttpRequest, receiver: AnswerReceiver) {
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
    // The answer may have arrived before `#cancel` was set.
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

/** True if a text contains a secret. Short secrets are ignored, since they occur in any text. */
function tells(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => secret.length >= 8 && text.includes(secret));
}
