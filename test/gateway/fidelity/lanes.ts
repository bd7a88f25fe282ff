import { rawConnect, type RawAnswer, type RawConnection } from "../../../src/testing/index.ts";

/** Persistent connections with one request at a time each. */
export interface Lanes {
  /**
   * Sends a request on the next free connection. Rejects when that connection ends before the
   * answer is whole.
   */
  ask(request: Uint8Array): Promise<RawAnswer>;
  close(): void;
}

export function openLanes(port: number, count: number): Lanes {
  const connections = new Set<RawConnection>();
  const lanes = Array.from({ length: count }, () => createLane(port, connections));
  const free = [...lanes];
  const waiting: ((lane: Lane) => void)[] = [];
  return {
    async ask(request) {
      const lane = free.pop() ?? (await new Promise<Lane>((resolve) => waiting.push(resolve)));
      try {
        return await lane(request);
      } finally {
        const next = waiting.shift();
        if (next === undefined) free.push(lane);
        else next(lane);
      }
    },
    close() {
      for (const connection of connections) connection.destroy();
    },
  };
}

type Lane = (request: Uint8Array) => Promise<RawAnswer>;

// Everything that a connection received is kept for the test's messages; a limited number of
// requests keeps that small.
const maxPerConnection = 200;

function createLane(port: number, connections: Set<RawConnection>): Lane {
  let connection: RawConnection | null = null;
  let used = 0;
  const drop = (): void => {
    connection?.destroy();
    if (connection !== null) connections.delete(connection);
    connection = null;
  };
  return async (request) => {
    if (used >= maxPerConnection) drop();
    if (connection === null) {
      connection = await rawConnect(port);
      connections.add(connection);
      used = 0;
    }
    used++;
    try {
      connection.send(request);
      return await connection.answer();
    } catch (error) {
      drop();
      throw error;
    }
  };
}
