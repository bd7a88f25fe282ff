import { createClient, ErrorReply } from "@redis/client";
import type { RedisAddress } from "../../../config/schema/redis-address.ts";
import { AfterwordError } from "../../../errors.ts";
import { waitAtMost, limitTime } from "../../../wait.ts";
import type { StoreHealth } from "./store-health.ts";

/** A connection that is kept open: when it is lost, further attempts follow until `close`. */
export interface RedisConnection {
  /** Resolves when the first attempt has succeeded or failed. */
  readonly tried: Promise<void>;
  /** Rejects at once while there is no connection; nothing is kept for later. */
  use<Value>(work: (client: RedisClient) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

/** The part of the package's client that is used. */
export interface RedisClient {
  on(event: "error", listener: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  ping(): Promise<unknown>;
  getEx(key: string, expiry: RedisExpiry | { readonly type: "PERSIST" }): Promise<string | null>;
  set(key: string, value: string, options?: { expiration: RedisExpiry }): Promise<unknown>;
  eval(script: string, options: { arguments: string[] }): Promise<unknown>;
  close(): Promise<void>;
  destroy(): void;
}

/** Milliseconds from now. */
export interface RedisExpiry {
  readonly type: "PX";
  readonly value: number;
}

export interface RedisConnectionOptions {
  readonly address: RedisAddress;
  readonly health: StoreHealth;
  /** From 0 to 1: spreads the attempts of several processes. */
  readonly random?: () => number;
}

/** Milliseconds to connect and greet, and to answer a ping. */
const answerTimeout = 2000;

/** How often an otherwise silent connection is checked, in milliseconds. */
const pingEvery = 5000;

/** Limit of waiting calls; further ones reject at once, so that a hung server is not fed. */
const maxWaiting = 1000;

/** How long `close` waits for running calls, in milliseconds. */
const closeTimeout = 500;

/**
 * Keeps one connection to a Redis server. It never gives up: attempts follow each other after 50
 * ms, doubling to 2 s. The package's own reconnecting is not used, because it does not notice a
 * server that accepts and never answers.
 */
export function keepRedisConnection(options: RedisConnectionOptions): RedisConnection {
  const { address, health, random = Math.random } = options;
  let ready: RedisClient | null = null;
  let trying: RedisClient | null = null;
  let failures = 0;
  let closed = false;
  let next: NodeJS.Timeout | undefined;
  const tried = connect();
  const pinging = setInterval(() => {
    const client = ready;
    if (client === null) return;
    limitAnswerTime(answerTimeout, client.ping()).catch((error: unknown) =>
      handleLost(client, error),
    );
  }, pingEvery).unref();

  return {
    tried,
    use(work) {
      return ready === null ? Promise.reject(new Error("no connection to Redis")) : work(ready);
    },
    async close() {
      closed = true;
      clearInterval(pinging);
      clearTimeout(next);
      const client = ready;
      ready = null;
      trying?.destroy();
      if (client === null) return;
      await waitAtMost(closeTimeout, client.close());
      client.destroy();
    },
  };

  async function connect(): Promise<void> {
    const client = openClient(address);
    trying = client;
    // Also keeps an error from ending the process.
    client.on("error", (error: unknown) => handleLost(client, error));
    try {
      await limitAnswerTime(answerTimeout, client.connect());
    } catch (error) {
      handleLost(client, error);
      return;
    }
    if (trying !== client) return;
    trying = null;
    ready = client;
    failures = 0;
    health.works();
  }

  /** May be called more than once for the same loss. */
  function handleLost(client: RedisClient, error: unknown): void {
    if (client !== ready && client !== trying) return;
    ready = null;
    trying = null;
    client.destroy();
    if (closed) return;
    health.failed(reasonOf(error));
    const delay = Math.min(50 * 2 ** failures, 2000) * (0.75 + random() / 2);
    failures += 1;
    next = setTimeout(() => void connect(), delay).unref();
  }
}

function openClient(address: RedisAddress): RedisClient {
  const { host, port, servername, username, password, database } = address;
  const place = { host, port, connectTimeout: answerTimeout, reconnectStrategy: false } as const;
  return createClient({
    socket: address.tls
      ? { ...place, tls: true, ...(servername === null ? {} : { servername }) }
      : place,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    database,
    // The older protocol and a minimal greeting, because proxies and narrow ACLs refuse anything
    // else.
    RESP: 2,
    disableClientInfo: true,
    maintNotifications: "disabled",
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxWaiting,
    commandOptions: { timeout: 0 },
  });
}

/**
 * Turns a failed call into an outage that the operator can end: no connection, no answer, or a
 * server that accepts no writes now. A wrong script or command stays Afterword's own fault.
 *
 * @param name of the server, without user and password
 */
export function toOutage(error: unknown, name: string): unknown {
  const reason = reasonOf(error);
  if (error instanceof ErrorReply && ownFaults.has(reason)) return error;
  return new AfterwordError("database-unusable", `the store ${name} cannot be used: ${reason}`);
}

const ownFaults: ReadonlySet<string> = new Set(["ERR", "WRONGTYPE", "NOSCRIPT", "refused"]);

/** A code, not the server's text: some servers repeat what they were sent, passwords included. */
function reasonOf(error: unknown): string {
  // Redis 7 has no code for a right that is missing inside a script.
  if (error instanceof ErrorReply && /executing the script can't/.test(error.message))
    return "NOPERM";
  if (error instanceof ErrorReply) return /^[A-Z]+/.exec(error.message)?.[0] ?? "refused";
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? String(error.code) : error.message;
}

function limitAnswerTime<Value>(limit: number, work: Promise<Value>): Promise<Value> {
  return limitTime(limit, work, () => {
    throw new Error(`no answer within ${limit} ms`);
  });
}
