import type { Transport, UpstreamRequest } from "../../gateway/transport.ts";

/**
 * The runtime ends what a request began when its client goes away. What others wait for as well,
 * such as one discovery for many, must not end with it.
 */
export interface Waiting {
  readonly transport: Transport;
  /** Settles when no discovery that is under way now is any more; null when there is none. */
  settled(): Promise<unknown> | null;
}

/**
 * Discoveries are few, and all that requests share: to follow every exchange would cost a tenth of
 * a message.
 */
export function countDiscoveries(transport: Transport): Waiting {
  const open = new Set<Promise<void>>();
  return {
    transport: {
      send(request, receiver) {
        if (!isDiscovery(request)) return transport.send(request, receiver);
        const { promise, resolve } = Promise.withResolvers<void>();
        const over = (): void => {
          open.delete(promise);
          resolve();
        };
        open.add(promise);
        const cancel = transport.send(request, {
          head: (status, reason, headers, stream) => receiver.head(status, reason, headers, stream),
          data: (chunk) => receiver.data(chunk),
          end(trailers) {
            over();
            receiver.end(trailers);
          },
          fail(error) {
            over();
            receiver.fail(error);
          },
        });
        return () => {
          over();
          cancel();
        };
      },
    },
    settled: () => (open.size === 0 ? null : Promise.allSettled(open)),
  };
}

function isDiscovery({ method, path }: UpstreamRequest): boolean {
  return method === "GET" && path.endsWith("/v1/apis");
}
