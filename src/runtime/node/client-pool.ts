import type { Client } from "undici";

/**
 * Connections to one origin, each with one request at a time. undici's own Pool looks through all of them for one that is
 * free, and its Agent joins a key for every request; here the one that came free last is the next, so that the others close
 * when there is no use for them.
 */
export interface ClientPool {
  /** A client that has nothing to do. */
  take(): Client;
  /** Call once for every `take`, when the exchange is over. `broken`: its connection may be gone. */
  give(client: Client, broken: boolean): void;
  /** Lets what is under way finish. Nothing may be taken any more. */
  close(): void;
  /** Breaks off what is under way. */
  destroy(): Promise<void>;
}

export function createClientPool(create: () => Client): ClientPool {
  const all = new Set<Client>();
  const free: Client[] = [];

  return {
    take: () => free.pop() ?? added(),
    give(client, broken) {
      if (!all.has(client)) return;
      if (broken && !client.stats.connected) drop(client);
      else free.push(client);
    },
    close() {
      for (const client of all) drop(client);
      free.length = 0;
    },
    async destroy() {
      await Promise.all([...all].map((client) => client.destroy()));
      all.clear();
      free.length = 0;
    },
  };

  function added(): Client {
    const client = create();
    all.add(client);
    // Unused for so long that it was closed, or closed by the other side.
    client.on("disconnect", () => {
      const place = free.indexOf(client);
      if (place === -1) return;
      free.splice(place, 1);
      drop(client);
    });
    return client;
  }

  function drop(client: Client): void {
    all.delete(client);
    client.close().catch(() => undefined);
  }
}
