import { AfterwordError } from "../../../errors.ts";

/** What the operator knows a PostgreSQL database by, and what nobody may read. */
export interface PostgresAddress {
  /** The address without password and parameters. */
  readonly name: string;
  readonly password: string;
}

export { isPostgresAddress } from "../../../config/database-address.ts";

/**
 * @throws AfterwordError `database-unusable`, without a word of the address: nobody knows where in
 * it the password stands
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
  return { name: `postgres://${user}${url.host}${url.pathname}`, password: decoded(secret) };
}

/**
 * A `/`, `?` or `#` in a password ended the host: the password's rest, and its `@`, stand behind
 * it.
 */
function isCutInTwo({ hash, pathname, search }: URL): boolean {
  return hash !== "" || pathname.includes("@") || /^\?[^=]*@/.test(search);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
