import type { Failure, HttpRequest } from "../../http/types.ts";
import { LRUCache } from "lru-cache";
import { isPublicHost } from "../../api/call/public-host.ts";
import { joinedFieldOf } from "../../gateway/exchange/headers.ts";
import type { DecodedCodings } from "./fetch-answer.ts";
import { headersOf } from "./field-lists.ts";
import { copyUnlessOwn } from "./own-bytes.ts";

/** The part of `fetch` that is used. In this process it may also read the request itself. */
export type FetchLike = (url: string, init: RequestInit, request: HttpRequest) => Promise<Response>;

export interface ComposedRequest {
  readonly url: string;
  readonly init: RequestInit;
}

/** A request in the form that `fetch` accepts, or the reason why there is none. */
export function composeRequest(
  request: HttpRequest,
  decodes: DecodedCodings,
  upload: UploadEvents,
): ComposedRequest | Failure {
  const address = addressOf(request);
  if (address === null) return createRefused("the address would change on its way");
  if (!request.trusted && !isPublicHost(address.hostname)) {
    return createRefused("the address is not public and is not named in the configuration");
  }
  const body = bodyOf(request, upload);
  if (body !== null && (request.method === "GET" || request.method === "HEAD")) {
    return { kind: "broken", detail: "fetch carries no body with GET and HEAD", sent: false };
  }
  const init = {
    method: request.method,
    headers: fieldsOf(request, body, decodes),
    body,
    redirect: "manual",
    signal: upload.signal,
    // Required for streamed bodies, and the same as what runtimes do: answers follow the upload.
    duplex: "half",
  } as const;
  return { url: address.href, init };
}

function createRefused(detail: string): Failure {
  return { kind: "refused", detail, sent: false };
}

interface Address {
  readonly href: string;
  readonly hostname: string;
}

/**
 * The URL, or null when parsing would turn it into something else: another origin, or another place
 * behind the same one (a dot segment leaves the base that was allowed). A `#` would cut off the
 * rest, so it goes out encoded.
 */
function addressOf({ origin, path }: HttpRequest): Address | null {
  const hostname = hostnames.get(origin);
  // The usual case: an origin already examined, and a path that every parser writes alike.
  if (hostname !== undefined && plainPath.test(path)) return { href: origin + path, hostname };
  const url = parseAddress(origin, path);
  if (url === null) return null;
  hostnames.set(origin, url.hostname);
  return url;
}

/** The hostnames of origins that are written as the URL parser writes them. */
const hostnames = new LRUCache<string, string>({ max: 1000 });

/** No segment that begins with a dot in any spelling, and only characters that stay as they are. */
const plainPath = /^(?:\/(?!\.|%2e)[\w~!$&()*+,;=:@%.-]*)+(?:\?[\w~!$&()*+,;=:@%./?-]*)?$/i;

function parseAddress(origin: string, path: string): URL | null {
  if (!/^https?:\/\//i.test(origin) || !path.startsWith("/")) return null;
  const end = path.indexOf("?");
  if (dotSegment.test(end === -1 ? path : path.slice(0, end))) return null;
  const address = origin + path.replaceAll("#", "%23");
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.origin === origin ? url : null;
}

const dotSegment = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i;

function bodyOf(
  { method, body }: HttpRequest,
  upload: UploadEvents,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  if (body === null) return null;
  if (!(body instanceof Uint8Array)) return uploadStream(body, upload);
  return body.length === 0 && (method === "GET" || method === "HEAD") ? null : copyUnlessOwn(body);
}

function fieldsOf(request: HttpRequest, body: unknown, decodes: DecodedCodings): Headers {
  const headers = headersOf(request.headers, (name) => ownedByFetch.includes(name.toLowerCase()));
  // A streamed body's declared length stays its framing where possible; fetch measures the rest.
  if (body instanceof ReadableStream) {
    const length = joinedFieldOf(request.headers, "content-length");
    if (length !== null && /^\d+$/.test(length)) headers.set("content-length", length);
  }
  // Otherwise fetch would request codings that the client did not.
  if (decodes !== false || !headers.has("accept-encoding"))
    headers.set("accept-encoding", "identity");
  return headers;
}

/** Framing and connection fields are fetch's, Host the URL's; Node's fetch throws on some. */
const ownedByFetch: readonly string[] = [
  "host",
  "content-length",
  "connection",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

export interface UploadEvents {
  /** A chunk was taken, or the source has ended. */
  progress(ended: boolean): void;
  /** The source broke off. */
  failed(error: unknown): void;
  /** Aborted when the exchange ends before the upload. */
  readonly signal: AbortSignal;
}

/** A request body as a stream that reads from its source only on demand. */
function uploadStream(
  source: AsyncIterable<Uint8Array>,
  events: UploadEvents,
): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const { signal } = events;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Node's fetch does not cancel a body that it is reading, and would read all of it to
        // discard it.
        const stop = (): void => {
          controller.error(signal.reason);
          release(chunks);
        };
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
      },
      async pull(controller) {
        try {
          const next = await readNextFilled(chunks);
          if (signal.aborted) return;
          events.progress(next === null);
          if (next === null) controller.close();
          else controller.enqueue(next);
        } catch (error) {
          events.failed(error);
          throw error;
        }
      },
      cancel: () => release(chunks),
    },
    { highWaterMark: 0 },
  );
}

/** Not awaited, because a source that waits for its client would delay the cancellation. */
function release(chunks: AsyncIterator<Uint8Array>): void {
  chunks.return?.().catch(() => {});
}

async function readNextFilled(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | null> {
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) return null;
    if (next.value.length > 0) return next.value;
  }
}
