import type { BodyReader, Exchange, RawHeaders, RequestBody } from "../../gateway/exchange.ts";
import { fieldOf } from "../../gateway/headers.ts";
import { splitAddress } from "../web/web-exchange.ts";
import { createWebRequestBody } from "../web/web-request-body.ts";
import { BunReply } from "./reply.ts";

/** A request-target in origin-form, cut out of the URL that Bun made of it. */
export function targetOf(url: string): string {
  const start = url.startsWith("http://") ? url.indexOf("/", 7) : -1;
  return start === -1 || url.includes("#") ? splitAddress(url).target : url.slice(start);
}

/**
 * One request on Bun's server, as the gateway sees it. There is one for every request: a class, so that all have one shape;
 * and what makes a stream of the body is only asked for when it has to be one.
 */
export class BunExchange implements Exchange {
  readonly method: string;
  readonly target: string;
  readonly headers: RawHeaders;
  readonly body: RequestBody | null;
  readonly peer = null;
  readonly scheme = "http" as const;
  readonly reply: BunReply;

  constructor(request: Request, target: string, headers: RawHeaders) {
    const { method, signal } = request;
    const length = fieldOf(headers, "content-length");
    const announced =
      (length !== null && length !== "0") || fieldOf(headers, "transfer-encoding") !== null;
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.body = announced ? new BunBody(request, length) : null;
    this.reply = new BunReply(method, signal);
  }
}

class BunBody implements RequestBody {
  readonly length: number | null;
  readonly #request: Request;

  constructor(request: Request, length: string | null) {
    this.#request = request;
    this.length = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
  }

  peek(limit: number): ReturnType<RequestBody["peek"]> {
    return this.#streamed().peek(limit);
  }

  /** A body that is whole within the limit is taken in one piece, which costs a quarter of reading its stream. */
  peekInto(limit: number, reader: BodyReader): void {
    const lost = (): void => reader.lost();
    if (this.length !== null && this.length <= limit) {
      this.#request.arrayBuffer().then((bytes) => reader.peeked(new Uint8Array(bytes), null), lost);
    } else {
      this.peek(limit).then(({ bytes, rest }) => reader.peeked(bytes, rest), lost);
    }
  }

  stream(): AsyncIterable<Uint8Array> {
    return this.#streamed().stream();
  }

  #streamed(): RequestBody {
    const { body, signal } = this.#request;
    return createWebRequestBody(body ?? new ReadableStream(endAtOnce), this.length, signal);
  }
}

const endAtOnce = {
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    controller.close();
  },
};
