import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface RawUpstream {
  readonly origin: string;
  /** What each connection has sent, in the order of their opening. */
  readonly said: string[];
  readonly sockets: Socket[];
}

/** An upstream of bytes: `answer` is called with every piece that comes. */
export async function rawUpstream(
  answer: (socket: Socket, said: string, connection: number) => void,
  make: (each: (socket: Socket) => void) => Server = createServer,
  host = "127.0.0.1",
): Promise<RawUpstream> {
  const said: string[] = [];
  const sockets: Socket[] = [];
  const server = make((socket) => {
    const connection = sockets.push(socket) - 1;
    said.push("");
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      said[connection] += bytes.toString("latin1");
      answer(socket, said[connection] ?? "", connection);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://${host}:${port}`, said, sockets };
}
