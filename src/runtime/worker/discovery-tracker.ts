import type { Transport, UpstreamRequest } from "../../gateway/exchange/transport.ts";

/** Keeps shared work, such as discovery, alive: the runtime ends what a gone client began. */
export interface DiscoveryTracker {
  readonly transport: Transport;
  /** Settles when no discovery that is under way now is any more; null when there is none. */
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

function isDiscovery({ method, path }: UpstreamRequest): boolean {
  return method === "GET" && path.endsWith("/v1/apis");
}
