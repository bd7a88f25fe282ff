import { connect, type Socket } from "node:net";
import { messagePath, messageRequest, requestHeaders } from "../traffic.ts";

export interface Clients {
  /** How many are still connected. */
  open(): number;
  close(): void;
}

/** At most so many connect at the same time. */
const atOnce = 100;

/** Clients that ask once, read the whole answer, and then keep their connection without a word. */
export async function connectIdle(port: number, count: number): Promise<Clients> {
  const sockets: Socket[] = [];
  let next = 0;
  const connecting = Array.from({ length: atOnce }, async () => {
    while (next < count) {
      next++;
      sockets.push(await askOnce(port));
    }
  });
  await Promise.all(connecting);
  return clientsOf(sockets);
}

/** Clients whose answers are large, and who read 16 KB of them four times a second. */
export function connectSlowReaders(port: number, count: number): Clients {
  const sockets = openSlow(port, count, "/v1/tracking/large");
  for (const socket of sockets) socket.pause();
  const reading = setInterval(() => {
    for (const socket of sockets) socket.read(16_384);
  }, 250);
  return clientsOf(sockets, () => clearInterval(reading));
}

/** Clients whose upstream takes its time. */
export function connectToSlowUpstream(port: number, count: number): Clients {
  const sockets = openSlow(port, count, "/v1/tracking/slow");
  for (const socket of sockets) socket.resume();
  return clientsOf(sockets);
}

function openSlow(port: number, count: number, path: string): readonly Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-inbenta-key: slow\r\n\r\n`);
    return socket;
  });
}

function clientsOf(sockets: readonly Socket[], stop: () => void = () => undefined): Clients {
  return {
    open: () => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length,
    close() {
      stop();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const fields = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
const request = `POST ${messagePath} HTTP/1.1\r\nHost: 127.0.0.1\r\n${fields.join("")}Content-Length: ${Buffer.byteLength(messageRequest)}\r\n\r\n${messageRequest}`;

function askOnce(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let seen = "";
    socket.setEncoding("latin1");
    socket.once("error", reject);
    socket.on("data", (chunk: string) => {
      seen += chunk;
      const head = seen.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(seen)?.[1] ?? Number.NaN);
      if (!seen.startsWith("HTTP/1.1 200") || Number.isNaN(length)) {
        reject(new Error(`unexpected answer: ${seen.slice(0, 80)}`));
      } else if (seen.length >= head + 4 + length) {
        socket.removeAllListeners("data");
        seen = "";
        socket.off("error", reject).on("error", () => undefined);
        resolve(socket);
      }
    });
    socket.write(request);
  });
}
