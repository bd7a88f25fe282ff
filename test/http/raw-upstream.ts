import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface RawUpstream {
  readonly origin: string;
  /** The data that each connection has sent, in the order in which they were opened. */
  readonly received: string[];
  readonly sockets: Socket[];
}

/** An upstream that answers bytes: `answer` is called for every piece that arrives. */
export async function rawUpstream(
  answer: (socket: Socket, text: string, connection: number) => void,
  make: (each: (socket: Socket) => void) => Server = createServer,
  host = "127.0.0.1",
): Promise<RawUpstream> {
  const texts: string[] = [];
  const sockets: Socket[] = [];
  const server = make((socket) => {
    const connection = sockets.push(socket) - 1;
    texts.push("");
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      texts[connection] += bytes.toString("latin1");
      answer(socket, texts[connection] ?? "", connection);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://${host}:${port}`, received: texts, sockets };
}
