/** As much of Bun's sockets as is used. */
export interface BunSocket<Data> {
  data: Data;
  /** TLS: whether the other side's certificate is good, and for this host. */
  readonly authorized: boolean;
  /** @returns how many bytes were taken; the others have to come again after `drain` */
  write(bytes: Uint8Array, offset: number, length: number): number;
  pause(): void;
  resume(): void;
  /** Closes at once, with a reset where bytes are under way. */
  terminate(): void;
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

export type BunConnect = <Data>(options: BunConnectOptions<Data>) => Promise<unknown>;

/** Bun's `connect`, or null where this is not Bun. */
export function bunConnect(): BunConnect | null {
  const bun: unknown = Reflect.get(globalThis, "Bun");
  if (typeof bun !== "object" || bun === null) return null;
  const connect: unknown = Reflect.get(bun, "connect");
  return isConnect(connect) ? connect : null;
}

function isConnect(value: unknown): value is BunConnect {
  return typeof value === "function";
}
