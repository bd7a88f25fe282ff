import { isIP } from "node:net";
import { codeOf } from "../../http/transport-error.ts";
import type { OpenWire, Wire, WireEvents } from "../../http/wire.ts";

/** As much of Bun's sockets as is used. */
export interface BunSocket<Data> {
  data: Data;
  /** TLS: whether the other side's certificate is good, and for this host. */
  readonly authorized: boolean;
  /** @returns how many bytes were taken; the others have to come again after `drain` */
  write(bytes: Uint8Array, offset: number, length: number): number;
  pause(): void;
  resume(): void;
  /** Ends our side in good order, after what was taken. */
  end(): void;
  /** Closes at once, with a reset where bytes are under way. */
  terminate(): void;
  setKeepAlive(on: boolean, initialDelay: number): void;
}

export interface BunSocketHandlers<Data> {
  readonly binaryType: "buffer";
  open(socket: BunSocket<Data>): void;
  handshake(socket: BunSocket<Data>, success: boolean, error: unknown): void;
  data(socket: BunSocket<Data>, bytes: Buffer): void;
  drain(socket: BunSocket<Data>): void;
  end(socket: BunSocket<Data>): void;
  close(socket: BunSocket<Data>): void;
  error(socket: BunSocket<Data>, error: unknown): void;
  connectError(socket: BunSocket<Data>, error: unknown): void;
}

export interface BunConnectOptions<Data> {
  readonly hostname: string;
  readonly port: number;
  readonly data: Data;
  readonly tls?: {
    readonly rejectUnauthorized: true;
    readonly serverName?: string;
    readonly ALPNProtocols: string;
  };
  readonly socket: BunSocketHandlers<Data>;
}

export interface BunListener {
  readonly hostname: string;
  readonly port: number;
  /** @param closeConnections those that are open too */
  stop(closeConnections: boolean): void;
}

export type BunListen = <Data>(options: {
  readonly hostname: string;
  readonly port: number;
  readonly socket: BunSocketHandlers<Data>;
}) => BunListener;

export type BunConnect = <Data>(options: BunConnectOptions<Data>) => Promise<unknown>;

/** Bun's `connect` and `listen`, or null where this is not Bun. */
export function bunSockets(): { readonly connect: BunConnect; readonly listen: BunListen } | null {
  const bun: unknown = Reflect.get(globalThis, "Bun");
  return hasSockets(bun) ? bun : null;
}

function hasSockets(
  value: unknown,
): value is { readonly connect: BunConnect; readonly listen: BunListen } {
  return typeof value === "object" && value !== null && "connect" in value && "listen" in value;
}

/** Connections to the host and port of an origin, `http:` or `https:`. */
export function createBunWires(connect: BunConnect, origin: URL): OpenWire {
  const secure = origin.protocol === "https:";
  const hostname = origin.hostname.replace(/^\[|\]$/g, "");
  const port = origin.port === "" ? (secure ? 443 : 80) : Number(origin.port);
  // An address is no name to ask for (RFC 6066 section 3); the certificate is checked against it
  // all the same.
  const named = isIP(hostname) === 0 ? { serverName: hostname } : {};
  const tls = { rejectUnauthorized: true, ALPNProtocols: onlyHttp1, ...named } as const;
  return (events) => {
    const place = { hostname, port, data: new BunWire(events, secure), socket: wireHandlers };
    // Some things it refuses at once.
    new Promise((resolve) => {
      resolve(connect(secure ? { ...place, tls } : place));
    }).catch((error: unknown) => place.data.unreached(error));
  };
}

export class BunWire implements Wire {
  readonly lends = false;
  readonly #events: WireEvents;
  readonly #secure: boolean;
  #socket: BunSocket<BunWire> | null = null;
  #over = false;
  #rest: Buffer | null = null;
  #ending = false;

  constructor(events: WireEvents, secure: boolean) {
    this.#events = events;
    this.#secure = secure;
  }

