import { isIP } from "node:net";
import { AfterwordError } from "../../errors.ts";

/** The parsed address of a Redis server. It contains secrets, so only `name` may be logged. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** For SNI: null when the host is an IP address (RFC 6066, 3). */
  readonly servername: string | null;
  readonly database: number;
  readonly username: string | null;
  readonly password: string | null;
  /** The address without user and password. */
  readonly name: string;
}

/**
 * Reads `redis[s]://[[user]:password@]host[:port][/database]`; the port is 6379 and the database 0
 * when nothing is said.
 *
 * @throws AfterwordError `config-invalid` without any part of the address, since each could be a
 *   misplaced password
 */
export function readRedisAddress(written: string): RedisAddress {
  const url = URL.canParse(written) ? new URL(written) : null;
  const scheme = url?.protocol === "redis:" || url?.protocol === "rediss:";
  if (url === null || !scheme || url.hostname === "" || url.search !== "" || url.hash !== "") {
    throw createUnreadableError();
  }
  const database = /^\/?(\d{0,5})$/.exec(url.pathname)?.[1];
  if (database === undefined) throw createUnreadableError();
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = url.port === "" ? 6379 : Number(url.port);
  return {
    host,
    port,
    tls: url.protocol === "rediss:",
    servername: isIP(host) === 0 ? host : null,
    database: Number(database),
    username: decodePart(url.username),
    password: decodePart(url.password),
    name: `${url.protocol}//${url.hostname}:${port}/${Number(database)}`,
  };
}

/** True for an address that a start accepts. The check uses it. */
export function isRedisAddress(written: string): boolean {
  try {
    readRedisAddress(written);
    return true;
  } catch {
    return false;
  }
}

/** Describes a valid address, without quoting the written one. */
export const REDIS_ADDRESS_NEEDED =
  "redis[s]://[user:password@]host[:port][/database] (in a user or password, characters such as / ? # @ % are written as %2F %3F %23 %40 %25)";

function decodePart(part: string): string | null {
  if (part === "") return null;
  try {
    return decodeURIComponent(part);
  } catch {
    throw createUnreadableError();
  }
}

// It has no cause, because the URL parser's error contains the whole text.
function createUnreadableError(): AfterwordError {
  return new AfterwordError(
    "config-invalid",
    "state.store is not redis[s]://[user:password@]host[:port][/database]; in a user or password, characters such as / ? # @ % are written as %2F %3F %23 %40 %25",
  );
}
