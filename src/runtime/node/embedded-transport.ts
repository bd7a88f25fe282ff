import { STATUS_CODES } from "node:http";
import type { Transport } from "../../gateway/transport.ts";
import { createFetchTransport } from "../web/fetch-transport.ts";
import { headersOf } from "../web/field-lists.ts";

/** A Hono app's `fetch`, or anything shaped like it. */
export type FetchApp = (
  request: Request,
  bindings: EmbeddedBindings,
) => Response | Promise<Response>;

/** What the app reads as `c.env`. */
export interface EmbeddedBindings {
  /** Address of the gateway's client, or null for calls of the gateway's own. */
  readonly client: string | null;
}

/**
 * Carries requests for `embedded:<product>` to an app in this process, as
 * `http://embedded/<product><path>`. Nothing is dialled. Header names of the answer are in lower
 * case, as `Headers` keeps them.
 */
export function createEmbeddedTransport(app: FetchApp): Transport {
  return {
    send(request, receiver) {
      const { method, headers, body, client } = request;
      const product = request.origin.slice("embedded:".length);
      // `Request` refuses a body here, and the app has no use for one.
      const isBodiless = method === "GET" || method === "HEAD";
      const inProcess = createFetchTransport({
        decodes: false,
        // With all the fields: `fetch` would leave out Host and the length.
        fetch: async (url, init) =>
          app(new Request(url, { ...init, headers: headersOf(headers) }), {
            client: client || null,
          }),
      });
      const called = {
        ...request,
        origin: "http://embedded",
        path: `/${product}${request.path}`,
        body: isBodiless ? null : body,
        trusted: true,
      };
      return inProcess.send(called, {
        head: (status, reason, fields, answer) =>
          receiver.head(status, reason || (STATUS_CODES[status] ?? ""), fields, answer),
        data: (bytes) => receiver.data(bytes),
        end: (trailers) => receiver.end(trailers),
        fail: (error) => receiver.fail(error),
      });
    },
  };
}