  /** A connection that came to us, as yet without TLS. */
  static accepted(socket: BunSocket<BunWire>, events: WireEvents): BunWire {
    const wire = new BunWire(events, false);
    socket.data = wire;
    wire.#opened(socket);
    return wire;
  }

  get stands(): boolean {
    return this.#socket !== null;
  }

  get drained(): boolean {
    return this.#rest === null;
  }

  send(head: string, body: Uint8Array | null): void {
    const length = head.length + (body?.length ?? 0);
    const bytes = length <= scratch.length ? scratch : Buffer.allocUnsafe(length);
    bytes.write(head, 0, "latin1");
    if (body !== null) bytes.set(body, head.length);
    this.#write(bytes, length);
  }

  write(bytes: Uint8Array): boolean {
    this.#write(bytes, bytes.length);
    return this.drained;
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  hold(): void {
    // Its server keeps the process running.
  }

  /** Ends our side once all has been taken that was sent. */
  end(): void {
    if (this.#rest === null) this.#socket?.end();
    else this.#ending = true;
  }

  terminate(): void {
    this.#rest = null;
    this.#socket?.terminate();
  }

  greeted(socket: BunSocket<BunWire>): void {
    if (!this.#secure) this.#opened(socket);
  }

  shookHands(socket: BunSocket<BunWire>, success: boolean, error: unknown): void {
    if (success && socket.authorized) this.#opened(socket);
    else {
      this.unreached(error);
      socket.terminate();
    }
  }

  received(bytes: Buffer): void {
    this.#events.received(bytes);
  }

  /** The system has room again for what was not taken. */
  roomAgain(socket: BunSocket<BunWire>): void {
    const rest = this.#rest;
    if (rest === null) return;
    const taken = socket.write(rest, 0, rest.length);
    if (taken >= rest.length) {
      this.#rest = null;
      if (this.#ending) socket.end();
      this.#events.roomAgain();
    } else if (taken > 0) this.#rest = rest.subarray(taken);
  }

  sentAll(): void {
    this.#events.sentAll();
  }

  closed(): void {
    if (this.#socket === null) this.unreached(null);
    else this.#events.lost();
  }

  unreached(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    // A code says what it was; a message may quote what must not be logged.
    const detail = codeOf(error, "closed before it was open");
    this.#events.unreached({ kind: "unreachable", detail, sent: false });
  }

  /** What the system does not take is copied: what it is cut from may be used again. */
  #write(bytes: Uint8Array, length: number): void {
    const rest = this.#rest;
    if (rest !== null) {
      this.#rest = Buffer.concat([rest, bytes.subarray(0, length)]);
      return;
    }
    const taken = Math.max(0, this.#socket?.write(bytes, 0, length) ?? 0);
    if (taken < length) this.#rest = Buffer.from(bytes.subarray(taken, length));
  }

  #opened(socket: BunSocket<BunWire>): void {
    this.#socket = socket;
    this.#events.opened(this);
  }
}

/** For sockets whose data is their wire. */
export const wireHandlers: BunSocketHandlers<BunWire> = {
  binaryType: "buffer",
  open: (socket) => socket.data.greeted(socket),
  handshake: (socket, success, error) => socket.data.shookHands(socket, success, error),
  data: (socket, bytes) => socket.data.received(bytes),
  drain: (socket) => socket.data.roomAgain(socket),
  end: (socket) => socket.data.sentAll(),
  close: (socket) => socket.data.closed(),
  error: (socket) => socket.data.closed(),
  // The promise of `connect` says the same.
  connectError: () => undefined,
};

/** As it goes over the wire, its length first (RFC 7301 section 3.1). */
const onlyHttp1 = "\x08http/1.1";

/**
 * What goes out at once is put together here: the system has taken it before the next request is
 * written.
 */
const scratch = Buffer.allocUnsafe(65_536);
