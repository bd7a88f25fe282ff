import type { Socket } from "node:net";
import type { OpenWire, Wire, WireEvents } from "../../http/wire.ts";
import type { Connector } from "./connector.ts";
import { bareHost } from "./proxy.ts";
import { toTransportError } from "../../http/transport-error.ts";

/** Connections to an origin, `http:` or `https:`, as `connector` opens them. */
export function createNodeWires(connector: Connector, origin: URL): OpenWire {
  const { host, protocol, port } = origin;
  const hostname = bareHost(origin.hostname);
  const target = { hostname, host, protocol, port, servername: hostname };
  const secure = protocol === "https:";
  return (events) => {
    const wire = new NodeWire(events, !secure);
    const onread = { buffer: page, callback: (length: number) => wire.read(length) };
    try {
      connector(secure ? target : { ...target, onread }, (error, socket) => {
        if (error !== null || socket === null) events.unreached(toTransportError(error, false));
        else wire.opened(socket);
      });
    } catch (error) {
      events.unreached(toTransportError(error, false));
    }
  };
}

/**
 * All connections read into it, one after the other: what is read is handed over before the next is
 * read.
 */
const page = Buffer.allocUnsafeSlow(65_536);

class NodeWire implements Wire {
  readonly lends: boolean;
  readonly #events: WireEvents;
  #socket: Socket | null = null;

  constructor(events: WireEvents, lends: boolean) {
    this.#events = events;
    this.lends = lends;
  }

  opened(socket: Socket): void {
    this.#socket = socket;
    const events = this.#events;
    socket.on("end", () => events.sentAll());
    socket.on("close", () => events.lost());
    socket.on("drain", () => events.roomAgain());
    if (!this.lends) socket.on("data", (bytes: Buffer) => events.received(bytes));
    events.opened(this);
  }

  read(length: number): boolean {
    this.#events.received(page.subarray(0, length));
    return true;
  }

  get stands(): boolean {
    return this.#socket?.destroyed === false;
  }

  get drained(): boolean {
    return this.#socket?.writableLength === 0;
  }

  send(head: string, body: Uint8Array | null): void {
    const socket = this.#socket;
    if (socket === null) return;
    const bytes = Buffer.allocUnsafe(head.length + (body?.length ?? 0));
    bytes.write(head, 0, "latin1");
    if (body !== null) bytes.set(body, head.length);
    socket.write(bytes);
  }

  write(bytes: Uint8Array): boolean {
    return this.#socket?.write(bytes) === true;
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  hold(holds: boolean): void {
    if (holds) this.#socket?.ref();
    else this.#socket?.unref();
  }

  terminate(): void {
    this.#socket?.destroy();
  }
}
