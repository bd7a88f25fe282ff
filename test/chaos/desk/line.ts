import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** An agent's connection to the service, which can be cut. */
export interface Line {
  readonly url: string;
  /** Ends every connection and accepts no new ones. */
  cut(): void;
  mend(): void;
  end(): Promise<void>;
}

export async function openLine(to: string): Promise<Line> {
  const { port, hostname } = new URL(to);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => one.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      drop();
    },
    mend() {
      isCut = false;
    },
    async end() {
      drop();
      server.close();
      await once(server, "close");
    },
  };
}
