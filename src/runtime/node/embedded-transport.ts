import { STATUS_CODES } from "node:http";
import type {
  Receiver,
  Transport,
  TransportError,
  UpstreamRequest,
} from "../../gateway/transport.ts";
import { createDeadlines, type StartDeadline } from "../../http/deadline.ts";
import { toTransportError } from "../../http/transport-error.ts";

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
  const startDeadline = createDeadlines();
  return {
    send(request, receiver) {
      const cancelling = new AbortController();
      const run = createRun(request, receiver, cancelling, startDeadline);
      void run.start(app);
      return () => run.cancel();
    },
  };
}

/** Sends `embedded:` origins to one transport and all others to another. */
export function combineTransports(embedded: Transport | null, network: Transport): Transport {
  return {
    send(request, receiver) {
      if (!request.origin.startsWith("embedded:")) return network.send(request, receiver);
      if (embedded !== null) return embedded.send(request, receiver);
      receiver.fail({ kind: "refused", detail: "there is no embedded upstream", sent: false });
      return () => undefined;
    },
  };
}

interface Run {
  start(app: FetchApp): Promise<void>;
  cancel(): void;
}

function createRun(
  request: UpstreamRequest,
  receiver: Receiver,
  cancelling: AbortController,
  startDeadline: StartDeadline,
): Run {
  let over = false;
  let wake: (() => void) | null = null;
  let paused = false;

  const deadline = startDeadline(request.timeouts, {
    expired: (name) => fail({ kind: "timeout", detail: name, sent: true }),
  });
  const finish = (): void => {
    over = true;
    deadline.stop();
    wake?.();
  };
  const fail = (error: TransportError): void => {
    if (over) return;
    finish();
    cancelling.abort();
    try {
      receiver.fail(error);
    } catch {
      // The exchange has ended for us; whoever listens has been told.
    }
  };
  const stream = {
    pause() {
      paused = true;
      deadline.pause();
    },
    resume() {
      if (!paused) return;
      paused = false;
      deadline.resume();
      wake?.();
    },
  };
  const mayGoOn = (): boolean => !paused || over;
  const resumed = async (): Promise<void> => {
    while (!mayGoOn()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  async function deliver(response: Response): Promise<void> {
    deadline.answered();
    const reason = response.statusText === "" ? STATUS_CODES[response.status] : response.statusText;
    receiver.head(response.status, reason ?? "", [...response.headers].flat(), stream);
    if (response.body !== null) {
      for await (const chunk of response.body) {
        deadline.touch();
        if (!over) receiver.data(chunk);
        await resumed();
        // Leaving the loop cancels the app's stream.
        if (over) return;
      }
    }
    if (over) return;
    finish();
    receiver.end([]);
  }

  return {
    async start(app) {
      try {
        const response = await app(toRequest(request, cancelling.signal), {
          client: request.client || null,
        });
        if (over) await response.body?.cancel();
        else await deliver(response);
      } catch (error) {
        fail(toTransportError(error, true));
      }
    },
    cancel() {
      if (over) return;
      finish();
      cancelling.abort();
    },
  };
}

function toRequest(request: UpstreamRequest, signal: AbortSignal): Request {
  const product = request.origin.slice("embedded:".length);
  const { method, body } = request;
  const headers = new Headers();
  for (let i = 0; i + 1 < request.headers.length; i += 2) {
    headers.append(request.headers[i] ?? "", request.headers[i + 1] ?? "");
  }
  // `Request` refuses a body here, and the app has no use for one.
  const bodyless = body === null || method === "GET" || method === "HEAD";
  return new Request(`http://embedded/${product}${request.path}`, {
    method,
    headers,
    signal,
    ...(bodyless
      ? {}
      : { body: body instanceof Uint8Array ? new Uint8Array(body) : streamOf(body) }),
    ...(bodyless ? {} : { duplex: "half" }),
  });
}

function streamOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
