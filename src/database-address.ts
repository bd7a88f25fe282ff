/** True for the address of a PostgreSQL database; anything else is a file. */
export function isPostgresAddress(address: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(address);
}

/**
 * Why an address names neither a SQLite file nor a PostgreSQL database, or null when it does.
 * Nothing after the scheme is quoted, because it may contain a password.
 *
 * @example
 * findDatabaseFault("postgress://u:secret@db/x"); // '"postgress:" is no scheme of a database. Did you
 * mean "postgres://…"?'
 */
export function findDatabaseFault(address: string): string | null {
  if (isPostgresAddress(address)) return null;
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

const FILES: ReadonlySet<string> = new Set(["file", "sqlite", "sqlite3"]);
