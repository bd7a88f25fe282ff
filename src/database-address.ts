import { findNearest } from "./yaml/nearest.ts";

/** True for the address of a PostgreSQL database; anything else is a file. */
export function isPostgresAddress(address: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(address);
}

/**
 * Why an address names neither a SQLite file nor a PostgreSQL database, or null when it does.
 * Nothing after the scheme is quoted but the name of a parameter, because it may contain a password.
 *
 * @example
 * findDatabaseFault("postgress://u:secret@db/x"); // '"postgress:" is no scheme of a database. Did you
 * mean "postgres://…"?'
 */
export function findDatabaseFault(address: string): string | null {
  if (isPostgresAddress(address)) return findParameterFault(address);
  // Two letters or more, as C:/data/backend.db is a file; a slash, as file names may have colons.
  const scheme = /^([a-z][a-z0-9+.-]{1,40}):\//i.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined) return null;
  const cure = FILES.has(scheme)
    ? "A SQLite file is named by its path alone, such as ./backend.db."
    : /^p(?:g|ost|sql)/.test(scheme)
      ? 'Did you mean "postgres://…"?'
      : "Name a SQLite file, such as ./backend.db, or postgres://user@host:5432/database.";
  return `"${scheme}:" is no scheme of a database. ${cure}`;
}

/**
 * Finds a misspelt parameter of encryption. pg ignores names that it does not know, and would send
 * everything in plain text.
 */
function findParameterFault(address: string): string | null {
  for (const name of URL.parse(address)?.searchParams.keys() ?? []) {
    const meant = TLS_PARAMETERS.includes(name) ? null : findNearest(name, TLS_PARAMETERS);
    if (meant !== null)
      return `"${name}" is no parameter of a database's address. Did you mean "${meant}"?`;
  }
  return null;
}

/** The parameters of encryption. */
export const TLS_PARAMETERS: readonly string[] = [
  "ssl",
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
];

const FILES: ReadonlySet<string> = new Set(["file", "sqlite", "sqlite3"]);
