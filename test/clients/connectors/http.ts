import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** An answer with its raw body: not decompressed, not parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** @throws SyntaxError */
  json(): unknown;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends one request with exactly these fields. Only Host, Connection and the framing of a body are
 * added.
 */
export async function ask(url: string, { method, headers = {}, body }: Ask = {}): Promise<Answer> {
  const outgoing = request(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers,
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
  });
  outgoing.end(body);
  const incoming = await answered;
  const bytes = await buffer(incoming);
  const text = bytes.toString("utf8");
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    body: bytes,
    text,
    json: () => JSON.parse(text) as unknown,
  };
}
