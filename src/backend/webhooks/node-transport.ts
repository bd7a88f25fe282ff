import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, request } from "undici";
import type { Dispatcher } from "undici";
import { isPublicHost } from "../../api/public-host.ts";
import type { WebhookReply, WebhookRequest, WebhookTransport } from "./transport.ts";

export interface NodeWebhookTransportOptions {
  /** Looks up names. Default: the system's resolver. */
  readonly resolve?: LookupFunction;
  /** PEM certificate authorities instead of Node's own (which NODE_EXTRA_CA_CERTS extends). */
  readonly ca?: string;
}

/**
 * Calls webhooks over TCP and TLS: a connection of its own for each call, no redirects, no
 * decoding, nothing sent twice, and no proxy from the environment, which would look up names where
 * nobody checks them.
 */
export function createNodeWebhookTransport(
  options: NodeWebhookTransportOptions = {},
): WebhookTransport {
  const agents = { trusted: agentWith(options, true), open: agentWith(options, false) };
  return {
    async send(asked) {
      const { hostname } = new URL(asked.url);
      if (!asked.trusted && !isPublicHost(hostname)) return refused;
      const signal = AbortSignal.timeout(asked.timeout);
      try {
        const agent = asked.trusted ? agents.trusted : agents.open;
        // undici heeds the signal once a connection stands, and then sends nothing: looking up and
        // connecting are waited for here.
        return await Promise.race([exchange(asked, agent, signal), ended(signal)]);
      } catch (error) {
        return signal.aborted ? timedOut(asked.timeout) : failure(error);
      }
    },
    async close() {
      await Promise.all([agents.trusted.destroy(), agents.open.destroy()]);
    },
  };
}

function agentWith({ resolve, ca }: NodeWebhookTransportOptions, trusted: boolean): Agent {
  const lookup = resolve ?? systemLookup;
  return new Agent({
    pipelining: 0, // no connection is kept, so none can break under a later call
    headersTimeout: 0, // the signal ends the whole call
    bodyTimeout: 0,
    connect: {
      lookup: trusted ? lookup : publicOnly(lookup),
      timeout: 20_000, // no call is longer: a socket whose call was given up does not linger
      allowH2: false,
      ...(ca !== undefined && { ca }),
    },
  });
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function exchange(
  { method, url, headers, body, limit }: WebhookRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<WebhookReply> {
  const response = await request(url, { method, headers, body, dispatcher, signal });
  const single = new Map<string, string>();
  for (const [name, value] of Object.entries(response.headers)) {
    if (typeof value === "string") single.set(name.toLowerCase(), value);
  }
  const status = response.statusCode;
  const read = status >= 200 && status < 300;
  const bytes = read ? await bodyWithin(response.body, limit) : new Uint8Array();
  // A body that is not read to its end must not hold the connection.
  if (!read || bytes === null) response.body.on("error", () => undefined).destroy();
  if (bytes === null) {
    return { kind: "failure", reason: "too-large", detail: `more than ${limit} bytes` };
  }
  return { kind: "response", status, headers: single, body: bytes };
}

async function bodyWithin(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Fails when any of the addresses a name resolves to is not public. The socket connects to the very
 * addresses that were looked at, so a name that answers differently the next time (DNS rebinding)
 * gains nothing.
 */
function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = typeof found === "string" ? [{ address: found, family: 4 }] : found;
      const [first] = addresses ?? [];
      if (error !== null) callback(error, "");
      else if (first === undefined || !addresses.every(({ address }) => isPublicHost(address))) {
        callback(Object.assign(new Error("not a public address"), { code: notPublic }), "");
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const notPublic = "AFTERWORD_NOT_PUBLIC";

const refused: WebhookReply = {
  kind: "failure",
  reason: "refused",
  detail: "the address is not public and its host is not named in the configuration",
};

function timedOut(timeout: number): WebhookReply {
  return { kind: "failure", reason: "timeout", detail: `no complete response in ${timeout} ms` };
}

function failure(error: unknown): WebhookReply {
  const code = codeOf(error);
  if (code === notPublic) return refused;
  const reason = unreachable.test(code) ? "unreachable" : "broken";
  return { kind: "failure", reason, detail: code === "" ? "the connection broke" : code };
}

// Name, route, port or certificate: nothing of the submission has left.
const unreachable =
  /^(?:ENOTFOUND|EAI_|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT|CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** The code of an error or, when several addresses were tried, of one of theirs. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error.cause);
}
