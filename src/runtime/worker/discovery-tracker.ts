import type { HttpRequest } from "../../http/types.ts";
import type { Transport } from "../../gateway/exchange/transport.ts";

/**
 * Keeps shared work, such as discovery, alive, because the runtime ends the work of a client that
 * has gone.
 */
export interface DiscoveryTracker {
  readonly transport: Transport;
  /** Settles when all discoveries that are running now have ended; null when there are none. */
  settled(): Promise<unknown> | null;
}

/** Discoveries only, which are few and shared: tracking all costs a tenth of a message. */
export function countDiscoveries(transport: Transport): DiscoveryTracker {
  const open = new Set<Promise<void>>();
  return {
    transport: {
      send(request, receiver) {
        if (!isDiscovery(request)) return transport.send(request, receiver);
        const { promise, resolve } = Promise.withResolvers<void>();
        const finish = (): void => {
          open.delete(promise);
          resolve();
        };
        open.add(promise);
        const cancel = transport.send(request, {
          head: (status, reason, headers, stream) => receiver.head(status, reason, headers, stream),
          data: (chunk) => receiver.data(chunk),
          end(trailers) {
            finish();
            receiver.end(trailers);
          },
          fail(error) {
            finish();
            receiver.fail(error);
          },
        });
        return () => {
          finish();
          cancel();
        };
      },
    },
    settled: () => (open.size === 0 ? null : Promise.allSettled(open)),
  };
}

function isDiscovery({ method, path }: HttpRequest): boolean {
  return method === "GET" && path.endsWith("/v1/apis");
}
