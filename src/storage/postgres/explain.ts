import { TLS_PARAMETERS } from "../../database-address.ts";
import { AfterwordError, isAfterwordError } from "../../errors.ts";

/**
 * Makes the error of a failed first connection. It says what to look at, and never the password.
 */
export function explainFailedConnection(error: unknown, address: PostgresAddress): AfterwordError {
  if (isAfterwordError(error)) return error;
  return createUnusableError(error, address, findCure(error) ?? lost);
}

/**
 * Makes the error of a failed statement. A fault of the connection, the server or the user's rights
 * becomes an {@link AfterwordError} that says what to do. A fault of the statement keeps
 * PostgreSQL's message and `code`.
 */
export function explainFailedQuery(error: unknown, address: PostgresAddress): unknown {
  const code = codeOf(error);
  const cure = findCure(error) ?? (connectionLost.test(code) || code === "" ? lost : undefined);
  return cure === undefined ? error : createUnusableError(error, address, cure);
}

function findCure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("syscall" in error && error.syscall === "open") return unreadable;
  return cures[codeOf(error)] ?? driverCures.find(([fault]) => fault.test(error.message))?.[1];
}

function createUnusableError(
  error: unknown,
  address: PostgresAddress,
  cure: string,
): AfterwordError {
  // No cause: a driver's error may carry the address, and a log may print it.
  const message = `The database ${address.name} ${cure} (${reasonOf(error, address)})`;
  return new AfterwordError("database-unusable", message);
}

function reasonOf(error: unknown, { password }: PostgresAddress): string {
  // Node tries every address of a host, and collects the failures in `errors`.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const text = first instanceof Error ? first.message : String(first);
  return password === "" ? text : text.replaceAll(password, "***");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

const lost =
  "does not answer: is PostgreSQL running, does it listen there, and does a firewall let this machine through?";
const refused =
  "refuses the user or the password: look at the address, and at pg_hba.conf on the server";
const unreadable =
  "cannot be reached, because a file that its address names cannot be read: correct sslrootcert, sslcert or sslkey";
const unverified =
  "has a certificate that cannot be verified: name its authority's file in sslrootcert, and the host as the certificate names it";
const full = "has no connection left: raise max_connections, or end what holds them";
const slow =
  "took too long over a statement: look for what locks it (pg_stat_activity), and at its load";

// Classes 08 and 57P of PostgreSQL's codes, and the codes of sockets.
const connectionLost = /^(?:08|57P|E[A-Z]+$)/;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const cures: Readonly<Record<string, string>> = {
  "28000": refused,
  "28P01": refused,
  "3D000": "does not exist: make it with createdb, or correct the address",
  "42501":
    "does not let this user make or use tables: grant it CREATE and USAGE on the schema, or make it the owner of the database",
  "53100": "cannot grow, because the server's disk is full: free some space",
  "53300": full,
  "57014": slow,
  "25006": "can only be read: name the primary server, not a standby",
  CERT_HAS_EXPIRED: unverified,
  DEPTH_ZERO_SELF_SIGNED_CERT: unverified,
  ERR_TLS_CERT_ALTNAME_INVALID: unverified,
  SELF_SIGNED_CERT_IN_CHAIN: unverified,
  UNABLE_TO_GET_ISSUER_CERT: unverified,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unverified,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unverified,
};

/** The driver's own errors have no codes. */
const driverCures: readonly (readonly [RegExp, string])[] = [
  [
    /does not support SSL/,
    "takes no encrypted connections: set ssl = on in postgresql.conf, or leave sslmode out of the address",
  ],
  [/password must be a/, "needs a password: write it into the address, or set PGPASSWORD"],
];

/**
 * A PostgreSQL database by the name that messages may show, and the password, which they may not.
 */
export interface PostgresAddress {
  /** The address without password and parameters. */
  readonly name: string;
  readonly password: string;
}

/**
 * @throws AfterwordError `database-unusable`, without any part of the address, since the password
 *   may be anywhere in it
 */
export function readAddress(address: string): PostgresAddress {
  const url = URL.parse(address);
  if (url === null || isCutInTwo(url)) {
    throw new AfterwordError(
      "database-unusable",
      "The PostgreSQL address cannot be read: it must look like postgres://user:password@host:5432/database, with characters such as / ? # @ % in a password percent-encoded",
    );
  }
  const user = url.username === "" ? "" : `${url.username}@`;
  const secret = url.password === "" ? (url.searchParams.get("password") ?? "") : url.password;
  return { name: `postgres://${user}${url.host}${url.pathname}`, password: decodePart(secret) };
}

/**
 * Returns the address for a command that its reader copies: without the password, and with the
 * parameters that encrypt the connection. Any other parameter may be the password.
 *
 * @throws AfterwordError like {@link readAddress}
 */
export function formatForCommand(address: string): string {
  const { name } = readAddress(address);
  const parameters = new URL(address).search.slice(1).split("&");
  const shown = parameters.filter((one) => TLS_PARAMETERS.includes(one.split("=", 1)[0] ?? ""));
  return shown.length === 0 ? name : `${name}?${shown.join("&")}`;
}

/** A `/`, `?` or `#` in a password ended the host; the rest, with its `@`, follows. */
function isCutInTwo({ hash, pathname, search }: URL): boolean {
  return hash !== "" || pathname.includes("@") || /^\?[^=]*@/.test(search);
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
